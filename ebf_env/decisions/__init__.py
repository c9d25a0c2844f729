"""What an agent can decide, how a model's text is read, and how a call is checked against tools and records."""

from ebf_env.decisions.checking import CheckedCall, check_call
from ebf_env.decisions.decision import Clarify, Decision, Defer, Evidence, Invalid, Option, ToolCall
from ebf_env.decisions.parsing import decision_text, parse_decision

__all__ = [
    "CheckedCall",
    "Clarify",
    "Decision",
    "Defer",
    "Evidence",
    "Invalid",
    "Option",
    "ToolCall",
    "check_call",
    "decision_text",
    "parse_decision",
]
