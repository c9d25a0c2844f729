"""What people say around a request: frames, openers, closers, pointers, and earlier turns of the conversation."""

from __future__ import annotations

from typing import Final

from ebf_generators.phrasing.patterns import Patterns, by_split

REQUESTS: Final[Patterns] = by_split(
    """
    {Action}.; Please {action}.; Could you {action}?; Can you {action} for me?; I need you to {action}.;
    When you have a minute, please {action}.; Quick favor, can you {action}?; {Action}, please.;
    It would help me a lot if you could {action}.; I'd like you to {action}.; Go ahead and {action}.;
    My request for you is to {action}.; Could I get you to {action}?; Feel free to {action}.;
    Time for you to {action}.; I'm asking you to {action}.
    | Would you {action}?; Kindly {action}.; Do me a favor and {action}.; We should {action}, so please do that.;
    I want you to {action}.; Would you be so kind as to {action}?; Next task for you is to {action}.;
    Might you {action}?; Please see to it and {action}.; I was hoping you could {action}.; Help me out and {action}.;
    I'd appreciate it if you would {action}.; The job is to {action}.; Are you able to {action}?; Just {action}.;
    I would ask you to {action}.
    | You need to {action}.; Be so good as to {action}.; Make sure to {action}.; I'd be glad if you could {action}.;
    Will you {action}?; What I need is for you to {action}.; Is it possible for you to {action}?;
    I would like to see you {action}.;
    I trust you to {action}.; One thing to do is to {action}.; May I ask you to {action}?; Time to {action}.;
    I would be grateful if you could {action}.; Let me ask you to {action}.; I count on you to {action}.;
    Please begin and {action}.
    """.replace("\n", " ")
)
"""Sentences around a verb phrase."""

OPENERS: Final[Patterns] = by_split(
    """
    Hi there.; Hello!; Good to have you here.; One more thing.; Quick note.; Something small.; Here is what I need.;
    Hope you are well.
    | Hey.; Greetings.; One item for you.; Short one.; A request.; Thanks for being around.; Right then.
    | Dear colleague.; Good day.; An errand for you.; Okay, this one matters to me.; Small job.; So.;
    A quick one.
    """.replace("\n", " ")
)
"""What may come first."""

CLOSERS: Final[Patterns] = by_split(
    """
    Thanks!; Thank you.; Appreciate it.; No rush.; Many thanks.; That would be great.; Thanks for your help.; Cheers.
    | Much obliged.; Thanks a lot.; That's all.; I owe you one.; Great, thanks.; Thanks so much.; That will do.; Best.
    | With thanks.; Grateful for that.; Nothing else from me.; Thanks in advance.; Much appreciated.; Ta.;
    That is it from me.; I am obliged.
    """.replace("\n", " ")
)
"""What may come last."""

POINTERS: Final[Patterns] = by_split(
    """
    I mean the {noun} {post}.; The {noun} in question is the one {post}.; To be clear, it is the {noun} {post}.;
    That is the {noun} {post}.
    | By that I have the {noun} {post} in mind.; I am thinking of the {noun} {post}.; It concerns the {noun} {post}.;
    What I mean is the {noun} {post}.
    | I am speaking of the {noun} {post}.; What I want is the {noun} {post}.;
    What I have in view is the {noun} {post}.;
    Take the {noun} {post}.
    """.replace("\n", " ")
)
"""What says after the request which record is meant."""

TOPICS: Final[Patterns] = by_split(
    """
    This is about {np}.; I am writing about {np}.; The topic is {np}.; On my list there is {np}.
    | It's to do with {np}.; The matter at hand is {np}.; Let us look at {np}.; Next up we have {np}.
    | The subject here is {np}.; What follows concerns {np}.; What I have in front of me is {np}.;
    The thing to deal with is {np}.
    """.replace("\n", " ")
)
"""What says before the request, or in an earlier turn, which record is meant."""

SMALL_TALK: Final[tuple[tuple[Patterns, Patterns], ...]] = (
    (
        by_split("Good morning! | Are you there? | Hello, may I bother you?"),
        by_split("Good morning, what can I do for you? | Yes, how can I help? | Of course, what is it?"),
    ),
    (
        by_split(
            "Thanks for sorting out the other thing. | That earlier job went well. | The previous request is settled."
        ),
        by_split("You are welcome. | Glad to hear it. | Good."),
    ),
)
"""Turns that say nothing about the request."""

REPLIES: Final[Patterns] = by_split(
    "Got it.; Understood, what should I do?; Noted."
    " | Okay, what do you need?; I see.; Right."
    " | Very well.; Sure, go on.; Clear."
)
"""What the assistant says to an earlier turn."""
