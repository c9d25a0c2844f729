"""The audit of a suite from its file alone: certificates proven anew, and shortcuts that must not be there."""

from ebf_generators.audit.audit import FITS, Measurements, across_splits, audit_suite, measure_suite
from ebf_generators.audit.duplicates import Overlap
from ebf_generators.audit.reading import Survey, survey
from ebf_generators.audit.report import AuditReport, Finding, Verdict

__all__ = [
    "FITS",
    "AuditReport",
    "Finding",
    "Measurements",
    "Overlap",
    "Survey",
    "Verdict",
    "across_splits",
    "audit_suite",
    "measure_suite",
    "survey",
]
