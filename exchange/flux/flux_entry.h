/* Decoded entries of flux, versions 4 and 6. */
#ifndef FTR_FLUX_ENTRY_H
#define FTR_FLUX_ENTRY_H

#include <ftr/reader.h>

typedef enum ftr_flux_tag {
    FTR_FLUX_SAMPLE = 0x00,
    FTR_FLUX_HEAD = 0x01,
    FTR_FLUX_SWITCH = 0x04,
    FTR_FLUX_PACKED = 0x05,
    FTR_FLUX_SECTION = 0x06,
    FTR_FLUX_SCOPE = 0x10,
    FTR_FLUX_SIGNAL = 0x11,
    FTR_FLUX_SIGNALS = 0x12,
    FTR_FLUX_REFERENCE = 0x13,
    FTR_FLUX_SCATTERED = 0x14,
    FTR_FLUX_SCATTERED_REFERENCE = 0x15,
    FTR_FLUX_OPEN = 0x20,
    FTR_FLUX_CLOSE = 0x21,
    FTR_FLUX_DOMAIN = 0x22,
    FTR_FLUX_CURRENT = 0x23,
    FTR_FLUX_ENUM = 0x30,
    FTR_FLUX_MEMBER = 0x31,
    FTR_FLUX_RELATION = 0x40,
    FTR_FLUX_LABEL = 0x41,
    FTR_FLUX_REQUEST = 0x80,
    FTR_FLUX_RESULT = 0x81
} ftr_flux_tag;

/* A decoded entry. The tag determines the fields that are valid. Texts and values are views into
 * the memory of the parser. */
typedef struct ftr_flux_entry {
    /* offset of the entry in the file; for an entry in a packed block or section, offset of the
     * block or section */
    uint64_t offset;
    uint64_t item, item_to, parent;
    ftr_view name, description, descriptor, domain;
    uint64_t first_bit, last_bit;
    /* start of an open entry, end of a close entry, or delta of a relation; in other entries, an
     * absolute position */
    int64_t position;
    uint64_t rate;
    /* fields of legends. In attachments, `enumeration` is the target and `value` is the style */
    uint64_t enumeration, value, member;
    int64_t x, y;
    uint64_t max_item, max_entry;
    uint64_t original_size; /* size of the unpacked content of a packed block */
    uint64_t delta;
    /* value of a sample, packed content, content of a section, or members of a control entry */
    ftr_view bytes;
    uint64_t count; /* number of members of a control entry */
    ftr_flux_tag tag;
    uint32_t trace; /* number of the trace that the entry belongs to */
    uint8_t version;
    uint8_t type;
    /* bit 0: the relation goes from the other end to this sample; bit 1: `position` is absolute,
     * not a delta */
    uint8_t relation_type;
    uint8_t mode;    /* in a head: ftr_flux_mode; in a packed block: kind of compression */
    uint8_t counter; /* counter of a section */
    uint8_t format;  /* format of a value: the low bits of its length field */
    bool conflict;
    bool none;
} ftr_flux_entry;

typedef enum ftr_flux_decoded {
    FTR_FLUX_DECODED,
    FTR_FLUX_CUT,       /* the bytes end within the entry */
    FTR_FLUX_MALFORMED, /* a number out of range */
    FTR_FLUX_UNKNOWN_TAG
} ftr_flux_decoded;

/* Decodes the entry at the beginning of @p bytes. @p size bytes are available. Before the call,
 * `version` and `trace` of @p entry must be those of the current trace. @param[out] used size of
 * the entry in bytes */
ftr_flux_decoded ftr_flux_decode(const uint8_t *bytes, size_t size, ftr_flux_entry *entry,
                                 size_t *used);

/* ---- values ---------------------------------------------------------------------------------- */

/* A cursor over the bytes of a value. An attempt to read beyond the end sets `cut`. An invalid
 * number sets `bad`. */
typedef struct ftr_flux_bytes {
    const uint8_t *at, *end;
    bool cut, bad;
} ftr_flux_bytes;

uint8_t ftr_flux_get_byte(ftr_flux_bytes *from);
uint64_t ftr_flux_get_pint(ftr_flux_bytes *from);
ftr_view ftr_flux_get_value(ftr_flux_bytes *from); /* reads a length and that many bytes */

/* Decodes a two's complement number of at most 8 bytes, or of 9 bytes if the last one contains only
 * the sign. @return false for other bytes */
bool ftr_flux_integer(ftr_view bytes, int64_t *integer);
/* Decodes the bytes of ftr_flux_integer() as an unsigned number. The values of enumerations have
 * this form. @return false for other bytes */
bool ftr_flux_number(ftr_view bytes, uint64_t *number);
/* Returns true if there is a ninth byte, which is 0 and shows that the number is unsigned. */
bool ftr_flux_is_wide(ftr_view bytes);
/* Decodes an IEEE 754 number of 4 or 8 bytes. @return false for other sizes */
bool ftr_flux_real(ftr_view bytes, double *real);

/* Writes the letters of logic states, most significant first, into @p letters.
 * @return number of letters; more than @p size if they do not fit */
size_t ftr_flux_logic_letters(ftr_view bytes, uint8_t format, char *letters, size_t size);

#endif
