/** @file
 *  Writes the flux trace format, version 4, to memory of the caller, on a target without file
 *  system and allocator. The emitter compiles freestanding and needs no libc, except memcpy and
 *  memset, which compilers call implicitly. Its functions do not allocate or block, and call no
 *  other code than the handler of the buffer. `ftr convert --input-format flux` and impulse read
 *  the output; docs/exchange.md describes the format.
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
 *  Texts are UTF-8, NUL-terminated; NULL means an empty text. A trace and its buffer must be used
 * by only one thread, or one interrupt level, at a time. A call that fails writes nothing. */
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

/** The handler of a buffer: consumes bytes of whole entries, for example sends, stores or
 * compresses them. Called by a flush, and if the next entry does not fit into the buffer. @return
 * number of consumed bytes, at most @p size; the other bytes are passed again later */
typedef size_t ftr_flux_take(void *user, const void *bytes, size_t size);

/** The destination of entries: a linear buffer, or a ring of sections (ftr_flux_put_sections()).
 * The members are internal to the emitter. */
typedef struct ftr_flux_buffer {
    uint8_t *bytes;
    size_t size;
    size_t used; /**< linear: number of bytes not consumed yet; ring: `size` */
    ftr_flux_take *take;
    void *user;
    size_t sections;    /**< number of sections of a ring; 0: linear */
    size_t section;     /**< index of the current section */
    size_t sections_at; /**< offset of the first section */
    /** size of a section in bytes, with its head; the last section also has the remaining bytes */
    size_t section_size;
} ftr_flux_buffer;

/** Initialises a linear buffer over @p size bytes at @p memory.
 *  @param take the handler; NULL: nothing is consumed, so entries fail when the buffer is full */
FTR_API void ftr_flux_buffer_init(ftr_flux_buffer *buffer, void *memory, size_t size,
                                  ftr_flux_take *take, void *user);

/** Passes all buffered bytes to the handler. Does nothing without a handler, or for a ring.
 *  @return FTR_OK; FTR_ERR_IO if the handler did not consume all bytes */
FTR_API ftr_status ftr_flux_flush(ftr_flux_buffer *buffer);

/** Returns the buffered bytes, and sets @p size to their number. For a ring, these are all bytes of
 * the buffer's memory; they form a complete flux file. */
FTR_API const void *ftr_flux_buffer_get(const ftr_flux_buffer *buffer, size_t *size);

/* ---- traces ---------------------------------------------------------------------------------- */

/** Number of elements of the array `items` of a trace with item ids up to @p max_item_id. */
#define FTR_FLUX_ITEMS(max_item_id) ((max_item_id) + 1)

/** State of a scope or a signal. The members are internal to the emitter. */
typedef struct ftr_flux_item {
    uint32_t parent;
    uint8_t kind; /**< 0: not defined */
    bool open;
    int64_t position; /**< if `open`: the current position, from which deltas are counted */
} ftr_flux_item;

typedef struct ftr_flux_trace {
    ftr_flux_buffer *buffer;
    ftr_flux_item *items; /**< index: id of the item; 0 is the root */
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
    FTR_FLUX_MEMBER_ENUM = 2, /**< a value of the global enumeration */
    FTR_FLUX_MEMBER_INTEGER = 3,
    FTR_FLUX_MEMBER_FLOAT = 4,
    FTR_FLUX_MEMBER_BINARY = 6,
    FTR_FLUX_MEMBER_LOCAL_ENUM = 7, /**< a value of the enumeration of this member */
    /** a value of the enumeration of this member or, if missing there, of the global one */
    FTR_FLUX_MEMBER_MERGE_ENUM = 8,
    /** added to one of the other values in a definition; viewers then do not show the member */
    FTR_FLUX_MEMBER_HIDDEN = 0x80
} ftr_flux_member_type;

/** Numbers of the enumerations of an item. The enumeration of member n has the number
 * FTR_FLUX_ENUM_MEMBER + n. */
enum {
    FTR_FLUX_ENUM_GLOBAL = 0,
    FTR_FLUX_ENUM_RELATION_TARGET = 1,
    FTR_FLUX_ENUM_RELATION_STYLE = 2,
    FTR_FLUX_ENUM_LABEL_STYLE = 3,
    FTR_FLUX_ENUM_MEMBER = 8
};

