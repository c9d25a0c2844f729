"""What people in offices say for what they want done: deeds, goals and kinds of record, in their words.

Phrases are written as :class:`~ebf_baselines.causal.words.PhraseBook` reads them: ``*`` lets words come between,
``a|b`` are alternatives, ``~`` and ``~~`` mark weak evidence. The lexicon is general English: it knows no tool and no
suite.
"""

from ebf_baselines.causal.lexicon.deeds import DEEDS
from ebf_baselines.causal.lexicon.goals import GOALS
from ebf_baselines.causal.lexicon.nouns import NOUNS
from ebf_baselines.causal.lexicon.signals import ASIDES, BEFORE_LABELS, BEFORE_QUESTIONS, BEFORE_VERBS, RELATIVE

__all__ = ["ASIDES", "BEFORE_LABELS", "BEFORE_QUESTIONS", "BEFORE_VERBS", "DEEDS", "GOALS", "NOUNS", "RELATIVE"]
