"""Learn the weights that ``ebf_baselines.causal.classifier`` reads, from requests of several sources.

    ebf generate train.jsonl -n 12000 --split train --seed 101 --noise medium --no-families
    ebf generate payments.jsonl -n 5000 --split train --seed 103 --noise medium --no-families --domain payments
    python training/goals/train.py --suites train.jsonl payments.jsonl

The same suites and seed give the same weights. ``--leave requests-2`` leaves a source out and then says what was made
of its requests: each between its own tool, five of the same domain and three of others.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from wordings import (
    HERE,
    NOUNS,
    Records,
    Request,
    expand,
    of_frames,
    of_requests,
    read_frames,
    read_requests,
    read_suite,
    with_slots,
)

from ebf_baselines.causal import SURE, classifier, tool_posterior_of
from ebf_baselines.causal.features import features, tokens
from ebf_baselines.causal.lexicon import DEEDS, GOALS
from ebf_baselines.causal.lexicon import NOUNS as LEXICON_NOUNS
from ebf_baselines.causal.words import sentence_parts
from ebf_env.world import TOOLS

L2: Final = 0.3
"""Of the weights, divided by the number of requests."""
RARE: Final = 5
"""Requests a feature must be in."""
LARGEST: Final = 150_000
"""Features that are kept."""
AS_WRITTEN: Final = 2.5
"""What a request written by hand weighs, of those made of frames."""
DRESSED: Final = 0.8
"""What each of the five made of one with other records weighs."""
FORGETFUL: Final = 0.8
"""The share of these in which some words are as good as unknown, so that no word is relied on alone."""
FORGOTTEN: Final = 0.15
"""The share of their words that are."""
TRUSTED: Final = 0.995
"""The share that has to be right among the surest."""


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of texts as they are learned."""
    return {word for text in texts for sentence in sentence_parts(text) for word in tokens(sentence)}


def lexicon_words() -> set[str]:
    """The words of the lexicon and of the nouns."""
    listed = [said for table in (DEEDS, GOALS, LEXICON_NOUNS, NOUNS) for said in table.values()]
    return words_of(re.sub(r"[|*~,]", " ", said) for said in listed)


def matrix(found: Sequence[set[str]], index: dict[str, int]) -> sparse.csr_matrix:
    """One row for each request."""
    rows, columns, values = [], [], []
    for row, present in enumerate(found):
        for feature in sorted(present):
            column = index.get(feature)
            if column is not None:
                rows.append(row)
                columns.append(column)
                values.append(classifier.scale_of(feature))
    shape = (len(found), len(index))
    return sparse.csr_matrix((np.array(values, np.float32), (rows, columns)), shape=shape)


