@_exported public import struct KennelCore.DatabaseError
@_exported public import struct KennelValues.Decimal128
@_exported public import enum KennelValues.DeleteRule
@_exported public import struct KennelValues.MapEntry
@_exported public import struct KennelValues.ObjectId
@_exported public import struct KennelValues.Timestamp
@_exported public import struct KennelValues.UUIDValue
@_exported public import enum KennelValues.Value
