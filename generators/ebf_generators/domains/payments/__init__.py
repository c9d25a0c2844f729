"""Payments: vendors, what they invoice, and the runs in which invoices are paid.

Importing this package registers all the generator knows of them: how records are made and called, what tells them
apart, and what people say for the tools on them. ``docs/extending.md`` walks through it.
"""

from ebf_generators.domains.payments import cues, hops, records, wordings

__all__ = ["cues", "hops", "records", "wordings"]
