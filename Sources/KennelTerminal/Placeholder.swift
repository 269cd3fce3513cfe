// KennelTerminal
