"""Tools of other people's suites: known by a name, a description and what they require, and perhaps by nothing else."""

from __future__ import annotations

from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import Effect, Invoke, Search, Touch, View
from ebf_env.world.tools.spec import TOOLS, EntityPrecondition, ToolParameter, ToolSpec

_ACTION_OF_VERB = {
    **dict.fromkeys(
        ("search", "find", "list", "lookup", "query", "get", "read", "open", "view", "fetch", "retrieve"),
        ActionType.RETRIEVE,
    ),
    **dict.fromkeys(("draft", "prepare", "compose"), ActionType.DRAFT),
    **dict.fromkeys(("send", "reply", "forward", "email", "notify", "post"), ActionType.SEND),
    **dict.fromkeys(("share", "invite", "grant"), ActionType.SHARE),
    **dict.fromkeys(("update", "edit", "set", "move", "rename", "comment", "add", "create"), ActionType.UPDATE),
    "assign": ActionType.ASSIGN,
    "reschedule": ActionType.RESCHEDULE,
    "schedule": ActionType.SCHEDULE,
    "escalate": ActionType.ESCALATE,
    **dict.fromkeys(("close", "resolve", "archive"), ActionType.CLOSE),
    **dict.fromkeys(("delete", "remove", "purge", "void"), ActionType.DELETE),
    **dict.fromkeys(("cancel", "revoke"), ActionType.CANCEL),
}

_RISK_OF_ACTION = {
    ActionType.RETRIEVE: RiskLevel.LOW,
    ActionType.DRAFT: RiskLevel.MEDIUM,
    ActionType.CLOSE: RiskLevel.CRITICAL,
    ActionType.DELETE: RiskLevel.CRITICAL,
    ActionType.CANCEL: RiskLevel.CRITICAL,
}


def action_type_of(name: str) -> ActionType:
    """The action type a tool's name tells by its verb, ``other`` where it tells none (paper, Table I)."""
    return _ACTION_OF_VERB.get(name.lower().split("_", 1)[0], ActionType.OTHER)


def foreign_tool(
    name: str,
    description: str,
    preconditions: tuple[EntityPrecondition, ...],
    *,
    domain: str,
    parameters: tuple[ToolParameter, ...] | None = None,
    action_type: ActionType | None = None,
    risk: RiskLevel | None = None,
) -> ToolSpec:
    """A tool as somebody else declares it.

    What they leave open comes from the registered tool of that name, or else from the name's verb: action type, risk
    (paper, Table I; ``high`` for a verb it does not name), parameters and effect. A tool of no registered name marks
    the records it is called on.
    """
    known = TOOLS.get(name)
    action = action_type or (known.action_type if known else action_type_of(name))
    level = risk or (known.risk if known else _RISK_OF_ACTION.get(action, RiskLevel.HIGH))
    slots = {p.slot for p in preconditions}
    if parameters is None:
        parameters = tuple(p for p in known.parameters if p.name not in slots) if known else ()
    fits = known is not None and _fits(known, action, preconditions)
    effects = known.effects if known and fits else _plain_effects(action, preconditions)
    return ToolSpec(name, description, domain, action, level, preconditions, parameters, effects)


def _fits(known: ToolSpec, action: ActionType, preconditions: tuple[EntityPrecondition, ...]) -> bool:
    """Whether a registered tool's effects can be had with these slots: all known to it, none it acts on missing."""
    if known.is_read != (action is ActionType.RETRIEVE):
        return False
    for declared in preconditions:
        own = known.precondition(declared.slot)
        if own is None or (own.entity_type, own.many) != (declared.entity_type, declared.many):
            return False
    slots = {p.slot for p in preconditions}
    return all(effect.target is None or effect.target in slots for effect in known.effects)


def _plain_effects(action: ActionType, preconditions: tuple[EntityPrecondition, ...]) -> tuple[Effect, ...]:
    if action is ActionType.RETRIEVE:
        return tuple(View(p.slot) for p in preconditions) or (Search(),)
    return tuple(Touch(p.slot) for p in preconditions) or (Invoke(),)
