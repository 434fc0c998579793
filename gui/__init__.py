"""The window: it shows what the core computes."""
