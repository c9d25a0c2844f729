"""Times in texts, by public conventions: calendar days and units, weeks from Monday, both readings of what has two."""

# ruff: noqa: DTZ001 - records and callers give times without a zone, too
from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ebf_env.grounding.intervals import Interval
from ebf_env.grounding.time_lexicon import MONTHS, WEEKDAYS, Word, lookup
from ebf_env.grounding.time_lexicon import ORDINARY as ORDINARY_WORDS
from ebf_env.grounding.times import Moment, TimeExpression, find_durations, find_times, parse_moment

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 6, 11, 14, 20, tzinfo=BERLIN)  # a Thursday

# The days [begin, end) that each phrase may mean, most likely first.
DAYS = (
    # days
    ("yesterday", "2026-06-10..2026-06-11"),
    ("today", "2026-06-11..2026-06-12"),
    ("tomorrow", "2026-06-12..2026-06-13"),
    ("the day before yesterday", "2026-06-09..2026-06-10"),
    ("the day after tomorrow", "2026-06-13..2026-06-14"),
    ("three days ago", "2026-06-08..2026-06-09"),
    ("in 2 days", "2026-06-13..2026-06-14"),
    ("in a couple of days", "2026-06-13..2026-06-14"),
    ("two days from now", "2026-06-13..2026-06-14"),
    ("three days from today", "2026-06-14..2026-06-15"),
    ("two weeks from tomorrow", "2026-06-26..2026-06-27"),
    ("tomorrow's", "2026-06-12..2026-06-13"),
    ("the previous day", "2026-06-10..2026-06-11"),
    ("the day after next", "2026-06-13..2026-06-14"),
    ("two days before Friday", "2026-06-10..2026-06-11 | 2026-06-03..2026-06-04"),
    ("the day after next Tuesday", "2026-06-17..2026-06-18"),
    # units
    ("last week", "2026-06-01..2026-06-08"),
    ("this week", "2026-06-08..2026-06-15"),
    ("next week", "2026-06-15..2026-06-22"),
    ("the week before last", "2026-05-25..2026-06-01"),
    ("the week after next", "2026-06-22..2026-06-29"),
    ("last month", "2026-05-01..2026-06-01"),
    ("this month", "2026-06-01..2026-07-01"),
    ("next month", "2026-07-01..2026-08-01"),
    ("the month before last", "2026-04-01..2026-05-01"),
    ("last quarter", "2026-01-01..2026-04-01"),
    ("this quarter", "2026-04-01..2026-07-01"),
    ("next quarter", "2026-07-01..2026-10-01"),
    ("the quarter after next", "2026-10-01..2027-01-01"),
    ("last year", "2025-01-01..2026-01-01"),
    ("this year", "2026-01-01..2027-01-01"),
    ("next year", "2027-01-01..2028-01-01"),
    ("the year before last", "2024-01-01..2025-01-01"),
    ("the previous month", "2026-05-01..2026-06-01"),
    ("the preceding quarter", "2026-01-01..2026-04-01"),
    ("the coming year", "2027-01-01..2028-01-01"),
    ("the upcoming week", "2026-06-15..2026-06-22"),
    ("the following month", "2026-07-01..2026-08-01"),
    ("the past month", "2026-05-01..2026-06-01"),
    ("the current month", "2026-06-01..2026-07-01"),
    ("the ongoing quarter", "2026-04-01..2026-07-01"),
    ("the present week", "2026-06-08..2026-06-15"),
    ("this past week", "2026-06-01..2026-06-08"),
    ("the month just gone", "2026-05-01..2026-06-01"),
    ("the year that just ended", "2025-01-01..2026-01-01"),
    ("the quarter that has just ended", "2026-01-01..2026-04-01"),
    ("the month we are in", "2026-06-01..2026-07-01"),
    ("the quarter that is about to begin", "2026-07-01..2026-10-01"),
    ("the week that just started", "2026-06-08..2026-06-15"),
    ("the week after next week", "2026-06-22..2026-06-29"),
    ("the week of June 1", "2026-06-01..2026-06-08 | 2027-05-31..2027-06-07"),
    ("the week after 3 March", "2026-03-09..2026-03-16 | 2027-03-08..2027-03-15"),
    ("week 12", "2026-03-16..2026-03-23"),
    ("last week's", "2026-06-01..2026-06-08"),
    ("this weekend", "2026-06-13..2026-06-15"),
    ("next weekend", "2026-06-20..2026-06-22 | 2026-06-13..2026-06-15"),
    # counts
    ("a year ago", "2025-01-01..2026-01-01 | 2025-06-11..2025-06-12"),
    ("two weeks back", "2026-05-25..2026-06-01 | 2026-05-28..2026-05-29"),
    ("2 weeks from now", "2026-06-22..2026-06-29 | 2026-06-25..2026-06-26"),
    ("a few weeks ago", "2026-05-18..2026-05-25 | 2026-05-21..2026-05-22"),
    ("a fortnight ago", "2026-05-25..2026-06-01 | 2026-05-28..2026-05-29"),
    ("in a fortnight", "2026-06-22..2026-06-29 | 2026-06-25..2026-06-26"),
    ("in three weeks' time", "2026-06-29..2026-07-06 | 2026-07-02..2026-07-03"),
    ("in three weeks time", "2026-06-29..2026-07-06 | 2026-07-02..2026-07-03"),
    ("the past two weeks", "2026-05-28..2026-06-12 | 2026-05-25..2026-06-08"),
    ("the last 3 days", "2026-06-08..2026-06-12 | 2026-06-08..2026-06-11"),
    ("the next two weeks", "2026-06-11..2026-06-26 | 2026-06-15..2026-06-29"),
    ("within two weeks", "2026-06-11..2026-06-26 | 2026-06-15..2026-06-29"),
    ("within the next month", "2026-06-11..2026-07-12 | 2026-07-01..2026-08-01"),
    ("over the past month", "2026-05-11..2026-06-12 | 2026-05-01..2026-06-01"),
    ("more than two weeks ago", "..2026-05-28"),
    ("a couple of months ago", "2026-04-01..2026-05-01 | 2026-04-11..2026-04-12"),
    # weekdays
    ("Tuesday", "2026-06-09..2026-06-10 | 2026-06-16..2026-06-17"),
    ("Tuesday's", "2026-06-09..2026-06-10 | 2026-06-16..2026-06-17"),
    ("Thursday", "2026-06-11..2026-06-12 | 2026-06-18..2026-06-19 | 2026-06-04..2026-06-05"),
    ("on Friday", "2026-06-12..2026-06-13 | 2026-06-05..2026-06-06"),
    ("next Tuesday", "2026-06-16..2026-06-17"),
    ("this Tuesday", "2026-06-09..2026-06-10 | 2026-06-16..2026-06-17"),
    ("last Tuesday", "2026-06-02..2026-06-03 | 2026-06-09..2026-06-10"),
    ("this coming Friday", "2026-06-12..2026-06-13"),
    ("Tuesday last week", "2026-06-02..2026-06-03"),
    ("Tuesday of last week", "2026-06-02..2026-06-03"),
    ("last week's Tuesday", "2026-06-02..2026-06-03"),
    ("last week on Tuesday", "2026-06-02..2026-06-03"),
    ("a week ago Tuesday", "2026-06-02..2026-06-03"),
    ("a week from Tuesday", "2026-06-23..2026-06-24"),
    ("four weeks ago on Monday", "2026-05-11..2026-05-12"),
    ("Tuesday in two weeks", "2026-06-23..2026-06-24"),
    ("the Tuesday before last", "2026-05-26..2026-05-27 | 2026-06-02..2026-06-03"),
    ("on Thursday week", "2026-06-25..2026-06-26"),
    ("most recent Monday", "2026-06-08..2026-06-09"),
    ("Mon-Fri", "2026-06-08..2026-06-13 | 2026-06-15..2026-06-20 | 2026-06-01..2026-06-06"),
    ("from Monday to Friday", "2026-06-08..2026-06-13 | 2026-06-15..2026-06-20 | 2026-06-01..2026-06-06"),
    ("between Monday and Wednesday next week", "2026-06-15..2026-06-18"),
    # dates
    ("2026-03-03", "2026-03-03..2026-03-04"),
    ("2026/03/03", "2026-03-03..2026-03-04"),
    ("03.03.2026", "2026-03-03..2026-03-04"),
    ("3/3", "2026-03-03..2026-03-04 | 2027-03-03..2027-03-04"),
    ("3/4", "2026-04-03..2026-04-04 | 2026-03-04..2026-03-05 | 2027-04-03..2027-04-04 | 2027-03-04..2027-03-05"),
    ("1/2/2026", "2026-02-01..2026-02-02 | 2026-01-02..2026-01-03"),
    ("3 March", "2026-03-03..2026-03-04 | 2027-03-03..2027-03-04"),
    ("March 3rd, 2026", "2026-03-03..2026-03-04"),
    ("3rd of March", "2026-03-03..2026-03-04 | 2027-03-03..2027-03-04"),
    ("3 March 2026", "2026-03-03..2026-03-04"),
    ("12 Jun", "2026-06-12..2026-06-13 | 2025-06-12..2025-06-13"),
    ("Jan 5", "2026-01-05..2026-01-06 | 2027-01-05..2027-01-06"),
    ("the 27th", "2026-06-27..2026-06-28 | 2026-05-27..2026-05-28"),
    ("on the 3rd", "2026-06-03..2026-06-04 | 2026-07-03..2026-07-04"),
    ("next month's 5th", "2026-07-05..2026-07-06"),
    ("the 3rd of next month", "2026-07-03..2026-07-04"),
    ("on tuesday the 16th", "2026-06-16..2026-06-17"),
    ("Thursday, June 18", "2026-06-18..2026-06-19"),
    ("Thursday, 3 March 2026", "2026-03-03..2026-03-04"),
    ("twenty-third of June", "2026-06-23..2026-06-24 | 2025-06-23..2025-06-24"),
    ("between 3 and 5 May", "2026-05-03..2026-05-06 | 2027-05-03..2027-05-06"),
    ("from 3 to 7 March", "2026-03-03..2026-03-08 | 2027-03-03..2027-03-08"),
    ("3-5 March", "2026-03-03..2026-03-06 | 2027-03-03..2027-03-06"),
    ("March 3-5", "2026-03-03..2026-03-06 | 2027-03-03..2027-03-06"),
    ("3 \u2013 5 May 2026", "2026-05-03..2026-05-06"),
    ("from 28 March to 3 April", "2026-03-28..2026-04-04 | 2027-03-28..2027-04-04"),
    ("from March 3 until 7 April 2026", "2026-03-03..2026-04-08"),
    ("between last Monday and today", "2026-06-08..2026-06-12 | 2026-06-01..2026-06-12"),
    # longer
    ("in March", "2026-03-01..2026-04-01 | 2027-03-01..2027-04-01"),
    ("Sept", "2026-09-01..2026-10-01 | 2025-09-01..2025-10-01"),
    ("March 2026", "2026-03-01..2026-04-01"),
    ("2026-03", "2026-03-01..2026-04-01"),
    ("06/2026", "2026-06-01..2026-07-01"),
    ("2025", "2025-01-01..2026-01-01"),
    ("in 2025", "2025-01-01..2026-01-01"),
    ("Q3", "2026-07-01..2026-10-01 | 2025-07-01..2025-10-01"),
    ("Q3 2026", "2026-07-01..2026-10-01"),
    ("2026-Q3", "2026-07-01..2026-10-01"),
    ("third quarter", "2026-07-01..2026-10-01 | 2025-07-01..2025-10-01"),
    ("Q1 of last year", "2025-01-01..2025-04-01"),
    ("H1", "2026-01-01..2026-07-01 | 2027-01-01..2027-07-01"),
    ("H2 2025", "2025-07-01..2026-01-01"),
    ("last March", "2026-03-01..2026-04-01 | 2025-03-01..2025-04-01"),
    ("next March", "2027-03-01..2027-04-01"),
    ("March last year", "2025-03-01..2025-04-01"),
    ("last year in March", "2025-03-01..2025-04-01"),
    ("the month of June 2025", "2025-06-01..2025-07-01"),
    # parts
    ("earlier this month", "2026-06-01..2026-06-12"),
    ("later this week", "2026-06-11..2026-06-15"),
    ("the rest of the week", "2026-06-11..2026-06-15"),
    ("at the end of next month", "2026-07-21..2026-08-01 | 2026-07-31..2026-08-01"),
    ("at the beginning of next month", "2026-07-01..2026-07-11"),
    ("in the middle of next month", "2026-07-11..2026-07-21"),
    ("the start of the year", "2026-01-01..2026-04-01"),
    ("the end of 2025", "2025-10-01..2026-01-01 | 2025-12-31..2026-01-01"),
    ("early next month", "2026-07-01..2026-07-11"),
    ("late last week", "2026-06-05..2026-06-08"),
    ("mid-March", "2026-03-11..2026-03-21 | 2027-03-11..2027-03-21"),
    ("the first half of 2026", "2026-01-01..2026-07-01"),
    ("the first week of March", "2026-03-01..2026-03-08 | 2026-02-23..2026-03-02 | 2027-03-01..2027-03-08"),
    ("the second Tuesday of July", "2026-07-14..2026-07-15 | 2025-07-08..2025-07-09"),
    ("last Friday of the month", "2026-06-26..2026-06-27"),
    ("the last day of next month", "2026-07-31..2026-08-01"),
    ("first three days of next month", "2026-07-01..2026-07-04"),
    ("end-of-month", "2026-06-21..2026-07-01 | 2026-06-30..2026-07-01"),
    # bounds
    ("since March", "2026-03-01.."),
    ("since last week", "2026-06-01.."),
    ("since two days ago", "2026-06-09.."),
    ("before May 3", "..2026-05-03 | ..2027-05-03"),
    ("after 2026-04-01", "2026-04-02.."),
    ("until Friday", "..2026-06-13"),
    ("by Friday", "..2026-06-13"),
    ("by the end of the week", "..2026-06-15"),
    ("until the end of next week", "..2026-06-22"),
    ("from March on", "2026-03-01.."),
    ("no later than next Friday", "..2026-06-20 | ..2026-06-13"),
    # mistyped
    ("lzst week", "2026-06-01..2026-06-08"),
    ("yesterdya", "2026-06-10..2026-06-11"),
    ("Wednsday", "2026-06-10..2026-06-11 | 2026-06-17..2026-06-18"),
    ("last mofth", "2026-05-01..2026-06-01"),
    ("nxt wek", "2026-06-15..2026-06-22"),
    ("tommorow", "2026-06-12..2026-06-13"),
    ("last qaurter", "2026-01-01..2026-04-01"),
    ("befroe May 3", "..2026-05-03 | ..2027-05-03"),
    ("LAST WEEK", "2026-06-01..2026-06-08"),
    ("Last Weeks", "2026-06-01..2026-06-08"),
)

