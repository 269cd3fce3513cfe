// KennelLMDB
