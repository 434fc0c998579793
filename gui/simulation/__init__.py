"""The parts of the simulation page."""
