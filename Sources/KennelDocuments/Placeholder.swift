// KennelDocuments
