"""The action gate: calls are executed only on what the instruction denotes (paper, sections IV-C to IV-F)."""

from ebf_baselines.gating.gate import ActionGate, Candidates, Execute
from ebf_baselines.gating.policy import ResolverGate
from ebf_baselines.gating.scorer import resolver_id, shipped_certificate
from ebf_baselines.gating.sight import Sight, sight_of
from ebf_baselines.gating.thresholds import Acts, PlainThresholds

__all__ = [
    "ActionGate",
    "Acts",
    "Candidates",
    "Execute",
    "PlainThresholds",
    "ResolverGate",
    "Sight",
    "resolver_id",
    "shipped_certificate",
    "sight_of",
]
