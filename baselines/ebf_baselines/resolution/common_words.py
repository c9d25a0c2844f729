"""Everyday English words: what is spelled like one of them is meant as one, not as a mistyped name."""

from __future__ import annotations

from functools import cache
from typing import Final

from faker.providers.lorem.en_US import Provider

from ebf_baselines.resolution.lexicon import (
    COMPOUND_HEADS,
    GROUPS,
    LEXICON_WORDS,
    STOPWORDS,
    VENUES,
    concepts_of_word,
    types_of_noun,
    word_set,
)

_OFFICE: Final = word_set(
    """address addresses agenda agree agreed agreement amount amounts answer answers apply approve archive ask asks
    attach aware away back badly basis begin behalf best better bit board boards book booked booking bottom brief
    bring budget busy button buy cancel card careful carry catch cause chain chance change chart chat check checks
    cheers choice choose circle clean clear clerk client clients close coffee colleague column comes comment
    comments committee complete concern confirm connect contact contents context contract contracts contributor
    control copies copy corner correct cost costs count counts couple course cover covers create credit crew current
    cut cuts daily damage dance date dates dear decide decision deep delay delete deliver delivery demand desk
    detail details diary different dinner discuss discussion dispatch display door double doubt draft drafts drive
    drop dropped due earlier early edit edits effort email emails employee enough ensure enter entire entries entry
    errors estimate exact exactly expect expected express extra fact facts fail fair fault favor favour feature
    feedback feel figure figures fill final finally find fine finish first fit fix fixed flag folk folks follow form
    forward forwarded found free fresh friend full further gather general gentle get give glad gone grant grateful
    great grid ground group groups guest guests guide half halt hand handy happen happy harsh hate head heading hear
    heard heart hello help helpful hence here hey hint hit hold holds home hope hoped hoping hour hours however huge
    hurry idea image important include incoming index indicate indeed inform inquiry inside instead intend internal
    interest introduction invite involve inquire item items job jobs jot join jump just keen keep kept key kind
    kindly know known label lack large last late later latest launch lead leader leaders league learn least leave
    left legal length less let letter level light like likely limit line lines link list lists little live local log
    long look looked looking looks lose lost lot loud love low luck lunch mail mails main major make manage managed
    management manager managers manner mark marked market match matter matters maybe mean means meant meet meeting
    member memo mention mentioned mentioning merge message messages middle mind minute minutes miss missing mode
    model moment money month months morning most move moved much must name named namely near neat need needed needs
    never new newly news next nice night nobody none nor normal note notes nothing notice now number numbers object
    obliged occur off offer office often okay once one only onto open opened opening option order orders other ought
    outside over overall owe owed own page pages paid paper papers paragraph paragraphs part parts party pass past
    pay pending people percent perhaps permission permissions person phone phrase pick piece place plain plan plans
    please pleased plenty point points policy poor popular post posted power prefer prepare present press pretty
    previous price print private problem proceed process produce profile progress promise prompt proper provide
    public publish pull push put question questions quick quickly quiet quite raise raised range rate rather reach
    read reader reading reads ready real really reason recall receive recent recently record records refer reflect
    regard regards regular relate relay relevant relocate remain remark remarks remember remind remove rename renew
    repeat reply report reports request require rescue research reserve resolve respond response rest result results
    return reveal review revise right rights rise role room rough round route row run runs safe said sake sales same
    save saved say says schedule scheduled scrap screen search seat seating second section see seem seems seen
    select send sense sent separate serious serve service set settled several severe shape share shared sharing
    sheet shift short should show shown shows sick side sign signed signing silly simple simply since single site
    sits size sketch skip slot small smart soft some soon sort sorted sound source space speak spot staff stage
    stand standing start state stated states stay still stock stop store stored story straight strange strike strong
    stuff style subject submit such sudden suggest suit sum support suppose sure survey swap swift switch system
    table tables take taken takes talk tally team teams tell term terms test text thank thanks that their then there
    thing things think thinking third though thought thread through thus tick ticked ticket time times title today
    together tomorrow too took tool top topic total touch toward track trash travel treat trouble true trust try
    turn twice type under undo union unit unless unsent until update updated upon urgent use used useful user usual
    value various version very view viewers viewing visible visit voice wait walk want wanted wants warm watch way
    ways weak week weeks welcome well went what when where whether which while white whole whom whose why wide will
    wipe wish with within without wonder word wording words work worked works world worry worth would write writes
    wrong wrote year years yes yesterday yet zone appreciate chain cheer churned inbox january february march april
    june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    spring summer autumn winter today yesterday fortnight weekend access accesses higher lower longer shorter later
    bigger smaller notify provisional relocation resting hosting lasting posting listing casting nesting booking
    reader reschedule postpone escalate cancel forward mailing composing composed sketching unsent mailed mailbox
    tracker pipeline"""
)


_LOREM: Final = frozenset(Provider.word_list)

_LISTED: Final = _OFFICE | _LOREM | STOPWORDS | VENUES | COMPOUND_HEADS | GROUPS


@cache
def is_common(word: str) -> bool:
    """Whether a word is an everyday English one."""
    return word in _LISTED or bool(concepts_of_word(word)) or bool(types_of_noun(word))


KNOWN_WORDS: Final = frozenset(_LISTED | LEXICON_WORDS)
"""Words that a mistyped one may have been meant as."""