/** Initialises a trace.
 *  @param max_item_id the largest id of an item, below 2^29
 *  @param max_entry_size maximum size of an entry in bytes; the buffer must have room for one entry
 *                        of this size
 *  @param items array of FTR_FLUX_ITEMS(max_item_id) elements, used as long as the trace
 *  @return FTR_OK; FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_flux_trace_init(ftr_flux_trace *trace, uint32_t id, uint32_t max_item_id,
                                       uint32_t max_entry_size, ftr_flux_item *items,
                                       ftr_flux_buffer *buffer);

/** Writes all further entries to @p buffer. The previous buffer keeps its bytes; the
 * caller must flush it, before or after this call. */
FTR_API void ftr_flux_trace_set_buffer(ftr_flux_trace *trace, ftr_flux_buffer *buffer);

/* All functions that put an entry return FTR_OK; FTR_ERR_ARGUMENT for an id out of range, or NULL
 * for an array; FTR_ERR_UNDEFINED for an item or parent that is not defined; FTR_ERR_STATE if the
 * item is not open although it must be, is already open, or is already defined; FTR_ERR_LIMIT for
 * an entry longer than max_entry_size; FTR_ERR_MEMORY if the buffer is full and the handler did not
 * consume enough. */

/** Puts the head, which must be the first entry of a trace. */
FTR_API ftr_status ftr_flux_put_head(ftr_flux_trace *trace, const char *name,
                                     const char *description);
/** Tells receivers how to treat a repeated head. */
typedef enum ftr_flux_mode {
    FTR_FLUX_MODE_NORMAL = 0,
    /** head and definitions may be repeated, for receivers that join later */
    FTR_FLUX_MODE_SYNC = 1
} ftr_flux_mode;

/** Puts a head with a mode. @p format is the name of a format derived from flux, four
 * characters. */
FTR_API ftr_status ftr_flux_put_head_as(ftr_flux_trace *trace, const char *format,
                                        ftr_flux_mode mode, const char *name,
                                        const char *description);
/** States that the following entries belong to this trace. Needed if a buffer has several
 * traces. */
FTR_API ftr_status ftr_flux_put_switch(ftr_flux_trace *trace);

/** Divides the rest of the buffer into @p count sections, which are used as a ring from now on: if
 * an entry does not fit into the current section, the oldest section is overwritten. Call it after
 * the head, the definitions and ftr_flux_open(), because only entries before the sections are never
 * overwritten. If an entry is longer than a section, it is not put, no section is overwritten, and
 * the call that puts it returns FTR_ERR_MEMORY.
 * @return FTR_OK; FTR_ERR_ARGUMENT if a section would not have 16 to 65535 bytes; FTR_ERR_STATE if
 *         the buffer already has sections */
FTR_API ftr_status ftr_flux_put_sections(ftr_flux_trace *trace, unsigned count);

FTR_API ftr_status ftr_flux_put_scope(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                      const char *name, const char *description);
FTR_API ftr_status ftr_flux_put_signal(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                       const char *name, const char *description,
                                       ftr_flux_type type, const char *descriptor);
/** Puts signals with the ids @p from to @p to, all with the same name and type. */
FTR_API ftr_status ftr_flux_put_signals(ftr_flux_trace *trace, uint32_t from, uint32_t to,
                                        uint32_t parent, const char *name, const char *description,
                                        ftr_flux_type type, const char *descriptor);
/** Puts a signal that contains only the bits @p first_bit to @p last_bit of a vector. The signals
 * of all parts of the vector have the same name. */
FTR_API ftr_status ftr_flux_put_scattered(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description,
                                          ftr_flux_type type, const char *descriptor,
                                          uint32_t first_bit, uint32_t last_bit);
/** Shows signal @p item also in the scope @p parent. */
FTR_API ftr_status ftr_flux_put_reference(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description);
/** Shows the bits @p first_bit to @p last_bit of signal @p item also in the scope @p parent. */
FTR_API ftr_status ftr_flux_put_scattered_reference(ftr_flux_trace *trace, uint32_t item,
                                                    uint32_t parent, const char *name,
                                                    const char *description, uint32_t first_bit,
                                                    uint32_t last_bit);

/* ---- sequences ------------------------------------------------------------------------------- */

/** Opens @p item and all items below it for samples. Item 0 is the root: opening it opens all
 * items.
 *  @param domain_base the unit of positions, for example "ns"; NULL: the unit from
 *                     ftr_flux_put_domain_base()
 *  @param rate distance between samples, in units of positions; 0: samples may be at any
 *              position */
