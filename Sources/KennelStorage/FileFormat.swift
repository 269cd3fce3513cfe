/// # What a Kennel file is
///
/// One file of pages with six trees. `Format.swift` in KennelPages tells of pages, copy-on-write,
/// locks and commits; what the values mean is told here.
/// Objects of a class are numbered from 1; 256 neighbours are a *cluster*; one property of one
/// cluster is one value of a tree, a *chunk*, that is read in place from the map. All numbers are
/// little-endian, save in the tree `indexes`, whose keys are compared byte by byte.
///
/// ## The trees
///
/// | tree | key | value |
/// |---|---|---|
/// | `meta` | 2 | the schema (``SchemaCodec``); missing before there is one |
/// | `meta` | 0x1000 + class | what is known of a class beside its schema (``ClassRecord``) |
/// | `clusters` | class, cluster, 0 | who lives, and which chunks there are (``ClusterHeader``) |
/// | `chunks` | class, cluster, property + 1 | the values of a property (``ChunkLayout``) |
/// | `backlinks` | class, cluster, backlink column + 1 | who points at each object, a chunk of keys |
/// | `pieces` | id, piece | what is too long for its chunk |
/// | `indexes` | class, property, value, object (``IndexKey``) | nothing |
///
/// Keys of the first five are 64-bit integers. A key of `clusters`, `chunks` and `backlinks`
/// has the class in its upper 12 bits, then 40 bits of cluster and 12 of column, so that a scan
/// of a class walks neighbouring keys (``ChunkKey``); a key of `pieces` has 44 bits of id and
/// 20 of piece (``PieceKey``). An object's key is 8 bits of place below its cluster; the object
/// with key 258 of class 0 is place 2 of cluster 1.
///
/// ## The records
///
/// The header (``FileHeader``) has 28 bytes. It is the note in the meta page of each commit, beside the
/// file's id and the number of the commit:
///
/// | bytes | what |
/// |---|---|
/// | 0…7 | `KENNEL` and two zeros |
/// | 8…11 | version of the format |
/// | 12…19 | version of the schema, one more after each change of it; 0 where there is none |
/// | 20…27 | the next id of a value that lies outside its chunk |
///
/// A class record, `meta` 0x1000 + class, has 24:
///
/// | bytes | what |
/// |---|---|
/// | 0…7 | the next object key to give out |
/// | 8…15 | how many objects live |
/// | 16…23 | the last cluster, all ones where there is none |
///
/// A cluster header has at least 48:
///
/// | bytes | what |
/// |---|---|
/// | 0…1 | places in use, live or dead, 1…256 |
/// | 2…3, 4…5 | how many property columns, how many backlink columns have a chunk |
/// | 6…7 | zero |
/// | 8…39 | a bit per place, set where an object lives |
/// | 40…47 | the cluster before this one, all ones for the first |
/// | 48… | the property columns, then the backlink columns, two bytes each, ascending |
///
/// A chunk begins with 8 bytes (version and encoding, flags, two widths, the number of places),
/// then a bit per place that is null and the places of external values where it has any; what
/// follows, words, pairs of words, bytes, a dictionary, keys or elements, ``ChunkLayout``
/// tells. An external value is 20 bytes: its id (8), the number of its bytes or keys (8), how
/// often it was changed (4). A place at or past the end of a chunk, and any place of a chunk
/// that does not exist, reads as the fill value of the property, or as an empty collection.
///
/// A mixed value is a cell of its kind and its bytes (``MixedCodec``); one that is a list or a map has
/// its elements in these, each with its length, to any depth up to ``Value/deepestNesting``.
///
/// Bytes outside their chunk (``ExternalBytes``) lie in pieces 0, 1, 2… of their id, each full
/// but the last. A long list of keys (``LongKeyList``) has a directory as piece 0, and pieces that
/// are chunks of one place:
///
/// | bytes of the directory | what |
/// |---|---|
/// | 4 | the number of a piece |
/// | 4 | how many keys it holds |
/// | 8 | the first of them |
/// | … | the same for the next piece, in the order of the list |
///
/// No value has a checksum: the pointer to its page has one.
///
/// ## Reading one object
///
/// To read `age` of the object with key 3 of class 0:
///
/// 1. Pin the newest commit: write its number into the process's slot of the lock file, and take
///    its meta page.
/// 2. The note in the meta page: compare magic and version.
/// 3. `meta` 2, unless this version of the schema is known: `age` is property 1, an optional
///    int.
/// 4. `meta` 0x1000: there are objects, and the last cluster is 0.
/// 5. `clusters` 0 for cluster 0: the bit of place 3 is set, so the object lives; property column
///    1 is in the list, so there is a chunk, and it is damage if it cannot be found.
/// 6. `chunks` 2 (column 1 + 1): check every length, once. Place 3 is not null; its word is the base
///    plus distance 3.
///
/// Each page on the way is compared with the checksum in the pointer to it, once.
///
/// ## Invariants
///
/// 1. A page is what the pointer to it means, compared at the first touch, so that a page that is
///    torn, misplaced or old is noticed
///    (`whatever the damage, what is read is right or an error says where`).
/// 2. Every length in a chunk is checked before the chunk is read
///    (`hostile chunks are errors or read within their bytes`).
/// 3. A newer version of the format is refused before anything else of the file is believed
///    (`a file of a newer format is refused by name`), and so is a file from before the first release
///    (`a file from before the first release is refused by name, with what to do`).
/// 4. The headers of a class form a chain backwards from its last cluster; one that is missing
///    is damage (`a missing cluster header is damage and not a class without objects`).
/// 5. A cluster has exactly the chunks that its header names
///    (`what a cluster header names must be there`).
/// 6. The last cluster of a class is that of the last key given out, and count and keys fit the
///    live bits (`a class record whose parts do not fit is damage`). A new object gets a key that
///    none had; a program may ask for that of a deleted object
///    (`of a deleted object may be asked for, and nothing of that object is left`).
/// 7. Backlinks are the links, backwards, ascending, with duplicates; an embedded object has
///    one owner; a value fits its property; each piece belongs to one value; each object has an
///    entry in each index and primary keys are unique (`a planted fault is found and named`).
/// 8. A property column, a class key and the id of an external value are never used again. The
///    record of a class that was deleted stays, with 1 as its next key and no objects
///    (`deletes classes with all that is stored of them, and gives no number again`). A
///    property that was added reads as its fill value until it is set
///    (`an added property changes no object until it is set`).
/// 9. A commit whose pages are not all there is undone when the file is opened
///    (`any part of a commit on the disk is a sound database`).
/// 10. The chunk that holds a value differs whenever the value does, also where the value lies
///    outside it (`a list too long for its chunk is told when only its order changed`).
/// 11. No bytes, however hostile, make a reader touch memory outside the map
///     (`hostile mixed values are errors or values`, `hostile schemas are errors or schemas`,
///     `whatever the damage, what is read is right or an error says where`), or exhaust its stack
///     (`collections that nest too deep are damage, and do not exhaust the stack`).
/// 12. Looking at a file changes neither its bytes nor its time
///     (`looking at a file leaves its bytes and its times`).
/// 13. The bytes below are those that the program writes
///     (`the dump of the essay is what is stored`).
///
/// ## A small file, decoded by hand
///
/// A class `Dog` with the properties `name` (string) and `age` (optional int), and three dogs:
/// Rex is 30, nobody knows how old Max is, Bo is 32. It was made by commit 0, filled by commit
/// 1.
///
/// ### The header
///
/// ```
/// 4b 45 4e 4e 45 4c 00 00   KENNEL
/// 01 00 00 00               version 1
/// 01 00 00 00 00 00 00 00   the schema was changed once
/// 01 00 00 00 00 00 00 00   no value lies outside its chunk
/// ```
///
/// ### The class record, `meta` 0x1000
///
/// ```
/// 04 00 00 00 00 00 00 00   the next dog is Dog/4
/// 03 00 00 00 00 00 00 00   three live
/// 00 00 00 00 00 00 00 00   the last cluster is 0
/// ```
///
/// ### The cluster header, `clusters` 0: class 0, cluster 0, column 0
///
/// ```
/// 04 00                     four places: keys begin with 1, so place 0 was never used
/// 02 00 00 00               two property columns, no backlink column
/// 00 00                     nothing
/// 0e 00 00 00 00 00 00 00   the lowest bits are 1110: places 1, 2 and 3 live
/// 00 00 00 00 00 00 00 00   places 64…127
/// 00 00 00 00 00 00 00 00   places 128…191
/// 00 00 00 00 00 00 00 00   places 192…255
/// ff ff ff ff ff ff ff ff   no cluster comes before
/// 00 00 01 00               chunks of the properties 0 and 1
/// ```
///
/// ### The names, `chunks` 1: class 0, cluster 0, column 0 + 1
///
/// ```
/// 13 01 04 00               layout 1, cells; has nulls; offsets of 4 bits
/// 04 00 00 00               four places
/// 01                        place 0 is null: nobody lives there
/// 00 63 08                  the offsets 0, 0, 3, 6, 8, low half first
/// 00 00 00 00 00 00 00 00   which are counted from 0
/// 52 65 78                  place 1, bytes 0…2: Rex
/// 4d 61 78                  place 2, bytes 3…5: Max
/// 42 6f                     place 3, bytes 6…7: Bo
/// ```
///
/// Had the names the same length, their offsets would be packed as a slope and no bits at all: see
/// ``ChunkLayout``.
///
/// ### The ages, `chunks` 2: class 0, cluster 0, column 1 + 1
///
/// ```
/// 11 01 02 00               layout 1, words; has nulls; 2 bits each
/// 04 00 00 00               four places
/// 05                        the places 0 and 2 are null
/// 80                        the distances 0, 0, 0, 2, lowest bits first
/// 1e 00 00 00 00 00 00 00   from 30: place 1 is 30, place 3 is 32
/// ```
package enum FileFormat {
  /// The newest version that this program reads and writes.
  ///
  /// A file has the oldest one that has everything in it, so that older programs read it where they can.
  ///
  /// | version | since | what is new |
  /// |---|---|---|
  /// | 1 | 0.1 | the first one |
  package static let version: UInt32 = 1
}