CLOCKS = (
    ("at 15:00", ["15:00-15:01"]),
    ("15:30", ["15:30-15:31"]),
    ("3 pm", ["15:00-15:01"]),
    ("3pm", ["15:00-15:01"]),
    ("3 p.m. works", ["15:00-15:01"]),
    ("9:30am", ["09:30-09:31"]),
    ("12 am", ["00:00-00:01"]),
    ("12 pm", ["12:00-12:01"]),
    ("3.30pm", ["15:30-15:31"]),
    ("noon", ["12:00-12:01"]),
    ("at midnight", ["00:00-00:01"]),
    ("half past three", ["15:30-15:31", "03:30-03:31"]),
    ("half past nine", ["09:30-09:31", "21:30-21:31"]),
    ("quarter to five", ["16:45-16:46", "04:45-04:46"]),
    ("a quarter past ten", ["10:15-10:16", "22:15-22:16"]),
    ("at ten past five", ["17:10-17:11", "05:10-05:11"]),
    ("five o'clock", ["17:00-17:01", "05:00-05:01"]),
    ("10:00-11:00", ["10:00-11:00"]),
    ("from 9 to 11 am", ["09:00-11:00"]),
    ("between 3 and 5 pm", ["15:00-17:00"]),
    ("before noon", ["00:00-12:00"]),
    ("by 3 pm", ["00:00-15:01"]),
    ("by midnight", ["00:00-24:00"]),
    ("after 3 pm", ["15:01-24:00"]),
    ("in the morning", ["05:00-12:00"]),
)

