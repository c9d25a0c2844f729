"""Attribution: the one cause of every wrong or unneeded outcome, derived from task and record and stored nowhere.

Precedence. Of several causes that fit, the first one counts:

- *nothing that can be executed*: ``invented_id``, ``wrong_slot``, ``malformed``;
- *another tool*: ``tool_not_shown``, ``out_of_steps``, ``wrong_tool``;
- *a wrong entity*, of the first wrong slot in the order of the task's bindings, and of the first wrong record bound to
  it: ``answered_clarification_ignored``; ``tie_broken`` and ``not_permitted``, where the mention does denote the
  record; ``retrieval_miss`` of the record to be found first; ``propagated``; ``retrieval_miss`` of the one meant;
  ``left_out``; ``wrong_slot``; ``stale_record``; ``cue_misread``; ``cue_not_read``; ``name_not_read``;
- *asked or deferred* on a task that could be done: ``gate_too_strict``; what was wrong with the call that an execution
  policy held back; ``tool_not_shown``; ``answered_clarification_ignored``; ``retrieval_miss``; ``cue_not_read``;
  ``needless_question``.

A cause is what the decision is consistent with, not what went on in the model. Where a mention has no logical form
(tasks written by hand, imported ones), what can be said without one is said, else ``unattributed``.
"""

from ebf_env.evaluation.attribution.cause import ATTRIBUTED, Cause
from ebf_env.evaluation.attribution.decisions import cause_of

__all__ = ["ATTRIBUTED", "Cause", "cause_of"]
