"""Pools of names and words, drawn once and shipped as data."""

from ebf_generators.pools.free import FreePools, words_of
from ebf_generators.pools.pools import SPLITS, Pools, Split, default_pools, fresh_pools, halves

__all__ = ["SPLITS", "FreePools", "Pools", "Split", "default_pools", "fresh_pools", "halves", "words_of"]