BOTH = (
    ("tomorrow at 3", "2026-06-12", "15:00-15:01"),
    ("tomorrow at 15:00", "2026-06-12", "15:00-15:01"),
    ("at 3 tomorrow", "2026-06-12", "15:00-15:01"),
    ("next Tuesday at 3pm", "2026-06-16", "15:00-15:01"),
    ("Tuesday next week at 15:30", "2026-06-16", "15:30-15:31"),
    ("Tuesday, 3 March 2026 at 10:00-11:00", "2026-03-03", "10:00-11:00"),
    ("between 3 and 5 pm tomorrow", "2026-06-12", "15:00-17:00"),
    ("tomorrow morning", "2026-06-12", "05:00-12:00"),
    ("this afternoon", "2026-06-11", "12:00-18:00"),
    ("this evening", "2026-06-11", "18:00-24:00"),
    ("tonight", "2026-06-11", "18:00-30:00"),
    ("last night", "2026-06-10", "18:00-30:00"),
    ("on Monday morning", "2026-06-08", "05:00-12:00"),
    ("on the morning of 3 March", "2026-03-03", "05:00-12:00"),
    ("2026-03-03 15:00", "2026-03-03", "15:00-15:01"),
)

ORDINARY = (
    "Please march the delegates to the main hall.",
    "You may want to check the data first.",
    "It may be wrong, and it may not.",
    "May I ask you to forward this?",
    "The weak signal was lost.",
    "She sat beside me for the demo.",
    "The sun was out.",
    "Give me a second.",
    "I second that motion.",
    "This is the second ticket of the last sprint.",
    "Move it to the next sprint.",
    "Push the deadline by an hour.",
    "It should run for two days.",
    "Half an hour should do.",
    "The call takes 45 minutes.",
    "Send the quarterly report to the board.",
    "Put it in the weekly digest.",
    "Our daily standup notes are missing.",
    "Assign PROJ-2025 to her.",
    "Upgrade to version 3.11.7 of the library.",
    "Open report-2026-final.pdf and read it.",
    "Ping march.hare@example.com about the invoice.",
    "See https://example.com/2026/03/01/post for more.",
    "The room holds 15 people.",
    "Pay $2026 for it.",
    "Order 66 of the big boxes.",
    "Mark the task as done.",
    "Marsh and Monroe are on the list.",
    "Ask Jan about it.",
    "May Chen sent it.",
    "April Jones owns that file.",
    "Forward it to June Carter.",
    "Keep it on the left, near the door.",
    "The least we can do is to reply.",
    "Post it to the general channel.",
    "The text is next to the list.",
    "Take the coming-of-age movie off the list.",
    "Restore the previous version.",
    "Use the current address.",
    "Delete the last message.",
    "Reply to the first one.",
    "Close the third ticket.",
    "Rename the 2nd draft.",
    "Book a table for two.",
    "He is on the night shift team.",
    "The early bird discount applies.",
    "Add a middle name to the contact.",
    "End the call.",
    "Start the build again.",
    "The rest of the list is fine.",
    "Support is 24/7.",
    "About 1/2 of the users answered.",
    "Check the minutes of the meeting.",
    "Set the priority to high.",
    "My mouth hurts, says the bear.",
    "The moon is near.",
    "Summarise the thread for the team.",
    "Lower the year-over-year target.",
    "That was a last-minute change.",
    "Do a two-week trial.",
    "Fix the day-to-day tasks page.",
    "They are in the same month.",
    "Is it every day?",
    "It was too late.",
)