def fitted(
    words: sparse.csr_matrix, lexicon: np.ndarray, right: np.ndarray, weights: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multinomial logistic regression with a part for the deed and a part for the type.

    Args:
        words: requests x features.
        lexicon: requests x 3 x goals.
        right: the goal of each request.
        weights: of the requests.
        steps: at most so many of L-BFGS.

    Returns:
        Weights (features x parts), the bias of each goal, and the weights of the lexicon's three figures.
    """
    parts = classifier.PARTS
    count, width = words.shape
    goals = parts.shape[1]
    aimed = np.zeros((count, goals), np.float32)
    aimed[np.arange(count), right] = 1
    share = (weights / weights.sum()).astype(np.float32)
    back = words.T.tocsr()
    cuts = np.cumsum([width * len(parts), goals])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        table, bias, trust = np.split(flat.astype(np.float32), cuts)
        table = table.reshape(width, len(parts))
        logits = (words @ table) @ parts + bias + np.einsum("nkg,k->ng", lexicon, trust)
        logits -= logits.max(1, keepdims=True)
        chances = np.exp(logits)
        totals = chances.sum(1, keepdims=True)
        off = (chances / totals - aimed) * share[:, None]
        fit = -(share * ((aimed * logits).sum(1) - np.log(totals[:, 0]))).sum()
        penalty = L2 / count
        slope = back @ (off @ parts.T) + penalty * table
        lean = np.concatenate([slope.ravel(), off.sum(0), np.einsum("nkg,ng->k", lexicon, off) + 1e-3 * trust])
        total = fit + 0.5 * penalty * float((table**2).sum()) + 0.5e-3 * float((trust**2).sum())
        return float(total), lean.astype(np.float64)

    start = np.zeros(cuts[-1] + lexicon.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": 8})
    table, bias, trust = np.split(found.x.astype(np.float32), cuts)
    say(f"loss {found.fun:.4f} after {found.nit} steps; weights of the lexicon {trust.round(3)}")
    return table.reshape(width, len(parts)), bias, trust


def judge(name: str, wordings: Sequence[tuple[str, str]], weights: Path) -> None:
    """Say what is made of requests that were left out, each between nine tools."""
    learned = classifier.learned(weights)
    classifier.learned = cache(lambda: learned)
    classifier.judged.cache_clear()
    rng = np.random.default_rng(0)
    offered = [tool for tool in sorted(TOOLS) if not TOOLS[tool].is_search]
    surest, right = [], []
    for tool, said in wordings:
        near = [one for one in offered if TOOLS[one].domain == TOOLS[tool].domain and one != tool]
        far = [one for one in offered if TOOLS[one].domain != TOOLS[tool].domain]
        menu = [tool, *rng.permutation(near)[:5].tolist(), *rng.permutation(far)[:3].tolist()]
        chances = tool_posterior_of(with_slots(tool, said, keep=True), (), [TOOLS[one] for one in menu])
        best = max(chances, key=lambda one: chances[one])
        surest.append(chances[best])
        right.append(best == tool)
    sure, correct = np.array(surest), np.array(right)
    order = np.argsort(-sure, kind="stable")
    accuracy = np.cumsum(correct[order]) / np.arange(1, len(order) + 1)
    covered = int(np.max(np.flatnonzero(accuracy >= TRUSTED), initial=-1)) + 1
    bins = np.minimum((sure * 10).astype(int), 9)
    error = sum(abs(correct[bins == b].mean() - sure[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins))
    at_least = sure >= SURE
    say(
        f"{name}: {correct.mean():.2%} right, {covered / len(order):.1%} at {TRUSTED:.1%}"
        f" (from {sure[order[max(covered - 1, 0)]]:.4f}), {at_least.mean():.1%} sure of which"
        f" {correct[at_least].mean():.2%} right, calibration error {error:.3f}"
    )


def seen_by(request: Request, vocabulary: frozenset[str], rng: np.random.Generator) -> set[str]:
    """The features of a request; of most that were made of requests written by hand, with some words forgotten."""
    if not request.source.startswith("requests") or rng.random() >= FORGETFUL:
        return features(request.text, request.before, vocabulary)
    said = sorted(words_of((request.text, *request.before)) & vocabulary)
    forgotten = {word for word in said if rng.random() < FORGOTTEN}
    return features(request.text, request.before, vocabulary - forgotten)


def main() -> None:
    """Learn and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", type=Path, required=True, help="generated, of the train split")
    parser.add_argument("--out", type=Path, default=classifier.WEIGHTS)
    parser.add_argument("--frames", type=int, default=24_000, help="requests made of frames")
    parser.add_argument("--each", type=int, default=4_000, help="tasks of each suite")
    parser.add_argument("--steps", type=int, default=70)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--leave", nargs="*", default=(), help="requests-1, ..., frames, suites")
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    suites = [read_suite(path) for path in chosen.suites]
    seen: dict[str, list[str]] = {}
    for _, mentions, _ in suites:
        for kind, texts in mentions.items():
            seen.setdefault(kind, []).extend(texts)
    records, frames = Records(seen), read_frames()
    by_hand = {path.stem: read_requests(path) for path in sorted(HERE.glob("requests-*.tsv"))}
    requests: list[Request] = []
    weights: list[float] = []
    plain: list[str] = []

    def take(more: Iterable[Request], weight: float) -> None:
        before = len(requests)
        requests.extend(more)
        weights.extend([weight] * (len(requests) - before))

    if "frames" not in chosen.leave:
        take(of_frames(frames, records, chosen.frames, rng), 1.0)
    every = [said for by_tool in (frames.verbs, frames.wholes) for listed in by_tool.values() for said in listed]
    plain.extend(re.sub(r"\{\w+\}", " ", expand(said, frames.lists, rng)) for said in every for _ in range(20))
    for name, written in by_hand.items():
        if name not in chosen.leave:
            plain.extend(re.sub(r"\[[^\]]*\]", " ", said) for _, said in written)
            take((Request(tool, with_slots(tool, said, keep=True)) for tool, said in written), AS_WRITTEN)
            take(of_requests(written, records, 5 * len(written), rng, name), DRESSED)
    for tasks, _, wordings in suites:
        if "suites" not in chosen.leave:
            plain.extend(wordings)
            take(tasks[:: max(1, len(tasks) // chosen.each)], 0.8)
    vocabulary = frozenset(words_of(plain) | lexicon_words())
    say(f"{len(requests):,} requests, {len(vocabulary):,} words")
    found = [seen_by(request, vocabulary, rng) for request in requests]
    counts = Counter(feature for present in found for feature in present)
    index = {name: at for at, name in enumerate(sorted(name for name, count in counts.items() if count >= RARE))}
    lexicon = np.stack([classifier.of_lexicon(request.text, request.before) for request in requests])
    right = np.array([classifier.GOALS.index(classifier.goal_of_tool(request.tool)) for request in requests])
    say(f"{len(index):,} features")
    table, bias, trust = fitted(matrix(found, index), lexicon, right, np.array(weights), chosen.steps)
    scales = np.array([classifier.scale_of(name) for name in index], np.float32)
    classifier.write(chosen.out, vocabulary, list(index), table * scales[:, None], bias, trust, LARGEST)
    say(f"{chosen.out}: {chosen.out.stat().st_size:,} bytes")
    for name in sorted(by_hand.keys() & set(chosen.leave)):
        judge(name, by_hand[name], chosen.out)


if __name__ == "__main__":
    main()
