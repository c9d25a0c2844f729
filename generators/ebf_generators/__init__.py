"""Procedural worlds, tasks and suites."""
