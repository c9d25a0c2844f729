"""The ``ebf`` command: the one place that knows every other package."""
