"""One page a task; pages do not know each other."""
