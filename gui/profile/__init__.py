"""The parts of the profile page."""
