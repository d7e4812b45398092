/** @file
 *  Emits the flux trace format, version 4, on a target without file system and allocator, into
 *  memory of the caller. It compiles freestanding and needs no libc, except memcpy and memset,
 * which compilers call implicitly; no function allocates, blocks or calls anything but the buffer's
 * handler. `ftr convert --input-format flux` and impulse read the output; docs/exchange.md
 * describes the format.
 *
 *      static uint8_t memory[4096];
 *      static ftr_flux_item items[FTR_FLUX_ITEMS(3)];
 *      ftr_flux_buffer buffer;
 *      ftr_flux_trace trace;
 *      ftr_flux_buffer_init(&buffer, memory, sizeof memory, my_handler, my_data);
 *      ftr_flux_trace_init(&trace, 1, 3, 256, items, &buffer);
 *      ftr_flux_put_head(&trace, "demo", NULL);
 *      ftr_flux_put_signal(&trace, 2, 0, "cnt", NULL, FTR_FLUX_INTEGER, NULL);
 *      ftr_flux_open(&trace, 0, "ns", 0, 0);
 *      ftr_flux_put_int(&trace, 2, false, 100, 42);
 *      ftr_flux_close(&trace, 0, 1000);
 *      ftr_flux_flush(&buffer);
 *
 *  Texts are UTF-8, NUL-terminated; NULL is empty. A trace and its buffer must be used by one
 * thread, or one interrupt level, at a time. A call that fails writes nothing. */
#ifndef FTR_FLUX_H
#define FTR_FLUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- buffers --------------------------------------------------------------------------------- */

/** Consumes bytes of whole entries: sends, stores or compresses them. Called by a flush, and if an
 * entry does not fit. @return number of the @p size bytes consumed; the rest is passed again
 * later */
typedef size_t ftr_flux_take(void *user, const void *bytes, size_t size);

/** The destination of entries. Fields are internal to the emitter. */
typedef struct ftr_flux_buffer {
    uint8_t *bytes;
    size_t size;
    size_t used; /**< linear: bytes not consumed yet; ring: bytes used in total */
    ftr_flux_take *take;
    void *user;
    size_t sections;    /**< ring only; 0: linear */
    size_t section;     /**< the current one */
    size_t sections_at; /**< offset of the first section */
    /** size of a section with its head; the last one also has the remaining bytes */
    size_t section_size;
} ftr_flux_buffer;

/** Initialises a linear buffer over @p size bytes at @p memory.
 *  @param take NULL: nothing is consumed, the buffer fills up */
FTR_API void ftr_flux_buffer_init(ftr_flux_buffer *buffer, void *memory, size_t size,
                                  ftr_flux_take *take, void *user);

/** Passes all buffered bytes to the handler.
 *  @return FTR_OK, also without a handler; FTR_ERR_IO if it did not consume all */
FTR_API ftr_status ftr_flux_flush(ftr_flux_buffer *buffer);

/** Returns the buffered bytes; for a ring the whole image, to be saved unchanged. */
FTR_API const void *ftr_flux_buffer_get(const ftr_flux_buffer *buffer, size_t *size);

/* ---- traces ---------------------------------------------------------------------------------- */

/** Number of array elements for a trace with item ids up to @p max_item_id. */
#define FTR_FLUX_ITEMS(max_item_id) ((max_item_id) + 1)

/** State of a scope or a signal. Fields are internal to the emitter. */
typedef struct ftr_flux_item {
    uint32_t parent;
    uint8_t kind; /**< 0: not defined */
    bool open;
    int64_t position; /**< for an open item: position of its last sample */
} ftr_flux_item;

typedef struct ftr_flux_trace {
    ftr_flux_buffer *buffer;
    ftr_flux_item *items; /**< by id; 0 is the root */
    uint32_t id;
    uint32_t max_item_id;
    uint32_t max_entry_size;
} ftr_flux_trace;

/** The type of a signal's samples. */
typedef enum ftr_flux_type {
    FTR_FLUX_UNKNOWN = 0,
    FTR_FLUX_EVENT = 1,
    FTR_FLUX_INTEGER = 2,
    FTR_FLUX_LOGIC = 3,
    FTR_FLUX_FLOAT = 4,
    FTR_FLUX_TEXT = 5,
    FTR_FLUX_BINARY = 6,
    FTR_FLUX_STRUCT = 7,
    FTR_FLUX_EVENT_ARRAY = 8,
    FTR_FLUX_INTEGER_ARRAY = 9,
    FTR_FLUX_FLOAT_ARRAY = 10
} ftr_flux_type;

/** The type of a struct's member. */
typedef enum ftr_flux_member_type {
    FTR_FLUX_MEMBER_TEXT = 1,
    FTR_FLUX_MEMBER_ENUM = 2, /**< of the global enumeration */
    FTR_FLUX_MEMBER_INTEGER = 3,
    FTR_FLUX_MEMBER_FLOAT = 4,
    FTR_FLUX_MEMBER_BINARY = 6,
    FTR_FLUX_MEMBER_LOCAL_ENUM = 7, /**< of its own enumeration */
    FTR_FLUX_MEMBER_MERGE_ENUM = 8, /**< of its own enumeration, otherwise of the global one */
    FTR_FLUX_MEMBER_HIDDEN = 0x80   /**< added to one of the others in a definition: not shown */
} ftr_flux_member_type;

