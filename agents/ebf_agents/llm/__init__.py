"""Language models as backends, through any endpoint that speaks OpenAI's chat completions."""

from ebf_agents.llm.backend import LLMBackend
from ebf_agents.llm.catalogue import backends_in
from ebf_agents.llm.settings import BackendEntry, BackendOptions, Price, ProtocolName, Sampling

__all__ = [
    "BackendEntry",
    "BackendOptions",
    "LLMBackend",
    "Price",
    "ProtocolName",
    "Sampling",
    "backends_in",
]
