"""Why a score is what it is: what it costs, what would change it, what decided it."""
