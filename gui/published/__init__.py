"""Findings on published results, as the page shows them and as PDF."""
