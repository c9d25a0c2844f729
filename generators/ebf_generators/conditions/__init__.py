"""The conditions of tasks, one module each; importing this package registers them, in the order of the balanced mix."""

from ebf_generators.conditions import (  # isort: skip
    unambiguous,
    name_collision,
    document_version,
    temporal,
    account_collision,
    near_duplicate,
    cross_system,
    true_ambiguity,
    no_referent,
    not_permitted,
    stale,
)

__all__ = [
    "account_collision",
    "cross_system",
    "document_version",
    "name_collision",
    "near_duplicate",
    "no_referent",
    "not_permitted",
    "stale",
    "temporal",
    "true_ambiguity",
    "unambiguous",
]
