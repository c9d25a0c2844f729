"""The file that carries certified thresholds, with all that is needed to check them and whom they belong to.

Errors of this module::

    EbfError
     +-- FileError
     |    +-- CertificateError       a certificate that cannot be used
     +-- ConfigurationError
          +-- ScorerMismatchError    a certificate of another scorer
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, ValidationInfo, field_validator
from pydantic import model_validator as check_whole

from ebf_baselines.calibration.binomial import is_certified
from ebf_baselines.calibration.grid import Grid, Unit
from ebf_env.errors import ConfigurationError, FileError
from ebf_env.json_types import JSON
from ebf_env.tasks.destination import written_whole
from ebf_env.tasks.lines import first_fault, loads
from ebf_env.version import __version__
from ebf_env.world import RiskLevel

FORMAT: Final = "ebf-gate-certificate"
FORMAT_VERSION: Final = 1
CREATED_BY: Final = f"ebf-env {__version__}"

Key: TypeAlias = Literal["all", "low", "medium", "high", "critical"]
Level = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
Name = Annotated[str, Field(min_length=1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

_ROUNDING: Final = 1e-9


class CertificateError(FileError):
    """A certificate file that cannot be read, misses something, or contradicts itself."""


class ScorerMismatchError(ConfigurationError):
    """A certificate that was made for another scorer than the one it is to be used with."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScorerId(_Part):
    """The scorer whose scores are calibrated.

    Attributes:
        name: what it is called.
        sha256: hash of all that decides its scores (weights, code or settings); 64 hexadecimal digits.
    """

    name: Name
    sha256: Sha256


class SuiteId(_Part):
    """The suite that was calibrated on: the distribution that is spoken of.

    Attributes:
        sha256: hash of its task lines; 64 hexadecimal digits.
        generator: settings it was drawn with, enough to draw fresh tasks of the same distribution.
    """

    sha256: Sha256
    generator: dict[str, JsonValue] = {}


class SplitSizes(_Part):
    """How many families each split had.

    Attributes:
        tune: that the path was made of.
        calibrate: that walked it.
    """

    tune: Count
    calibrate: Count


class CertifiedThresholds(_Part):
    """Thresholds of one gate, and the test they passed.

    Attributes:
        tau: least score that is acted on; None never acts.
        delta: least margin that is acted on; None never acts.
        alpha: greatest wrong rate, of all episodes the gate decides.
        beta: greatest probability of a greater one.
        n: calibration families.
        k: errors among them.
        completion_tune: share of resolvable tasks completed on the tune split, None without any.
        completion_calibrate: the same on the calibration split.
        remark: why it never acts; None where it does.
    """

    tau: Unit | None
    delta: Unit | None
    alpha: Level
    beta: Level
    n: Count
    k: Count
    completion_tune: Unit | None
    completion_calibrate: Unit | None
    remark: str | None = None

    @field_validator("k")
    @classmethod
    def _at_most_all(cls, k: int, info: ValidationInfo) -> int:
        if k > (n := info.data.get("n", k)):
            raise ValueError(f"expected at most n = {n} errors, got {k}")
        return k

    @check_whole(mode="after")
    def _passed(self) -> Self:
        if (self.tau is None) != (self.delta is None):
            raise ValueError("expected both tau and delta, or neither")
        if self.tau is None and not self.remark:
            raise ValueError("expected a remark that says why the gate never acts")
        if self.tau is not None and not is_certified(self.k, self.n, self.alpha, self.beta):
            raise ValueError(f"{self.k} errors in {self.n} do not certify alpha {self.alpha:g} at beta {self.beta:g}")
        return self

    def acts(self, score: float, margin: float) -> bool:
        """Whether a task of this least score and margin is acted on; compares exactly, as the calibration did."""
        return self.tau is not None and self.delta is not None and score >= self.tau and margin >= self.delta


