"""Words that tell in what way other words are meant."""

from __future__ import annotations

from typing import Final

ASIDES: Final = (
    "to be clear, to be precise, to be exact, to be specific, to clarify, just to be clear, for clarity, for "
    "context, for reference, i mean, i am talking about, i am referring to, namely, specifically, it is the, it is "
    "about, this is about, this concerns, it concerns, the topic, on my list, on my desk, on my mind, i am looking "
    "at, i have been looking at, in question, i was thinking of, background, context, what i mean, thanks for, thank "
    "you, the one i mean, we are talking about, we were talking about, i am thinking of, hope you, hello, hi there, "
    "good morning, regarding, as for, concerning"
)
"""How sentences begin, or what they hold, that say which record is meant rather than what to do."""

BEFORE_VERBS: Final = (
    "to please and or then can could would will you just also kindly let us me we i not must should be been get "
    "have want like need go ahead so now quickly simply finally it them that a an another quick short"
)
"""Words after which a word that could be a verb is one."""

BEFORE_LABELS: Final = (
    "status stage mark label tag tier priority component project sprint version call name title with in kind region"
)
"""Words after which a word is rather a value of a record than something to do."""

RELATIVE: Final = frozenset({"that", "what", "which", "who", "whos"})
"""Words that begin a clause which describes a record, unless they begin a question."""

BEFORE_QUESTIONS: Final = (
    "know tell see check find me wonder learn and or out to say ask so of for on in with make sure ensure so want"
)
"""Words after which those words ask, or stand for something."""