/** Enumerations of an item; that of member n is FTR_FLUX_ENUM_MEMBER + n. */
enum {
    FTR_FLUX_ENUM_GLOBAL = 0,
    FTR_FLUX_ENUM_RELATION_TARGET = 1,
    FTR_FLUX_ENUM_RELATION_STYLE = 2,
    FTR_FLUX_ENUM_LABEL_STYLE = 3,
    FTR_FLUX_ENUM_MEMBER = 8
};

/** Initialises a trace.
 *  @param max_item_id the largest id, below 2^29
 *  @param max_entry_size maximum size of an entry; the buffer must have room for one
 *  @param items FTR_FLUX_ITEMS(max_item_id) of them
 *  @return FTR_OK; FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_flux_trace_init(ftr_flux_trace *trace, uint32_t id, uint32_t max_item_id,
                                       uint32_t max_entry_size, ftr_flux_item *items,
                                       ftr_flux_buffer *buffer);

/** From now on entries go to @p buffer; the caller must flush the old one. */
FTR_API void ftr_flux_trace_set_buffer(ftr_flux_trace *trace, ftr_flux_buffer *buffer);

/* All functions that put an entry return FTR_OK; FTR_ERR_ARGUMENT for an id out of range or a NULL;
 * FTR_ERR_UNDEFINED for an item or parent that is not defined; FTR_ERR_STATE for an item that is
 * (not) open, or is already defined; FTR_ERR_LIMIT for an entry longer than max_entry_size;
 * FTR_ERR_MEMORY if the buffer is full and its handler consumed nothing. */

/** Puts the head, which must come first. */
FTR_API ftr_status ftr_flux_put_head(ftr_flux_trace *trace, const char *name,
                                     const char *description);
/** The treatment of a head by receivers. */
typedef enum ftr_flux_mode {
    FTR_FLUX_MODE_NORMAL = 0,
    FTR_FLUX_MODE_SYNC = 1 /**< definitions may be repeated, for receivers that join later */
} ftr_flux_mode;

/** Puts a head with a mode, of a format derived from flux, named by four characters. */
FTR_API ftr_status ftr_flux_put_head_as(ftr_flux_trace *trace, const char *format,
                                        ftr_flux_mode mode, const char *name,
                                        const char *description);
/** Marks the following entries as belonging to this trace, if a buffer has several. */
FTR_API ftr_status ftr_flux_put_switch(ftr_flux_trace *trace);

/** Divides the rest of the buffer into @p count sections, which are used as a ring from now on: if
 * there is no room, the oldest section is overwritten. Must come after head, definitions and open.
 * An entry that fits into no section is refused with FTR_ERR_MEMORY, and overwrites nothing.
 * @return also FTR_ERR_ARGUMENT if a section would not have 16 to 65535 bytes */
FTR_API ftr_status ftr_flux_put_sections(ftr_flux_trace *trace, unsigned count);

FTR_API ftr_status ftr_flux_put_scope(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                      const char *name, const char *description);
FTR_API ftr_status ftr_flux_put_signal(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                       const char *name, const char *description,
                                       ftr_flux_type type, const char *descriptor);
/** Puts items @p from to @p to, with the same name and type. */
FTR_API ftr_status ftr_flux_put_signals(ftr_flux_trace *trace, uint32_t from, uint32_t to,
                                        uint32_t parent, const char *name, const char *description,
                                        ftr_flux_type type, const char *descriptor);
/** Puts bits @p first_bit to @p last_bit of a vector that consists of several items with one
 * name. */
FTR_API ftr_status ftr_flux_put_scattered(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description,
                                          ftr_flux_type type, const char *descriptor,
                                          uint32_t first_bit, uint32_t last_bit);
/** Shows signal @p item in another scope, too. */
FTR_API ftr_status ftr_flux_put_reference(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description);
/** Shows some of its bits in another scope, too. */
FTR_API ftr_status ftr_flux_put_scattered_reference(ftr_flux_trace *trace, uint32_t item,
                                                    uint32_t parent, const char *name,
                                                    const char *description, uint32_t first_bit,
                                                    uint32_t last_bit);

/* ---- sequences ------------------------------------------------------------------------------- */

/** Opens @p item and all items below it for samples; 0: all items.
 *  @param domain_base the unit of positions, for example "ns"
 *  @param rate 0: samples may be at any position; otherwise the distance between them */
FTR_API ftr_status ftr_flux_open(ftr_flux_trace *trace, uint32_t item, const char *domain_base,
                                 int64_t start, uint32_t rate);
/** Closes an item. @param end not before the last sample; otherwise the position after the last
 * sample is used */
