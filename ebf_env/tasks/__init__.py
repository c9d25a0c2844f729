"""Tasks (an instruction, its world, and what is right), suite files of them, and the user who answers questions."""

from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.paper import import_paper_tasks
from ebf_env.tasks.reference import reference_decision
from ebf_env.tasks.suite import Suite, SuiteInfo, iterate_suite, read_suite, write_suite
from ebf_env.tasks.task import Mention, Task, User
from ebf_env.tasks.user_oracle import Conversation, UserOracle
from ebf_env.tasks.user_profile import UserProfile

__all__ = [
    "Condition",
    "Conversation",
    "Label",
    "Mention",
    "Suite",
    "SuiteInfo",
    "Task",
    "User",
    "UserOracle",
    "UserProfile",
    "import_paper_tasks",
    "iterate_suite",
    "read_suite",
    "reference_decision",
    "write_suite",
]
