"""The name and the version of the program, in one place."""

PROGRAM = "Tallyscope"
__version__ = "0.1.0"
