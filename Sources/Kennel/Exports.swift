@_exported public import struct KennelCore.DatabaseError
@_exported public import struct KennelStorage.Decimal128
@_exported public import enum KennelStorage.DeleteRule
@_exported public import struct KennelStorage.MapEntry
@_exported public import struct KennelStorage.ObjectId
@_exported public import struct KennelStorage.Timestamp
@_exported public import struct KennelStorage.UUIDValue
@_exported public import enum KennelStorage.Value
