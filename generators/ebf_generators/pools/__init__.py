"""Pools of names and words, drawn once and shipped as data."""

from ebf_generators.pools.pools import Pools, default_pools, fresh_pools

__all__ = ["Pools", "default_pools", "fresh_pools"]
