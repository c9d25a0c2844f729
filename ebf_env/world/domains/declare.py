"""Short forms in which the domains declare their tools."""

from __future__ import annotations

from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import Search, View
from ebf_env.world.tools.spec import EntityPrecondition, ToolParameter, ToolSpec, register_tool

QUERY = (
    ToolParameter("query", "string", "words to look for; leave empty to list all"),
    ToolParameter("limit", "integer", "most results to return, 10 if left out, at most 50"),
    ToolParameter("offset", "integer", "results to skip"),
)


def needs(
    slot: str, entity_type: str, description: str = "", *, many: bool = False, changes: bool = False
) -> EntityPrecondition:
    """A mandatory slot."""
    return EntityPrecondition(slot, entity_type, True, many, changes, description)


def may_take(slot: str, entity_type: str, description: str = "", *, many: bool = False) -> EntityPrecondition:
    """An optional slot."""
    return EntityPrecondition(slot, entity_type, False, many, False, description)


def text(name: str, description: str) -> ToolParameter:
    """A free-text argument."""
    return ToolParameter(name, "string", description)


def search_tool(name: str, domain: str, description: str, *types: str) -> ToolSpec:
    """Declare a tool that looks records up by words (low risk)."""
    return register_tool(
        ToolSpec(name, description, domain, ActionType.RETRIEVE, RiskLevel.LOW, (), QUERY, (Search(types),))
    )


def read_tool(name: str, domain: str, description: str, slot: str, entity_type: str) -> ToolSpec:
    """Declare a tool that opens one record (low risk)."""
    return register_tool(
        ToolSpec(
            name,
            description,
            domain,
            ActionType.RETRIEVE,
            RiskLevel.LOW,
            (needs(slot, entity_type),),
            (),
            (View(slot),),
        )
    )