class GateCertificate(_Part):
    """Certified thresholds of a gate, for all tasks or for each risk level.

    With probability 1 - beta or more over the calibration split, the gate is wrong on at most alpha of all fresh
    episodes of the distribution that the suite was drawn from, one a family.

    Attributes:
        alpha: greatest wrong rate overall.
        beta: greatest probability of a greater one.
        thresholds: by ``all``, or by each of the four risk levels; their betas add up to beta at most, their alphas are
            alpha at most.
        scorer: whose scores they are for.
        suite: what they were calibrated on.
        splits: how many families.
        grid: the thresholds that were considered.
        created_by: program and version.
    """

    format: Literal["ebf-gate-certificate"] = FORMAT
    format_version: Literal[1] = FORMAT_VERSION
    created_by: Name = CREATED_BY
    alpha: Level
    beta: Level
    scorer: ScorerId
    suite: SuiteId
    splits: SplitSizes
    thresholds: dict[Key, CertifiedThresholds]
    grid: Grid

    @check_whole(mode="after")
    def _consistent(self) -> Self:
        gates = self.thresholds
        if set(gates) not in ({"all"}, set(RiskLevel)):
            raise ValueError(f"thresholds: expected 'all', or each risk level, got {', '.join(gates) or 'none'}")
        if sum(gate.n for gate in gates.values()) != self.splits.calibrate:
            raise ValueError(f"thresholds: their n do not add up to the {self.splits.calibrate} calibration families")
        if any(gate.alpha > self.alpha * (1 + _ROUNDING) for gate in gates.values()):
            raise ValueError(f"thresholds: one has an alpha above the {self.alpha:g} of the whole")
        if sum(gate.beta for gate in gates.values()) > self.beta * (1 + _ROUNDING):
            raise ValueError(f"thresholds: their betas add up to more than the {self.beta:g} of the whole")
        for name, gate in gates.items():
            if gate.tau is not None and not (gate.tau in self.grid.taus and gate.delta in self.grid.deltas):
                raise ValueError(f"thresholds.{name}: tau {gate.tau} and delta {gate.delta} are not on the grid")
        return self

    def thresholds_for(self, risk: RiskLevel) -> CertifiedThresholds:
        """The thresholds for tasks of a risk level."""
        key: Key = "all" if "all" in self.thresholds else risk.value
        return self.thresholds[key]

    def acts(self, score: float, margin: float, risk: RiskLevel) -> bool:
        """Whether the gate acts on a task.

        Args:
            score: least s1 over the mentions it requires.
            margin: least s1 - s2 over them.
            risk: of the task, as the episodes calibrated on had it.
        """
        return self.thresholds_for(risk).acts(score, margin)

    @property
    def never_acts(self) -> bool:
        """Whether nothing at all was certified."""
        return all(gate.tau is None for gate in self.thresholds.values())

    @property
    def remarks(self) -> Mapping[str, str]:
        """Why nothing was certified, by key, where nothing was."""
        return {key: gate.remark for key, gate in self.thresholds.items() if gate.tau is None and gate.remark}

    def check_scorer(self, name: str, sha256: str) -> None:
        """Refuse to be used with another scorer: thresholds mean nothing for other scores.

        Raises:
            ScorerMismatchError: name or hash differ.
        """
        if (name, sha256) != (self.scorer.name, self.scorer.sha256):
            raise ScorerMismatchError(
                f"this certificate is for the scorer {self.scorer.name!r} ({self.scorer.sha256[:12]}), "
                f"not for {name!r} ({sha256[:12]}); calibrate that one with ebf calibrate"
            )

    def write(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the certificate as a JSON file, whole or not at all; equal certificates give equal bytes.

        Args:
            path: where; folders on the way are made.
            replace: whether a file that is there may be replaced.

        Raises:
            FileError: it cannot be written there, or a file is there that may not be replaced.
        """
        value: JSON = self.model_dump(mode="json")
        with written_whole(Path(path), replace=replace) as stream:
            stream.write(json.dumps(value, ensure_ascii=True, indent=2, allow_nan=False).encode() + b"\n")


def read_certificate(path: str | Path) -> GateCertificate:
    """The certificate in a file; the test its thresholds passed is done again on the counts it carries.

    Raises:
        CertificateError: there is no such file, or it is no certificate, of another format version, incomplete, or
            contradicts itself; one sentence that names file and field.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
        value = loads(raw)
        version = value.get("format_version", FORMAT_VERSION) if isinstance(value, dict) else FORMAT_VERSION
        if version != FORMAT_VERSION:
            message = f"this is format version {version!r}, this program reads {FORMAT_VERSION}"
            raise CertificateError(path, message, field="format_version")
        return GateCertificate.model_validate_json(raw, strict=True)
    except FileNotFoundError as error:
        raise CertificateError(path, "there is no such file") from error
    except OSError as error:
        raise CertificateError(path, f"the file cannot be read ({error.strerror})") from error
    except ValidationError as error:
        field, message = first_fault(error)
        raise CertificateError(path, message, field=field or None) from error
    except UnicodeDecodeError as error:
        raise CertificateError(path, "not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise CertificateError(path, f"not valid JSON ({error})") from error
