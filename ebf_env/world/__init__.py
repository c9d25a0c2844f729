"""The enterprise: entities, the store that holds them, and the tools that act on it."""

from ebf_env.world import domains
from ebf_env.world.entity import ENTITY_TYPES, Entity, EntityModel, EntitySchema, entity_type
from ebf_env.world.permissions import Permissions
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.store import Activity, Difference, FieldChange, Relation, World, WorldState
from ebf_env.world.tools.execution import ToolResult, execute
from ebf_env.world.tools.spec import TOOLS, EntityPrecondition, ToolParameter, ToolSpec, register_tool

__all__ = [
    "ENTITY_TYPES",
    "TOOLS",
    "ActionType",
    "Activity",
    "Difference",
    "Entity",
    "EntityModel",
    "EntityPrecondition",
    "EntitySchema",
    "FieldChange",
    "Permissions",
    "Relation",
    "RiskLevel",
    "ToolParameter",
    "ToolResult",
    "ToolSpec",
    "World",
    "WorldState",
    "domains",
    "entity_type",
    "execute",
    "register_tool",
]
