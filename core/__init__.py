"""The pure core: tables, metrics, scores; it never imports Qt.

The names below are loaded where they are first used, so that what does not need
numpy, such as the help of the command line, does not wait for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.metrics.ap_adjusted import AdjustedAP as AdjustedAP
    from core.metrics.ap_adjusted import ap_adjusted as ap_adjusted
    from core.metrics.attainable import AgreementExtremes as AgreementExtremes
    from core.metrics.attainable import agreement_extremes as agreement_extremes
    from core.metrics.catalogue import METRICS as METRICS
    from core.metrics.detail import ClassDetail as ClassDetail
    from core.metrics.detail import ClusterDetail as ClusterDetail
    from core.scores import Scores as Scores
    from core.scores import UnknownMetricError as UnknownMetricError
    from core.scoring import score as score
    from core.scoring import score_many as score_many
    from core.table import ContingencyTable as ContingencyTable
    from core.table import TableError as TableError

_HOMES = {
    "AdjustedAP": "core.metrics.ap_adjusted",
    "ap_adjusted": "core.metrics.ap_adjusted",
    "AgreementExtremes": "core.metrics.attainable",
    "agreement_extremes": "core.metrics.attainable",
    "METRICS": "core.metrics.catalogue",
    "ClassDetail": "core.metrics.detail",
    "ClusterDetail": "core.metrics.detail",
    "Scores": "core.scores",
    "UnknownMetricError": "core.scores",
    "score": "core.scoring",
    "score_many": "core.scoring",
    "ContingencyTable": "core.table",
    "TableError": "core.table",
}

__all__ = [
    "METRICS",
    "AdjustedAP",
    "AgreementExtremes",
    "ClassDetail",
    "ClusterDetail",
    "ContingencyTable",
    "Scores",
    "TableError",
    "UnknownMetricError",
    "agreement_extremes",
    "ap_adjusted",
    "score",
    "score_many",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
