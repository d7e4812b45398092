/** @file
 *  The first byte of a CBOR item (RFC 8949, section 3): major type in the upper three bits,
 *  additional information in the lower five. Shared by writer and reader. */
#ifndef FTR_CBOR_ITEM_H
#define FTR_CBOR_ITEM_H

/** The major types. */
enum {
    FTR_CBOR_MAJOR_UINT = 0,
    FTR_CBOR_MAJOR_NEGATIVE = 1, /**< the integer -1 - argument */
    FTR_CBOR_MAJOR_BYTES = 2,
    FTR_CBOR_MAJOR_TEXT = 3,
    FTR_CBOR_MAJOR_ARRAY = 4,
    FTR_CBOR_MAJOR_MAP = 5,
    FTR_CBOR_MAJOR_TAG = 6,
    FTR_CBOR_MAJOR_SIMPLE = 7 /**< simple values, floats and break */
};

/** The additional information. A value below FTR_CBOR_INFO_8 is itself the argument. For
 *  FTR_CBOR_INFO_8 to FTR_CBOR_INFO_64, the argument follows in 1, 2, 4 or 8 bytes. For
 *  FTR_CBOR_INFO_INDEFINITE, the item lasts until a break, or is a break. 28 to 30 are reserved. */
enum {
    FTR_CBOR_INFO_8 = 24,
    FTR_CBOR_INFO_16 = 25,
    FTR_CBOR_INFO_32 = 26,
    FTR_CBOR_INFO_64 = 27,
    FTR_CBOR_INFO_INDEFINITE = 31
};

/** Items of a single byte, and first bytes that identify an item. */
enum {
    FTR_CBOR_BYTE_FALSE = 0xf4,
    FTR_CBOR_BYTE_TRUE = 0xf5,
    FTR_CBOR_BYTE_NULL = 0xf6,
    FTR_CBOR_BYTE_UNDEFINED = 0xf7,
    FTR_CBOR_BYTE_HALF = 0xf9,
    FTR_CBOR_BYTE_FLOAT = 0xfa,
    FTR_CBOR_BYTE_DOUBLE = 0xfb,
    FTR_CBOR_BYTE_BREAK = 0xff
};

/** Size of the longest head: the first byte and an argument of 64 bits. */
#define FTR_CBOR_HEAD_MAX 9

/** The tag that marks a file as CBOR (RFC 8949, section 3.4.6). */
#define FTR_CBOR_TAG_SELF_DESCRIBED 55799

#endif
