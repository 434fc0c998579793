"""Long tasks, each a generator of steps."""
