"""The panel that explains a score."""