def times(text: str, now: datetime | None = NOW) -> tuple[TimeExpression, ...]:
    return find_times(text, now)


def only(text: str, now: datetime | None = NOW) -> TimeExpression:
    (found,) = find_times(text, now)
    return found


def shown(clock: tuple[int, int]) -> str:
    return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in clock)


def as_days(interval: Interval) -> str:
    return "..".join("" if bound is None else bound.isoformat() for bound in (interval.begin, interval.end))


@pytest.mark.parametrize(("text", "expected"), DAYS)
def test_days(text: str, expected: str) -> None:
    found = only(text)
    assert " | ".join(map(as_days, found.alternatives)) == expected
    assert found.text == text
    assert found.clocks == ()


@pytest.mark.parametrize(("text", "expected"), DAYS)
def test_letter_case_and_place_change_nothing(text: str, expected: str) -> None:
    inside = f"please send me the one: {text}, thank you"
    assert [" | ".join(map(as_days, each.alternatives)) for each in times(inside)] == [expected]
    capitals = times(f"please SEND IT ({text.upper()}) or so")
    assert [" | ".join(map(as_days, each.alternatives)) for each in capitals] == [expected]


@pytest.mark.parametrize(("text", "expected"), CLOCKS)
def test_clocks(text: str, expected: list[str]) -> None:
    found = only(text)
    assert (found.kind, found.alternatives) == ("clock", ())
    assert list(map(shown, found.clocks)) == expected


