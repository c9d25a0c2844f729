"""One module for each method; each defines its ``METHOD``, and nothing else has to be told of it."""
