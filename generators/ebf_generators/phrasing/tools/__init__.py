"""Wordings of every tool, one module for each domain; importing this package registers them."""

from ebf_generators.phrasing.tools import calendar, crm, documents, email, tickets

__all__ = ["calendar", "crm", "documents", "email", "tickets"]
