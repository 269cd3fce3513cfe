// KennelBrowser
