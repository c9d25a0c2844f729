"""Times of day: "3 pm", "half past three", "from 9 to 11 am", "in the morning"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ebf_env.grounding.time_lexicon import PARTS, word_set
from ebf_env.grounding.time_phrases import Found, Phrases, clock_points
from ebf_env.grounding.time_readings import MIDNIGHT, Reading

_AFTER_AT = word_set(". , ; : ! ? ) \x00 on today tomorrow tonight and or for with in this next sharp please if so")
_CLOCK_LEADS = word_set("at by until till before after around about since from between")


class ClockPhrases(Phrases):
    """Times of day: "3 pm", "half past three", "from 9 to 11 am", "in the morning"."""

    def _part(self, j: int, *, lone: bool = False) -> list[Found]:
        word = self.word(j)
        if word.role != "part" or (lone and word.plural):
            return []
        return [(j + 1, Reading(clocks=(PARTS[word.name],)))]

    def _part_of_day(self, j: int) -> Iterator[Found]:
        """A phrase such as "The morning of 3 March"."""
        if self.lemma(j + 1) == "of":
            found = self.point(j + 2)
            if found is not None and found[1].dated and not found[1].clocks:
                yield found[0], replace(found[1], clocks=(PARTS[self.word(j).name],))

    def _hour(self, j: int, lead: str = "") -> Iterator[Found]:
        """A phrase such as "3 pm", "15:30", "9 o'clock", "from 9 to 11 am"."""
        one = self._clock(j)
        if one is not None and not lead:
            yield one[0], Reading(clocks=clock_points(one[1]))
        bare = one or self._plain_hour(j)
        if bare is None:
            return
        end, begins = bare
        if not self._joins(self.lemma(end), lead, j):
            return
        other = self._clock(end + 1)
        if other is None:
            return
        if one is None:
            begins = tuple(minute for minute in begins if minute // 720 == other[1][0] // 720) or begins
            begins = begins if begins[0] < other[1][0] else tuple((minute + 720) % MIDNIGHT for minute in begins)
        found = [(begin, stop) for begin in begins for stop in other[1] if begin < stop]
        found.sort(key=lambda clock: clock[1] - clock[0])
        if found:
            shortest = found[0][1] - found[0][0]
            yield other[0], Reading(clocks=tuple(clock for clock in found if clock[1] - clock[0] == shortest))

    def _clock(self, j: int) -> tuple[int, tuple[int, ...]] | None:
        word, following = self.word(j), self.word(j + 1)
        hours = word.role == "number" and 1 <= word.number <= 12
        if word.role == "noon":
            return j + 1, (word.number,)
        if word.role == "clock":
            if following.role == "meridiem" and word.name == "either":
                return j + 2, (word.number % 720 + following.number,)
            return j + 1, _either(word.number) if word.name == "either" else (word.number,)
        if hours and following.role == "meridiem":
            return j + 2, (word.number % 12 * 60 + following.number,)
        if hours and following.lemma == "o'clock":
            return j + 2, _either(word.number * 60)
        return None

    def _plain_hour(self, j: int) -> tuple[int, tuple[int, ...]] | None:
        word = self.word(j)
        if word.role == "number" and 1 <= word.number <= 12:
            return j + 1, (word.number % 12 * 60, word.number % 12 * 60 + 720)
        return None

    def _bare_hour(self, j: int) -> list[Found]:
        """An hour after "at": "at 3", where nothing is counted."""
        word = self.word(j)
        if (
            word.role != "number"
            or not 1 <= word.number <= 12
            or self.lemma(j - 1) not in {"at", "@", "around", "about"}
        ):
            return []
        following = self.word(j + 1)
        if following.lemma not in _AFTER_AT and following.role not in {"weekday", "day"}:
            return []
        return [(j + 1, Reading(clocks=clock_points(_either(word.number * 60))))]

    def _clock_words(self, j: int) -> Iterator[Found]:
        """A phrase such as "Half past three", "a quarter to five", "ten past nine"."""
        k = j + (self.lemma(j) in {"a", "an"})
        word = self.word(k)
        minutes = 30 if word.lemma == "half" else 15 if word.lemma == "quarter" else word.number
        plain = word.role == "number" and minutes in {5, 10, 20, 25} and self.lemma(k - 1) in _CLOCK_LEADS
        if word.lemma not in {"half", "quarter"} and not plain:
            return
        k += 1 + (self.lemma(k + 1) == "minute")
        side, hour = self.lemma(k), self.word(k + 1)
        if side not in {"past", "after", "to", "before"} or (minutes == 30 and side != "past"):
            return
        if side in {"after", "before"} and word.lemma != "quarter":
            return
        offset = minutes if side in {"past", "after"} else -minutes
        if hour.role == "noon":
            yield k + 2, Reading(clocks=clock_points(((hour.number + offset) % MIDNIGHT,)))
        elif hour.role == "number" and 1 <= hour.number <= 12:
            end, begins = self._clock(k + 1) or (k + 2, _either(hour.number * 60))
            yield end, Reading(clocks=clock_points(tuple((begin + offset) % MIDNIGHT for begin in begins)))


def _either(minute: int) -> tuple[int, ...]:
    """A time of a twelve-hour clock: of the two, that in the working day first."""
    minute %= 720
    return (minute, minute + 720) if 420 <= minute < 720 else (minute + 720, minute)
