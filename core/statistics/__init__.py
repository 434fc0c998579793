"""Statistics of scores: histograms, summaries, correlations with intervals."""
