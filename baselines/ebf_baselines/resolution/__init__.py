"""Resolving references: which records an instruction means, and how sure that is."""
