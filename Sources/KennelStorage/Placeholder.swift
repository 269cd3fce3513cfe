// KennelStorage