FTR_API ftr_status ftr_flux_open(ftr_flux_trace *trace, uint32_t item, const char *domain_base,
                                 int64_t start, uint32_t rate);
/** Closes an item. @param end position of the end; if it is before the current position, the item
 * ends one unit after the current position */
FTR_API ftr_status ftr_flux_close(ftr_flux_trace *trace, uint32_t item, int64_t end);
/** Moves an open item to @p position, which must not be before its current position. The emitter
 * does this automatically at the beginning of each section of a ring, and before a sample if its
 * position cannot be expressed as a delta. */
FTR_API ftr_status ftr_flux_put_current(ftr_flux_trace *trace, uint32_t item, int64_t position);
/** Gets the current position of @p item, from which deltas are counted. Puts no entry. */
FTR_API ftr_status ftr_flux_get_position(const ftr_flux_trace *trace, uint32_t item,
                                         int64_t *position);
/** Sets the domain base of items that are opened without one. */
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

/* @p position is absolute, in units of the domain base. @p conflict: viewers draw the sample as a
 * conflict. These functions also return FTR_ERR_ORDER for a position before the current one. */

/** Puts a sample without a value: from @p position on, the signal has no value. */
FTR_API ftr_status ftr_flux_put_none(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position);
FTR_API ftr_status ftr_flux_put_int(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                    int64_t position, int64_t value);
/** Puts an unsigned integer. If the top bit is set, readers take it for a negative number: version
 * 4 requires this encoding. */
FTR_API ftr_status ftr_flux_put_uint(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position, uint64_t value);
FTR_API ftr_status ftr_flux_put_uint32(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, uint32_t value);
FTR_API ftr_status ftr_flux_put_event(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, uint32_t value);
/** Puts a float of eight bytes; ftr_flux_put_float() puts one of four bytes. */
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
/** Puts a logic value. Each letter of @p states is one state, most significant first, from
 * "01ZXLHUW-JKMNOP"; other letters mean an unknown state. @p fill, for example '0', is the state of
 * all more significant digits. */
FTR_API ftr_status ftr_flux_put_logic(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, char fill, const char *states);

/** The value of a member of a struct. */
typedef struct ftr_flux_member {
    uint32_t member;
    ftr_flux_member_type type;
    bool valid;       /**< false: the value is not put, so the member keeps its previous value */
    bool is_unsigned; /**< for an integer; values of enumerations are always unsigned */
    /** size in bytes; for integers and floats, the size of the C type, and 0 means 8 */
    uint32_t size;
    union {
        int64_t integer; /**< also for enumerations; an unsigned value is converted to int64_t */
        double real;
        const void *bytes; /**< text and binary */
    } as;
} ftr_flux_member;

FTR_API ftr_status ftr_flux_put_struct(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const ftr_flux_member *members,
                                       size_t count);

/* ---- attachments: to the last sample of the item --------------------------------------------- */

/** Puts a relation.
 *  @param target,style values of the enumerations FTR_FLUX_ENUM_RELATION_TARGET and
 *                      FTR_FLUX_ENUM_RELATION_STYLE
 *  @param delta position of the other end minus position of the last sample */
FTR_API ftr_status ftr_flux_put_relation(ftr_flux_trace *trace, uint32_t item, uint32_t target,
                                         uint32_t style, int64_t delta);
FTR_API ftr_status ftr_flux_put_label(ftr_flux_trace *trace, uint32_t item, uint32_t style,
                                      int64_t x, int64_t y);

/* ---- handlers -------------------------------------------------------------------------------- */

/* Each handler is in a separate object file, so a program needs stdio or liblz4 only if it uses the
 * handler that needs it. */

/** A handler that writes to a FILE. Needs stdio. @param file the FILE * */
FTR_API size_t ftr_flux_write_file(void *file, const void *bytes, size_t size);

/** State of the handler ftr_flux_pack_lz4(). */
typedef struct ftr_flux_packer {
    ftr_flux_buffer *to;
    /** memory of the caller: FTR_FLUX_PACK_BYTES(n) bytes if the buffer with this handler has n
     * bytes */
    void *memory;
    size_t size;
} ftr_flux_packer;
#define FTR_FLUX_PACK_BYTES(size) ((size) + (size) / 255 + 64)

/** A handler that packs the bytes into one LZ4 block and puts the block into another buffer. Needs
 * liblz4. @param packer an ftr_flux_packer */
FTR_API size_t ftr_flux_pack_lz4(void *packer, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
