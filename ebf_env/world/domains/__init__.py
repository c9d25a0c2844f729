"""The systems of the enterprise: each module declares the record types and the tools of one.

Importing this package registers them all. A further domain is one more module here, and its name below.
"""

from ebf_env.world.domains import calendar, changes, crm, directory, documents, email, payments, projects, tickets

__all__ = ["calendar", "changes", "crm", "directory", "documents", "email", "payments", "projects", "tickets"]
