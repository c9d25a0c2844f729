"""The tool-use methods: tool menu, candidates shown, execution policy."""

from ebf_baselines.method import ComposedMethod
from ebf_baselines.registry import METHODS, method_named

__all__ = ["METHODS", "ComposedMethod", "method_named"]