@pytest.mark.parametrize(("text", "day", "clock"), BOTH)
def test_days_with_clocks(text: str, day: str, clock: str) -> None:
    found = only(text)
    assert found.interval is not None
    assert (str(found.interval.begin), shown(found.clock or (0, 0))) == (day, clock)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_sentences_tell_no_time(text: str) -> None:
    assert [found.text for found in times(text)] == []


@pytest.mark.parametrize("word", sorted(ORDINARY_WORDS))
def test_english_words_are_not_mended(word: str) -> None:
    assert lookup(word) == Word(word)


@given(st.sampled_from(WEEKDAYS + MONTHS), st.data())
def test_one_edit_never_makes_another_day_or_month(name: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    mistyped = data.draw(
        st.sampled_from(
            (
                name[:place] + name[place + 1 :],
                name[:place] + letter + name[place:],
                name[:place] + letter + name[place + 1 :],
            )
        )
    )
    word = lookup(mistyped)
    if word.role in {"weekday", "month"} and len(name) >= 6:
        assert word.lemma in {name, mistyped.removesuffix("s")}


def test_the_tables_are_as_long_as_they_should_be() -> None:
    assert len(DAYS) + len(CLOCKS) + len(BOTH) >= 150
    assert len(ORDINARY) >= 60


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("2 hours ago", "2026-06-11T12:00:00+02:00", "2026-06-11T13:00:00+02:00"),
        ("in half an hour", "2026-06-11T14:50:00+02:00", "2026-06-11T14:51:00+02:00"),
        ("in the last hour", "2026-06-11T13:20:00+02:00", "2026-06-11T14:20:00+02:00"),
        ("earlier today", "2026-06-11T00:00:00+02:00", "2026-06-11T14:20:00+02:00"),
        ("later today", "2026-06-11T14:20:00+02:00", "2026-06-12T00:00:00+02:00"),
        ("from now on", "2026-06-11T14:20:00+02:00", ""),
        ("by 3 pm tomorrow", "", "2026-06-12T15:01:00+02:00"),
        ("2026-03-03T15:00:00+02:00", "2026-03-03T15:00:00+02:00", "2026-03-03T15:01:00+02:00"),
    ],
)
def test_instants(text: str, begin: str, end: str) -> None:
    found = only(text).interval
    assert found is not None
    assert as_days(found) == f"{begin}..{end}"


