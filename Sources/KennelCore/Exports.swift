@_exported public import KennelStorage
