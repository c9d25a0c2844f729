"""The certificate's file: what is written is read again, what is broken or belongs to another scorer is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ebf_baselines.calibration import (
    CertificateError,
    Episode,
    GateCertificate,
    ScorerId,
    ScorerMismatchError,
    SuiteId,
    certify,
    read_certificate,
)
from ebf_env.errors import ConfigurationError, EbfError, FileError
from ebf_env.version import __version__
from ebf_env.world import RiskLevel

SHA = "0123456789abcdef" * 4


def made(*, per_risk: bool = False, calibrate: int = 300) -> GateCertificate:
    def episodes(prefix: str, count: int) -> list[Episode]:
        risks = list(RiskLevel)
        return [Episode(f"{prefix}{n}", risks[n % 4], 0.9, 0.9, n == 3, resolvable=True) for n in range(count)]

    return certify(
        episodes("t", 40),
        episodes("c", calibrate),
        alpha=0.02,
        beta=0.05,
        scorer=ScorerId(name="résolveur", sha256=SHA),
        suite=SuiteId(sha256=SHA[::-1], generator={"split": "val", "seed": 7, "pools": None}),
        per_risk=per_risk,
    )


@pytest.mark.parametrize("certificate", [made(), made(per_risk=True, calibrate=4_000), made(calibrate=20)])
def test_what_is_written_is_read_again(certificate: GateCertificate, tmp_path: Path):
    first, second = tmp_path / "new" / "gate.json", tmp_path / "again.json"
    certificate.write(first)
    assert read_certificate(first) == certificate
    read_certificate(str(first)).write(second)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().isascii()
    assert read_certificate(first).created_by == f"ebf-env {__version__}"


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(tmp_path: Path):
    file = tmp_path / "gate.json"
    made(calibrate=20).write(file)
    with pytest.raises(FileError, match="exists already"):
        made().write(file)
    made().write(file, replace=True)
    assert not read_certificate(file).never_acts


def test_another_scorer_is_refused():
    certificate = made()
    certificate.check_scorer("résolveur", SHA)
    for name, sha256 in (("other", SHA), ("résolveur", "f" * 64)):
        with pytest.raises(ScorerMismatchError, match=f"is for the scorer 'résolveur' .* not for '{name}'") as caught:
            certificate.check_scorer(name, sha256)
        assert isinstance(caught.value, ConfigurationError)
        assert "\n" not in str(caught.value)


def changed(path: str, value: Any) -> str:
    """The file of a good certificate with one field set (or, by ..., left out)."""
    content: Any = json.loads(made().model_dump_json())
    place, *keys = content, *path.split(".")
    for key in keys[:-1]:
        place = place[key]
    if value is ...:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ('{"alpha": NaN}', "not valid JSON"),
        ('{"alpha": 1, "alpha": 2}', "given twice"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "should be an object"),
        (changed("format_version", 2), "format version 2, this program reads 1"),
        (changed("format", "ebf-run"), "field format: "),
        (changed("alpha", ...), "field alpha: Field required"),
        (changed("scorer.sha256", ...), "field scorer.sha256: Field required"),
        (changed("scorer.sha256", "abc"), "field scorer.sha256: "),
        (changed("created", "2026"), "field created: Extra inputs"),
        (changed("thresholds.all.tau", 1.5), "field thresholds.all.tau: .* less than or equal to 1"),
        (changed("thresholds.all.delta", -0.1), "field thresholds.all.delta: .* greater than or equal to 0"),
        (changed("thresholds.all.tau", "0.9"), "field thresholds.all.tau: "),
        (changed("thresholds.all.tau", None), "field thresholds.all: expected both tau and delta, or neither"),
        (changed("thresholds.all.tau", 0.123), "tau 0.123 and delta .* are not on the grid"),
        (changed("thresholds.all.k", 301), "field thresholds.all.k: expected at most n = 300 errors, got 301"),
        (changed("thresholds.all.k", -1), "field thresholds.all.k: "),
        (changed("thresholds.all.k", 4), "4 errors in 300 do not certify alpha 0.02 at beta 0.05"),
        (changed("thresholds.all.n", 10), "1 errors in 10 do not certify"),
        (changed("thresholds.all.n", 301), "do not add up to the 300 calibration families"),
        (changed("thresholds.all.alpha", 0.03), "alpha above the 0.02"),
        (changed("thresholds.all.beta", 0.1), "betas add up to more than the 0.05"),
        (changed("thresholds", {}), "expected 'all', or each risk level, got none"),
        (changed("thresholds", {"some": {}}), "field thresholds.some"),
        (changed("grid.taus", [0.5, 0.4]), "field grid.taus: expected numbers that rise"),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence(text: str, message: str, tmp_path: Path):
    file = tmp_path / "gate.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CertificateError, match=message) as caught:
        read_certificate(file)
    assert str(caught.value).startswith(str(file))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(file))


def test_a_gate_that_never_acts_says_why_in_the_file(tmp_path: Path):
    file = tmp_path / "gate.json"
    made(calibrate=20).write(file)
    content = json.loads(file.read_text(encoding="utf-8"))
    del content["thresholds"]["all"]["remark"]
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CertificateError, match="expected a remark"):
        read_certificate(file)


def test_what_is_no_text_and_what_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(CertificateError, match="no such file"):
        read_certificate(tmp_path / "none.json")
    with pytest.raises(CertificateError, match="cannot be read"):
        read_certificate(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(CertificateError, match="not UTF-8") as caught:
        read_certificate(tmp_path / "binary")
    assert isinstance(caught.value, FileError)
    assert isinstance(caught.value, EbfError)
