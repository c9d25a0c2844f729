"""Criterion 0: every label and condition is proven anew, and every certificate says what the proof says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON
from ebf_env.tasks import Task
from ebf_env.tasks.proof import MentionProof, Proof, prove
from ebf_generators.audit.report import Finding, Verdict, listed, not_applicable, verdict_of
from ebf_generators.audit.sight import Sight

_KEPT = 20
_PROOFS = "labels and conditions proven anew"
_CERTIFICATES = "certificates agree with the proofs"


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """What proving one task gave.

    Attributes:
        faults: what contradicts label, bindings or condition.
        unproven: whether some slot has no form, so that the label is not proven.
        certified: whether a certificate speaks of mentions.
        differences: what the certificate says otherwise than the proof.
    """

    faults: tuple[str, ...]
    unproven: bool
    certified: bool
    differences: tuple[str, ...]


def check_proof(sight: Sight) -> tuple[ProofCheck, tuple[MentionProof | None, ...]]:
    """Prove a task anew, and hold its certificate against the proof.

    Returns:
        What that gave, and for every mention its proof, None where it has no form.
    """
    task = sight.task
    try:
        proof = prove(task, sight.text if sight.whole else None)
    except (WorldError, ValueError) as error:
        proof = Proof((), (f"the proof cannot be computed: {error}",), ())
    by_mention = {id(mention.mention): mention for mention in proof.mentions}
    mentions = tuple(by_mention.get(id(mention)) for mention in task.mentions)
    stated = (task.certificate or {}).get("mentions")
    certified = isinstance(stated, list | tuple)
    differences = tuple(_differences(task, mentions, stated)) if isinstance(stated, list | tuple) else ()
    return ProofCheck(proof.faults, bool(proof.unproven), certified, differences), mentions


def _differences(
    task: Task, mentions: tuple[MentionProof | None, ...], stated: list[JSON] | tuple[JSON, ...]
) -> Iterator[str]:
    if len(stated) != len(task.mentions):
        yield f"the certificate has {len(stated)} mentions, the task {len(task.mentions)}"
        return
    for number, (mention, proof, said) in enumerate(zip(task.mentions, mentions, stated, strict=True)):
        where = f"certificate.mentions.{number}"
        if not isinstance(said, Mapping):
            yield f"{where}: expected an object"
            continue
        proven: dict[str, JSON] = {"slot": mention.slot}
        if proof is not None:
            proven |= {"surface": sorted(proof.surface), "denotes": sorted(proof.denoted)}
        for key, value in proven.items():
            if key in said and said[key] != value:
                yield f"{where}.{key}: it says {said[key]!r}, the proof {value!r}"


class ProofLedger:
    """Counts proofs and keeps the first faults."""

    def __init__(self) -> None:
        self._proven = self._unproven = self._certified = 0
        self._faulty = self._different = 0
        self._faults: list[str] = []
        self._differences: list[str] = []

    def add(self, task_id: str, check: ProofCheck) -> None:
        """Add what one task gave."""
        self._unproven += check.unproven and not check.faults
        self._proven += not check.unproven or bool(check.faults)
        self._certified += check.certified
        self._faulty += bool(check.faults)
        self._different += bool(check.differences)
        for kept, found in ((self._faults, check.faults), (self._differences, check.differences)):
            kept.extend(f"{task_id}: {fault}" for fault in found[: _KEPT - len(kept)])

    @property
    def proven(self) -> int:
        """How many labels were proven."""
        return self._proven - self._faulty

    def findings(self) -> list[Finding]:
        """The criteria ``proofs`` and ``certificates``."""
        return [self._of_proofs(), self._of_certificates()]

    def _of_proofs(self) -> Finding:
        open_ones = [f"not proven: {self._unproven:,} tasks, some slot of which has no form"] if self._unproven else []
        if not self._proven:
            return not_applicable("proofs", _PROOFS, "0 tasks with faults", listed(open_ones))
        return Finding(
            "proofs",
            _PROOFS,
            f"{self._faulty:,} with faults",
            "0 tasks with faults",
            self._proven,
            verdict_of(not self._faulty),
            "; ".join([listed(self._faults)] * bool(self._faults) + open_ones),
            {"faulty": self._faulty, "proven": self._proven, "unproven": self._unproven, "faults": list(self._faults)},
        )

    def _of_certificates(self) -> Finding:
        limit = "0 tasks that differ"
        if not self._certified:
            return not_applicable("certificates", _CERTIFICATES, limit, "no task has a certificate of its mentions")
        return Finding(
            "certificates",
            _CERTIFICATES,
            f"{self._different:,} differ",
            limit,
            self._certified,
            Verdict.FAIL if self._different else Verdict.OK,
            listed(self._differences),
            {"different": self._different, "differences": list(self._differences)},
        )
