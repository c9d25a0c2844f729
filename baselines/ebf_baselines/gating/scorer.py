"""Which scorer a certificate is for: a hash over all that decides the scores of the resolver."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import ebf_baselines.causal
import ebf_baselines.resolution
import ebf_env.grounding
from ebf_baselines.calibration import GateCertificate, ScorerId, read_certificate

NAME: Final = "resolver"
SHIPPED: Final = Path(__file__).with_name("certificate.json")
"""The certificate that ships with the package."""

_TEXTS: Final = frozenset({".py", ".json", ".toml", ".txt", ".csv"})
_OWN: Final = ("sight.py", "judging.py")
"""What of this package has a say in scores and margins."""


@cache
def resolver_id() -> ScorerId:
    """The resolver as it is installed: what it reads with, the tools' probabilities, and how both become a score.

    Every file of ``ebf_baselines.resolution``, ``ebf_baselines.causal`` and ``ebf_env.grounding`` counts, source and
    data alike, by its name and its bytes (texts by their lines, however these end).
    """
    digest = hashlib.sha256()
    for name, path in sorted(_files()):
        content = path.read_bytes()
        if path.suffix in _TEXTS:
            content = content.replace(b"\r\n", b"\n")
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return ScorerId(name=NAME, sha256=digest.hexdigest())


def _files() -> Iterator[tuple[str, Path]]:
    for package in (ebf_baselines.resolution, ebf_baselines.causal, ebf_env.grounding):
        for folder in package.__path__:
            for path in Path(folder).rglob("*"):
                relative = path.relative_to(folder)
                hidden = any(part.startswith((".", "__pycache__")) for part in relative.parts)
                if path.is_file() and not hidden and path.suffix not in (".pyc", ".typed"):
                    yield f"{package.__name__}/{relative.as_posix()}", path
    for name in _OWN:
        yield f"gating/{name}", Path(__file__).with_name(name)


@cache
def shipped_certificate() -> GateCertificate:
    """The certificate that ships with the package.

    Raises:
        CertificateError: it cannot be read.
        ScorerMismatchError: it was made for another scorer than the one installed.
    """
    return certificate_for_resolver(SHIPPED)


def certificate_for_resolver(path: str | Path) -> GateCertificate:
    """A certificate of the resolver as it is installed.

    Raises:
        CertificateError: the file is none.
        ScorerMismatchError: it was made for another scorer.
    """
    certificate = read_certificate(path)
    own = resolver_id()
    certificate.check_scorer(own.name, own.sha256)
    return certificate
