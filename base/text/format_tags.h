/* The CBOR tags and type numbers of FTR files (docs/format.md), for the recorder and the reader. */
#ifndef FTR_FORMAT_TAGS_H
#define FTR_FORMAT_TAGS_H

/* The first bytes of a file: the tag of self-described CBOR, and the head of an indefinite array.
 */
#define FTR_FILE_MAGIC "\xd9\xd9\xf7\x9f"
#define FTR_FILE_MAGIC_SIZE 4

enum {
    /* chunks */
    FTR_TAG_INFO = 6,
    FTR_TAG_DICTIONARY = 8,
    FTR_TAG_DIRECTORY = 10,
    FTR_TAG_TRANSACTIONS = 12,
    FTR_TAG_RELATIONS = 14,
    /* this number is added to one of the four tags above, but never to FTR_TAG_INFO */
    FTR_TAG_COMPRESSED = 1,
    /* tag in an info chunk */
    FTR_TAG_EPOCH = 1,
    /* tags in a directory */
    FTR_TAG_STREAM = 16,
    FTR_TAG_GENERATOR = 17,
    /* tags in transactions: 6 is the event (id, generator, times); 7, 8 and 9 are attributes of the
     * classes begin, record and end */
    FTR_TAG_TX = 6,
    FTR_TAG_BEGIN = 7,
    FTR_TAG_END = 9
};

/* The numbers of attribute types in the published specification. The deployed numbering is
 * ftr_type. */
enum {
    FTR_SPEC_BOOLEAN = 1,
    FTR_SPEC_INTEGER = 2,
    FTR_SPEC_UNSIGNED = 3,
    FTR_SPEC_FLOATING_POINT = 4,
    FTR_SPEC_FIXED_POINT_INTEGER = 5,
    FTR_SPEC_UNSIGNED_FIXED_POINT_INTEGER = 6,
    FTR_SPEC_ENUMERATION = 7,
    FTR_SPEC_BIT_VECTOR = 8,
    FTR_SPEC_LOGIC_VECTOR = 9,
    FTR_SPEC_STRING = 10,
    FTR_SPEC_POINTER = 11,
    FTR_SPEC_TIME = 12
};

#endif
