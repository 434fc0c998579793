"""Random contingency tables from scenarios: what a simulation scores."""
