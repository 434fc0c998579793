"""The import assistant: what the columns of a file are, chosen with the rows in view."""

from gui.import_assistant.assistant import ImportAssistant
from gui.import_assistant.sources import FilePreviews, Mode, PreviewSource

__all__ = ["FilePreviews", "ImportAssistant", "Mode", "PreviewSource"]
