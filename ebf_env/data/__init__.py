"""Suites that ship with the project."""