FTR_API ftr_status ftr_flux_close(ftr_flux_trace *trace, uint32_t item, int64_t end);
/** Moves an open item to @p position, which must not be before the current one. Done automatically
 * at the beginning of a ring's sections, and for samples that a delta cannot reach. */
FTR_API ftr_status ftr_flux_put_current(ftr_flux_trace *trace, uint32_t item, int64_t position);
/** Gets the current position of @p item, to which a delta may be added. Puts nothing. */
FTR_API ftr_status ftr_flux_get_position(const ftr_flux_trace *trace, uint32_t item,
                                         int64_t *position);
/** Sets the base for sequences that are opened without one. */
FTR_API ftr_status ftr_flux_put_domain_base(ftr_flux_trace *trace, const char *domain_base);

/* ---- legends: while the item is open --------------------------------------------------------- */

FTR_API ftr_status ftr_flux_put_enum(ftr_flux_trace *trace, uint32_t item, uint32_t enumeration,
                                     const char *label, uint32_t value);
FTR_API ftr_status ftr_flux_put_member(ftr_flux_trace *trace, uint32_t item, uint32_t member,
                                       const char *label, ftr_flux_member_type type,
                                       const char *descriptor);
/** Puts the name of an element of an array. */
FTR_API ftr_status ftr_flux_put_element(ftr_flux_trace *trace, uint32_t item, uint32_t index,
                                        const char *label);

/* ---- samples: while the item is open --------------------------------------------------------- */

/* All have an absolute position, and a flag to draw the sample as a conflict. They also return
 * FTR_ERR_ORDER for a position before the last one. */

/** Puts the absence of a value from here on. */
FTR_API ftr_status ftr_flux_put_none(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position);
FTR_API ftr_status ftr_flux_put_int(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                    int64_t position, int64_t value);
/** Puts an unsigned integer. With a set top bit it looks negative to readers, as version 4
 * requires. */
FTR_API ftr_status ftr_flux_put_uint(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position, uint64_t value);
FTR_API ftr_status ftr_flux_put_uint32(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, uint32_t value);
FTR_API ftr_status ftr_flux_put_event(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, uint32_t value);
/** Puts eight bytes; ftr_flux_put_float() puts four. */
FTR_API ftr_status ftr_flux_put_double(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, double value);
FTR_API ftr_status ftr_flux_put_float(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, float value);
FTR_API ftr_status ftr_flux_put_text(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position, const char *text);
FTR_API ftr_status ftr_flux_put_binary(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const void *bytes, size_t size);
FTR_API ftr_status ftr_flux_put_events(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const uint32_t *values, size_t count);
FTR_API ftr_status ftr_flux_put_ints(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position, const int32_t *values, size_t count);
FTR_API ftr_status ftr_flux_put_longs(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, const int64_t *values, size_t count);
FTR_API ftr_status ftr_flux_put_floats(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const float *values, size_t count);
FTR_API ftr_status ftr_flux_put_doubles(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                        int64_t position, const double *values, size_t count);
/** Puts states, most significant first, as letters of "01ZXLHUW-JKMNOP"; others are unknown.
 * Missing leading states are filled with @p fill, for example '0'. */
FTR_API ftr_status ftr_flux_put_logic(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, char fill, const char *states);

/** The value of a member. */
typedef struct ftr_flux_member {
    uint32_t member;
    ftr_flux_member_type type;
    bool valid;       /**< false: not put, so unchanged */
    bool is_unsigned; /**< for an integer; enumerations are always unsigned */
    /** integers and floats: size of the C type, 0: 8; text and binary: size in bytes */
    uint32_t size;
    union {
        int64_t integer; /**< also for enumerations; for an unsigned type its bits */
        double real;
        const void *bytes; /**< text and binary */
    } as;
} ftr_flux_member;

FTR_API ftr_status ftr_flux_put_struct(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const ftr_flux_member *members,
                                       size_t count);

/* ---- attachments: to the last sample of the item --------------------------------------------- */

/** Puts a relation.
 *  @param target,style values of the two relation enumerations
 *  @param delta distance to the position of the other end */
FTR_API ftr_status ftr_flux_put_relation(ftr_flux_trace *trace, uint32_t item, uint32_t target,
                                         uint32_t style, int64_t delta);
FTR_API ftr_status ftr_flux_put_label(ftr_flux_trace *trace, uint32_t item, uint32_t style,
                                      int64_t x, int64_t y);

/* ---- handlers, each in a separate object with its dependencies ---------------------------------
 */

/** Writes to a FILE given as user: needs stdio. */
FTR_API size_t ftr_flux_write_file(void *file, const void *bytes, size_t size);

/** Packs the bytes into one LZ4 block of another buffer: needs liblz4. */
typedef struct ftr_flux_packer {
    ftr_flux_buffer *to;
    void *memory; /**< memory of the caller, FTR_FLUX_PACK_BYTES of the first buffer's size */
    size_t size;
} ftr_flux_packer;
#define FTR_FLUX_PACK_BYTES(size) ((size) + (size) / 255 + 64)

/** @param packer an ftr_flux_packer */
FTR_API size_t ftr_flux_pack_lz4(void *packer, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
