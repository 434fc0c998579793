"""The editor of a contingency table: document, undo, model, view."""
