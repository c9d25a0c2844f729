"""Optional domains of the generator, one module each; importing this package registers what they make and say.

A company holds background records of a domain where it is made with its name: ``Company(..., domains=("payments",))``.
"""

from ebf_generators.domains import payments

__all__ = ["payments"]
