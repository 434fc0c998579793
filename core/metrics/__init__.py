"""The metrics: one module a family, `catalogue` lists them all."""