def test_the_longest_phrase_wins_and_the_order_is_that_of_the_text() -> None:
    found = times("Move the review from Tuesday last week to the week after next, by Friday at noon.")
    assert [each.text for each in found] == ["Tuesday last week", "the week after next", "by Friday at noon"]


def test_moving_something_from_one_day_to_another_tells_two_times() -> None:
    assert [each.text for each in times("Move the call from Monday to Friday")] == ["Monday", "Friday"]
    assert [each.text for each in times("I am away from Monday to Friday")] == ["from Monday to Friday"]


def test_kinds() -> None:
    kinds = {text: only(text).kind for text in ("last week", "March 2026", "Tuesday", "on Tuesdays", "3 pm")}
    assert list(kinds.values()) == ["relative", "absolute", "partial", "recurring", "clock"]
    assert [only(text).interval.anchored for text in ("last week", "March 2026", "in March")] == [True, False, True]  # type: ignore[union-attr]
    units = ("today", "last week", "in March", "Q3", "2025")
    assert [only(text).interval.granularity for text in units] == ["day", "week", "month", "quarter", "year"]  # type: ignore[union-attr]


def test_what_recurs_holds_of_every_such_date() -> None:
    tuesdays = only("on Tuesdays at 15:00")
    assert tuesdays.holds(datetime(2031, 7, 1, 15, 0))
    assert not tuesdays.holds(datetime(2031, 7, 1, 16, 0))
    assert not tuesdays.holds(datetime(2031, 7, 2, 15, 0))
    assert [each.kind for each in times("on Mondays and Thursdays")] == ["recurring", "recurring"]


