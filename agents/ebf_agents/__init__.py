"""Backends and policies: what fills in a decision."""
