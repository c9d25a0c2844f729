"""Clarifying: which question to ask about a mention that several records may be meant by."""

from ebf_baselines.clarification.asking import Inquiry, Stated, ask
from ebf_baselines.clarification.choosing import MAX_ATTRIBUTES, entropy, information_gain
from ebf_baselines.clarification.visible import Attribute, Visible

__all__ = ["MAX_ATTRIBUTES", "Attribute", "Inquiry", "Stated", "Visible", "ask", "entropy", "information_gain"]