def test_without_now() -> None:
    assert only("last week", None).alternatives == ()
    assert not only("last week", None).holds(date(2026, 6, 2))
    assert not only("since last week", None).holds(date(2026, 6, 2))
    assert only("March 2026", None).holds(date(2026, 3, 31))
    assert only("Tuesday", None).holds(date(2026, 6, 9))
    assert only("in March", None).holds(date(1999, 3, 9))
    assert not only("the 27th", None).holds(date(1999, 3, 9))


def test_holds_any_alternative_or_the_one_asked_for() -> None:
    found = only("last Tuesday")
    assert [found.holds(date(2026, 6, day)) for day in (2, 9, 16)] == [True, True, False]
    assert [found.holds(date(2026, 6, 2), rank) for rank in (0, 1)] == [True, False]
    with pytest.raises(IndexError):
        found.holds(date(2026, 6, 2), 2)


def test_instants_are_compared_in_the_zone_of_now() -> None:
    yesterday = only("yesterday")
    assert yesterday.holds(datetime(2026, 6, 9, 22, 30, tzinfo=UTC))
    assert not yesterday.holds(datetime(2026, 6, 10, 22, 30, tzinfo=UTC))
    assert yesterday.holds(datetime(2026, 6, 10, 22, 30))
    assert only("at 15:00").holds(datetime(2026, 6, 9, 13, 0, tzinfo=UTC))


def test_nights_run_into_the_next_morning() -> None:
    night = only("last night")
    assert night.holds(datetime(2026, 6, 10, 23, 0, tzinfo=BERLIN))
    assert night.holds(datetime(2026, 6, 11, 2, 0, tzinfo=BERLIN))
    assert not night.holds(datetime(2026, 6, 10, 2, 0, tzinfo=BERLIN))


def test_days_without_a_time_pass_a_clock_only_beside_a_day() -> None:
    assert only("tomorrow at 3 pm").holds(date(2026, 6, 12))
    assert not only("at 3 pm").holds(date(2026, 6, 12))
    assert only("at 3 pm").holds(Moment(time(15, 0)))


def test_equal_instants_in_different_zones_are_different_days() -> None:
    late = datetime(2026, 6, 11, 23, 30, tzinfo=UTC)
    assert as_days(only("today", late).alternatives[0]) == "2026-06-11..2026-06-12"
    assert as_days(only("today", late.astimezone(BERLIN)).alternatives[0]) == "2026-06-12..2026-06-13"


