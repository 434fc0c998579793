"""What is behind the times: the paper's beside ours, stages, the machine, disturbances."""

from __future__ import annotations

import html

from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

from core.profiling.paper import explanations
from core.profiling.stages import STAGES
from core.studies.profiling import ProfileResult
from gui.profile.kept import Kept
from gui.profile.wording import span_text
from gui.theme import LIGHT, Theme

_BAR = 24


class WhyView(QWidget):
    """An account of a profile, to be read."""

    title = "Why"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._kept: Kept | None = None
        self.text = QTextBrowser()
        self.text.setObjectName("explanation")
        self.text.setAccessibleName("Why these times")
        self.text.setOpenLinks(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._show()

    def show_profile(self, kept: Kept | None) -> None:
        """Give the account of another profile."""
        self._kept = kept
        self._show()

    def _show(self) -> None:
        kept = self._kept
        if kept is None or kept.result is None or kept.running:
            self.text.setHtml("")
            return
        self.text.setHtml("".join(self._parts(kept, kept.result)))

    def _parts(self, kept: Kept, result: ProfileResult) -> list[str]:
        found = result.disturbances()
        parts = []
        if found:
            colour = self._theme.warning
            parts += [
                f"<p style='color:{colour}'><b>!</b> {html.escape(sentence)}</p>"
                for sentence in found
            ]
        else:
            parts.append("<p>Nothing disturbed the clock that could be noticed.</p>")
        said = explanations(kept.costs, result.stages, result.profile.scenario)
        if said:
            parts.append("<h4>Beside the AP paper</h4>")
            parts += [f"<p>{html.escape(sentence)}</p>" for sentence in said]
        if result.stages is not None:
            parts.append("<h4>Where scikit-learn's AMI spends its time</h4>")
            parts.append("<table cellspacing='2'>")
            for key, part in result.stages.parts.items():
                share = part / result.stages.total if result.stages.total else 0.0
                bar = "\N{FULL BLOCK}" * max(round(_BAR * share), 0)
                colour = self._theme.family("information").name()
                parts.append(
                    f"<tr><td>{STAGES[key]}&nbsp;&nbsp;</td>"
                    f"<td align='right'>{part:.3f} ms&nbsp;&nbsp;</td>"
                    f"<td align='right'>{100 * share:.0f} %&nbsp;&nbsp;</td>"
                    f"<td style='color:{colour}'>{bar}</td></tr>"
                )
            parts.append(
                f"<tr><td>the whole call</td><td align='right'>{result.stages.total:.3f} "
                "ms&nbsp;&nbsp;</td><td></td><td></td></tr></table>"
            )
        parts.append("<h4>How it was measured</h4>")
        parts.append(
            "<p>In a process of its own, garbage collection off, numerical libraries on one "
            f"thread; the first calls, {result.warm_up:.1f} s, are not among the times. Reading "
            f"the clock costs {result.clock.overhead:.0f} ns, which are taken off; its steps are "
            f"{result.clock.resolution:.0f} ns. At each instance the order of metrics and routes "
            f"moves on by one. The batch scores {result.batch_tables:,} tables at once. It took "
            f"{span_text(result.seconds)}.</p>"
        )
        parts.append("<h4>The machine</h4><table cellspacing='2'>")
        parts += [
            f"<tr><td>{html.escape(name)}&nbsp;&nbsp;</td><td>{html.escape(value)}</td></tr>"
            for name, value in result.began.lines()
        ]
        parts.append("</table>")
        return parts
