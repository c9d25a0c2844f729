"""Drawing the pools of names and words a suite is made from.

``python -m ebf_generators.pools.draw`` prints fresh pools as JSON; the ones that ship were drawn by the command they
hold. Names come from Faker, for any of its locales; words are this project's own. Every entry goes to one split, and no
word of an entry stands in an entry of another split, so that nothing learned on ``train`` names helps on ``test``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from ebf_env.errors import ConfigurationError
from ebf_generators.pools import words as own
from ebf_generators.pools.pools import SPLITS, Split

DEFAULT_LOCALES = (
    "en_US", "en_GB", "en_IN", "de_DE", "fr_FR", "es_ES", "pt_BR", "it_IT", "pl_PL", "cs_CZ", "sv_SE", "da_DK", "no_NO",
    "tr_TR", "hu_HU", "ro_RO", "nl_NL", "fi_FI", "hr_HR", "id_ID", "ja_JP",
)  # fmt: skip
SHARES: dict[Split, float] = {"train": 0.5, "val": 0.25, "test": 0.25}
"""What share of the entries goes to each split."""

ROMANIZED = {"ja_JP"}
"""Locales whose names are drawn in Latin letters."""

WORD_POOLS = (
    "BRAND_BEGINNINGS", "CODENAMES", "SUBJECTS", "DOCUMENT_KINDS", "EVENT_KINDS", "TICKET_KINDS", "THREAD_KINDS",
    "FOLDER_KINDS",
)  # fmt: skip
"""Word lists that are cut into splits; the others (teams, roles, cities, ...) are common vocabulary."""


def draw(locales: Sequence[str] = DEFAULT_LOCALES, *, seed: int = 0, names_per_locale: int = 160) -> dict[str, object]:
    """Draw pools.

    Args:
        locales: Faker locales to draw people's names from.
        seed: the same seed, locales and Faker version give the same pools.
        names_per_locale: most given names, and most family names, to draw from each.

    Returns:
        A JSON object: where the pools come from, and for each split its lists.

    Raises:
        ConfigurationError: Faker does not know a locale, or a pool would be too small.
    """
    import faker

    given: list[str] = []
    family: list[str] = []
    for locale in dict.fromkeys(locales):
        try:
            source = faker.Faker(locale)
        except AttributeError as error:
            raise ConfigurationError(f"Faker has no locale {locale!r}") from error
        source.seed_instance(seed)
        romanized = locale in ROMANIZED
        first = source.first_romanized_name if romanized else source.first_name
        last = source.last_romanized_name if romanized else source.last_name
        given += _distinct(first() for _ in range(6 * names_per_locale))[:names_per_locale]
        family += _distinct(last() for _ in range(6 * names_per_locale))[:names_per_locale]
    given += [name for name in own.NICKNAMES if name not in given]
    shares: dict[Split, dict[str, list[str]]] = {split: {} for split in SPLITS}
    taken: dict[str, Split] = {}
    for name, entries in (
        *((pool, getattr(own, pool)) for pool in sorted(WORD_POOLS, key=lambda pool: len(getattr(own, pool)))),
        ("GIVEN_NAMES", [n for n in given if _usable(n)]),
        ("FAMILY_NAMES", [n for n in family if _usable(n)]),
    ):
        for split, entry in _assign(name, entries, seed, taken):
            shares[split].setdefault(name, []).append(entry)
    for split in SPLITS:
        for name in (*WORD_POOLS, "GIVEN_NAMES", "FAMILY_NAMES"):
            entries = shares[split].get(name, [])
            if len(entries) < 4:
                raise ConfigurationError(
                    f"only {len(entries)} entries of {name.lower()} for {split!r}; name more locales"
                )
    options = f"--seed {seed} --names {names_per_locale} --locales {','.join(locales)}"
    return {
        "faker": faker.VERSION,
        "command": f"python -m ebf_generators.pools.draw {options}",
        "splits": shares,
    }


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _usable(name: str) -> bool:
    """Latin letters with at most a blank, hyphen or apostrophe, as people's mailboxes and titles have them."""
    return 2 < len(name) < 20 and all("LATIN" in unicodedata.name(c, "") or c in " -'" for c in name)


def folded(text: str) -> frozenset[str]:
    """The words of a text without case and diacritics."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return frozenset(plain.casefold().replace("-", " ").replace("'", " ").split())


def _assign(pool: str, entries: Iterable[str], seed: int, taken: dict[str, Split]) -> Iterator[tuple[Split, str]]:
    """Every entry with its split; ``taken`` says which split has a word already, and learns the new ones.

    Entries are shuffled by a hash and dealt to the split that lacks most. An entry whose words are taken goes where
    they are; one whose words are in different splits is left out.
    """
    dealt: dict[Split, int] = dict.fromkeys(SPLITS, 0)
    for entry in sorted(_distinct(entries), key=lambda e: hashlib.sha256(f"{seed}/{pool}/{e}".encode()).digest()):
        words = folded(entry)
        homes = {taken[word] for word in words if word in taken}
        if len(homes) > 1:
            continue
        split = homes.pop() if homes else min(SPLITS, key=lambda name: (dealt[name] + 1) / SHARES[name])
        dealt[split] += 1
        taken.update(dict.fromkeys(words, split))
        yield split, entry


def main() -> None:
    """Print pools."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--names", type=int, default=160)
    parser.add_argument("--locales", default=",".join(DEFAULT_LOCALES))
    options = parser.parse_args()
    pools = draw(options.locales.split(","), seed=options.seed, names_per_locale=options.names)
    json.dump(pools, sys.stdout, ensure_ascii=True, indent=0, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
