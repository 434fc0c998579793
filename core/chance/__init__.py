"""Randomness under fixed margins: hypergeometric windows, expectations."""
