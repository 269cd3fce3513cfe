@_exported public import KennelValues
