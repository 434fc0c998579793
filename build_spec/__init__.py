"""Makes the standalone program, and proves that it stands alone."""