def test_durations_are_no_times() -> None:
    assert [
        (each.text, each.count, each.unit) for each in find_durations("by an hour, for two days, half an hour")
    ] == [
        ("an hour", 1, "hour"),
        ("two days", 2, "day"),
        ("half an hour", 30, "minute"),
    ]
    assert find_durations("two days ago and in three weeks") == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-03", date(2026, 3, 3)),
        ("2026/03/03", date(2026, 3, 3)),
        ("2026/3/3", date(2026, 3, 3)),
        ("03.03.2026", date(2026, 3, 3)),
        ("3 Mar 2026", date(2026, 3, 3)),
        ("Tue, 3 March 2026", date(2026, 3, 3)),
        ("March 3rd, 2026", date(2026, 3, 3)),
        ("2026-03-03T15:00:00", datetime(2026, 3, 3, 15)),
        ("2026-03-03 15:00", datetime(2026, 3, 3, 15)),
        ("2026-03-03T15:00Z", datetime(2026, 3, 3, 15, tzinfo=UTC)),
        ("2026-03-03T15:00:00.250+01:00", datetime(2026, 3, 3, 15, tzinfo=timezone(timedelta(hours=1)))),
        ("3 Mar 2026, 3:00 pm", datetime(2026, 3, 3, 15)),
        ("Tue, 03 Mar 2026 15:00:00 +0100", datetime(2026, 3, 3, 15, tzinfo=timezone(timedelta(hours=1)))),
        ("15:30", time(15, 30)),
        (1772550000, datetime(2026, 3, 3, 15, tzinfo=UTC)),
    ],
)
def test_moments(value: str | int, expected: date | datetime | time) -> None:
    assert parse_moment(value) == Moment(expected)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        2026,
        12345,
        99_999_999_999,
        1772550000.0,
        "",
        "soon",
        "3/4/2026",
        "2026-02-30",
        "25:00",
        "v1.2.2026",
        [1],
        {"a": 1},
    ],
)
def test_what_is_no_moment(value: object) -> None:
    assert parse_moment(value) is None  # type: ignore[arg-type]


@given(st.text(max_size=120), st.datetimes(min_value=datetime(1, 1, 1)) | st.none())
@settings(deadline=None)
def test_any_text_is_read(text: str, now: datetime | None) -> None:
    check_spans(text, times(text, now))
    find_durations(text)
    parse_moment(text)


EXTRA = (
    "2026-03-03T15:00:00+02:00 2026-03-03T15:00 15:30 3pm noon midnight hours tonight half past , . the 9999 31 of to"
)
WORDS = sorted({*EXTRA.split(), "\u2013", *(word for text, *_ in DAYS + BOTH for word in text.split())})


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.datetimes() | st.just(NOW), st.dates())
@settings(deadline=None)
def test_any_words_of_time_are_read(words: list[str], now: datetime, day: date) -> None:
    text = " ".join(words)
    found = times(text, now)
    check_spans(text, found)
    for each in found:
        each.holds(day)
        each.holds(datetime.combine(day, time(12), tzinfo=UTC))
        assert all(not interval.empty for interval in each.alternatives)


def check_spans(text: str, found: tuple[TimeExpression, ...]) -> None:
    end = 0
    for each in found:
        assert end <= each.span[0] < each.span[1] <= len(text)
        assert text[each.span[0] : each.span[1]] == each.text
        end = each.span[1]


YEARS = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1))


@given(YEARS)
@settings(deadline=None)
def test_day_conventions(now: datetime) -> None:
    today = now.date()
    for text, offset in (
        ("yesterday", -1),
        ("today", 0),
        ("tomorrow", 1),
        ("the day after tomorrow", 2),
        ("5 days ago", -5),
    ):
        day = today + timedelta(days=offset)
        assert only(text, now).alternatives == (Interval(day, day + timedelta(days=1), "day", True),)
    monday = today - timedelta(days=today.weekday())
    for text, offset in (("last week", -1), ("this week", 0), ("next week", 1), ("the week before last", -2)):
        begin = monday + timedelta(weeks=offset)
        assert only(text, now).alternatives == (Interval(begin, begin + timedelta(days=7), "week", True),)
    tuesday = only("Tuesday of next week", now).alternatives
    assert [each.begin for each in tuesday] == [monday + timedelta(days=8)]


@given(YEARS)
@settings(deadline=None)
def test_calendar_units_meet(now: datetime) -> None:
    for unit in ("week", "month", "quarter", "year"):
        before, last, this, coming = (
            only(text, now).alternatives[0]
            for text in (f"the {unit} before last", f"last {unit}", f"this {unit}", f"next {unit}")
        )
        assert (before.end, last.end, this.end) == (last.begin, this.begin, coming.begin)
        assert this.holds(now)
