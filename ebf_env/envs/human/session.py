"""A session at the terminal: one person, one task after the other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.text import Text

from ebf_env.decisions import Decision, Invalid
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs.episode import Episode, EpisodeConfig
from ebf_env.envs.human.answers import DECISIONS, UnclearError, one_of, read_answer
from ebf_env.envs.human.explanation import explanation
from ebf_env.envs.human.records import NumberedRecords, clean
from ebf_env.envs.human.saved import SavedAnswer
from ebf_env.envs.human.views import help_view, news_view, task_view
from ebf_env.tasks import Task

COMMANDS = (*DECISIONS, "open", "find", "more", "show", "note", "help", "skip", "quit")
"""What can be typed."""


@dataclass(slots=True)
class _Round:
    """One task as it is played.

    Attributes:
        number: the task's number in the session's source.
        episode: its episode.
        records: the numbers of its records.
        comment: what the person noted.
        reward: what the decisions so far were worth.
        began: when it was shown.
    """

    number: int
    episode: Episode
    records: NumberedRecords
    comment: str = ""
    reward: float = 0.0
    began: float = field(default_factory=time.monotonic)


class Session:
    """Shows tasks, takes what is typed, and keeps count.

    Args:
        read: asks for a line with a prompt; None where there is nothing more to read.
        console: where to show things.
        config: how episodes are run.
        save: what to do with each answer.
        blind: whether verdicts are kept back.
        pause: whether to wait after a verdict until the person wants the next task.

    Attributes:
        begun: whether a task has been shown.
    """

    def __init__(
        self,
        read: Callable[[str], str | None],
        console: Console,
        config: EpisodeConfig,
        *,
        save: Callable[[SavedAnswer], None] | None = None,
        blind: bool = False,
        pause: bool = False,
    ) -> None:
        self._read, self._console, self._config = read, console, config
        self._save, self._blind, self._pause = save, blind, pause
        self._outcomes: Counter[str] = Counter()
        self._right, self._skipped, self._reward = 0, 0, 0.0
        self.begun = False

    def play(self, tasks: Iterable[tuple[int, Task]]) -> None:
        """Play numbered tasks until they, the input or the person's patience end.

        Raises:
            ConfigurationError: a task cannot be played in this way.
        """
        for number, task in tasks:
            episode = Episode(task, self._config)
            current = _Round(number, episode, NumberedRecords(episode.observation, self._console.width))
            self._show_task(current)
            self.begun = True
            if not (self._take_decisions(current) and self._linger(current)):
                return

    def totals(self) -> str:
        """What came of it, in one line; nothing about verdicts where they are kept back."""
        parts = [f"answered {self._outcomes.total()}", f"skipped {self._skipped}"]
        if not self._blind:
            counts = ", ".join(f"{name} {count}" for name, count in self._outcomes.most_common())
            parts += [f"right {self._right}" + (f" ({counts})" if counts else ""), f"reward {self._reward:+.2f}"]
        return "; ".join(parts)

    # --- one task ---

    def _take_decisions(self, current: _Round) -> bool:
        """Take what is typed until the episode ends or is skipped; False where there is nothing more to play."""
        while not current.episode.ended:
            line = self._read("> ")
            command, rest = ("quit", "") if line is None else self._understood(line)
            match command:
                case "quit":
                    return False
                case "skip":
                    self._skipped += 1
                    return True
                case "act" | "ask" | "defer":
                    decision = read_answer(command, rest, current.episode.observation, current.records)
                    if isinstance(decision, Invalid):
                        self._say(decision.reason)
                    else:
                        self._decide(decision, current)
                case _:
                    self._look(command, rest, current)
        return True

    def _understood(self, line: str) -> tuple[str, str]:
        """Command and rest of a line; what is no command is answered, and the command empty."""
        word, rest = (*line.split(maxsplit=1), "", "")[:2]
        try:
            return one_of(word, COMMANDS, "command") if word else "", rest.strip()
        except UnclearError as error:
            self._say(f"{error}; 'help' explains")
            return "", ""

    def _decide(self, decision: Decision, current: _Round) -> None:
        episode = current.episode
        before = len(episode.observation.messages)
        result = episode.step(decision)
        current.reward += result.reward
        current.records.see(result.observation)
        if result.verdict is None:
            self._show(news_view(result.observation.messages[before:], result.reward, current.records))
            return
        self._outcomes[result.verdict.outcome.value] += 1
        self._right += result.verdict.safe_success
        self._reward += current.reward
        if self._save is not None:
            self._save(_saved(decision, current))
        if not self._blind:
            self._show(explanation(episode, result.verdict, current.reward, current.records))

    def _linger(self, current: _Round) -> bool:
        """Let the person look at the records beside the verdict; False where they want no further task."""
        while self._pause and not self._blind and current.episode.ended:
            line = self._read("Enter for the next task > ")
            if line is None:
                return False
            if not line.strip():
                return True
            command, rest = self._understood(line)
            if command in ("quit", "skip"):
                return command == "skip"
            if command in DECISIONS:
                self._say("this task has been decided; Enter shows the next")
            else:
                self._look(command, rest, current)
        return True

    # --- looking ---

    def _look(self, command: str, rest: str, current: _Round) -> None:
        """Whatever decides nothing."""
        records = current.records
        match command:
            case "show":
                self._show_task(current)
            case "help":
                self._show(help_view())
            case "note":
                current.comment = rest
                self._say("noted" if self._save else "noted, but notes are kept with --save only")
            case "open":
                self._open(rest, records)
            case "find":
                self._find(rest, records)
            case "more":
                self._more(rest, records)

    def _open(self, rest: str, records: NumberedRecords) -> None:
        numbers = rest.replace(",", " ").split()
        if not numbers:
            self._say("open needs the number of a record, as in: open 3")
        for number in numbers:
            entity_id = records.find_id(number)
            if entity_id is None:
                self._say(f"no record in sight has the number {number!r}")
            else:
                self._show(records.whole(entity_id))

    def _find(self, rest: str, records: NumberedRecords) -> None:
        found = records.holding(rest)
        if not rest:
            self._say("find needs words, as in: find alex launch")
        elif not found:
            self._say("no record in sight holds all these words")
        else:
            self._show(records.tables(found))

    def _more(self, rest: str, records: NumberedRecords) -> None:
        try:
            kind = one_of(rest, records.types, "type of record") if rest else None
        except UnclearError as error:
            self._say(str(error))
            return
        if kind is not None:
            self._show(records.all_about(kind))
        elif records.has_others:
            self._show(records.others())
        else:
            self._say("all records in sight are shown; 'more TYPE' shows further fields")

    # --- showing ---

    def _show_task(self, current: _Round) -> None:
        self._show(task_view(current.number, current.episode.observation, current.records))

    def _show(self, view: RenderableType) -> None:
        self._console.print(view)

    def _say(self, sentence: str) -> None:
        self._console.print(Text(clean(f"{sentence}.")), soft_wrap=True)


def _saved(decision: Decision, current: _Round) -> SavedAnswer:
    return SavedAnswer.model_validate(
        {
            "task_id": current.episode.task.task_id,
            "decision": decision_json(decision),
            "seconds": round(time.monotonic() - current.began, 1),
            "comment": current.comment,
        }
    )
