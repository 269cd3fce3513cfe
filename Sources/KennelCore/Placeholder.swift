// KennelCore
