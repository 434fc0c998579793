"""Temporary."""

from core.files.results import ScoredTable as ScoredTable
