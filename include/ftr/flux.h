/** @file
 *  Emits the flux trace format, version 4, on a target that has no file system and no allocator:
 * into memory of the caller, with no libc: only memcpy and memset, which compilers call of
 * themselves. It compiles freestanding; no function allocates, blocks or calls anything but the
 * buffer's handler. `ftr convert --from flux` and impulse read what it emits; docs/exchange.md has
 * the format.
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
 *  Texts are UTF-8 that ends with NUL; NULL is empty. A trace and its buffer belong to one thread,
 * or one interrupt level, at a time. A call that fails has written nothing. */
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

/** Takes bytes of whole entries: sends, stores, compresses them. Called by a flush, and when an
 * entry does not fit. @return how many of the @p size bytes it took; the rest is offered again */
typedef size_t ftr_flux_take(void *user, const void *bytes, size_t size);

/** Where entries go. Fields are the emitter's own. */
typedef struct ftr_flux_buffer {
    uint8_t *bytes;
    size_t size;
    size_t used; /**< linear: bytes not taken yet; a ring: of all of it */
    ftr_flux_take *take;
    void *user;
    size_t sections;     /**< of a ring; 0: it is linear */
    size_t section;      /**< the current one */
    size_t sections_at;  /**< where they begin */
    size_t section_size; /**< bytes of one with its head; the last has the rest too */
} ftr_flux_buffer;

/** A linear buffer over @p size bytes at @p memory.
 *  @param take NULL: nothing is taken, the buffer fills up */
FTR_API void ftr_flux_buffer_init(ftr_flux_buffer *buffer, void *memory, size_t size,
                                  ftr_flux_take *take, void *user);

/** Offers all that is held to the handler.
 *  @return FTR_OK, also without a handler; FTR_ERR_IO when it did not take all */
FTR_API ftr_status ftr_flux_flush(ftr_flux_buffer *buffer);

/** What is held: of a ring the whole image, to be saved as it is. */
FTR_API const void *ftr_flux_buffer_get(const ftr_flux_buffer *buffer, size_t *size);

/* ---- traces ---------------------------------------------------------------------------------- */

/** Elements of the array that a trace of items up to @p max_item_id needs. */
#define FTR_FLUX_ITEMS(max_item_id) ((max_item_id) + 1)

/** What is known of a scope or a signal. Fields are the emitter's own. */
typedef struct ftr_flux_item {
    uint32_t parent;
    uint8_t kind; /**< 0: not defined */
    bool open;
    int64_t position; /**< of an open one: where its samples have come to */
} ftr_flux_item;

typedef struct ftr_flux_trace {
    ftr_flux_buffer *buffer;
    ftr_flux_item *items; /**< by id; 0 is the root */
    uint32_t id;
    uint32_t max_item_id;
    uint32_t max_entry_size;
} ftr_flux_trace;

/** What samples of a signal are. */
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

/** What a member of a struct is. */
typedef enum ftr_flux_member_type {
    FTR_FLUX_MEMBER_TEXT = 1,
    FTR_FLUX_MEMBER_ENUM = 2, /**< of the global enumeration */
    FTR_FLUX_MEMBER_INTEGER = 3,
    FTR_FLUX_MEMBER_FLOAT = 4,
    FTR_FLUX_MEMBER_BINARY = 6,
    FTR_FLUX_MEMBER_LOCAL_ENUM = 7, /**< of its own enumeration */
    FTR_FLUX_MEMBER_MERGE_ENUM = 8, /**< of its own, else of the global one */
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

/** @param max_item_id the largest id, below 2^29
 *  @param max_entry_size no entry becomes longer; the buffer must hold one
 *  @param items FTR_FLUX_ITEMS(max_item_id) of them
 *  @return FTR_OK; FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_flux_trace_init(ftr_flux_trace *trace, uint32_t id, uint32_t max_item_id,
                                       uint32_t max_entry_size, ftr_flux_item *items,
                                       ftr_flux_buffer *buffer);

/** From now on entries go to @p buffer; what the old one holds is the caller's to flush. */
FTR_API void ftr_flux_trace_set_buffer(ftr_flux_trace *trace, ftr_flux_buffer *buffer);

/* All that put an entry answer FTR_OK; FTR_ERR_ARGUMENT for an id out of range or a NULL;
 * FTR_ERR_UNDEFINED for an item or parent that is not defined; FTR_ERR_STATE for one that is (not)
 * open, or is defined already; FTR_ERR_LIMIT for an entry over max_entry_size; FTR_ERR_MEMORY when
 * the buffer has no room and its handler made none. */

/** The head, which comes first. */
FTR_API ftr_status ftr_flux_put_head(ftr_flux_trace *trace, const char *name,
                                     const char *description);
/** How receivers take a head. */
typedef enum ftr_flux_mode {
    FTR_FLUX_MODE_NORMAL = 0,
    FTR_FLUX_MODE_SYNC = 1 /**< definitions may be sent again, for who came late */
} ftr_flux_mode;

/** The same with a mode, and of a format derived from flux, named by four characters. */
FTR_API ftr_status ftr_flux_put_head_as(ftr_flux_trace *trace, const char *format,
                                        ftr_flux_mode mode, const char *name,
                                        const char *description);
/** What follows is of this trace: for several in one buffer. */
FTR_API ftr_status ftr_flux_put_switch(ftr_flux_trace *trace);

/** Divides what is left of the buffer into @p count sections that are written in a ring from now
 * on: the oldest is forgotten when there is no room. Comes behind head, definitions and open.
 * What no section can hold is refused with FTR_ERR_MEMORY, and nothing is forgotten for it.
 *  @return also FTR_ERR_ARGUMENT when a section would not be of 16 to 65535 bytes */
FTR_API ftr_status ftr_flux_put_sections(ftr_flux_trace *trace, unsigned count);

FTR_API ftr_status ftr_flux_put_scope(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                      const char *name, const char *description);
FTR_API ftr_status ftr_flux_put_signal(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                       const char *name, const char *description,
                                       ftr_flux_type type, const char *descriptor);
/** Items @p from to @p to, of one name and type. */
FTR_API ftr_status ftr_flux_put_signals(ftr_flux_trace *trace, uint32_t from, uint32_t to,
                                        uint32_t parent, const char *name, const char *description,
                                        ftr_flux_type type, const char *descriptor);
/** Bits @p first_bit to @p last_bit of a vector that several items of one name make up. */
FTR_API ftr_status ftr_flux_put_scattered(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description,
                                          ftr_flux_type type, const char *descriptor,
                                          uint32_t first_bit, uint32_t last_bit);
/** Shows signal @p item in another scope too. */
FTR_API ftr_status ftr_flux_put_reference(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                          const char *name, const char *description);
/** The same, of some of its bits. */
FTR_API ftr_status ftr_flux_put_scattered_reference(ftr_flux_trace *trace, uint32_t item,
                                                    uint32_t parent, const char *name,
                                                    const char *description, uint32_t first_bit,
                                                    uint32_t last_bit);

/* ---- sequences ------------------------------------------------------------------------------- */

/** Samples of @p item and all below it come from here on; of 0: all.
 *  @param domain_base the unit of positions, such as "ns"
 *  @param rate 0: samples are at any position; else the step between them */
FTR_API ftr_status ftr_flux_open(ftr_flux_trace *trace, uint32_t item, const char *domain_base,
                                 int64_t start, uint32_t rate);
/** @param end not before the last sample: otherwise one behind it is taken */
FTR_API ftr_status ftr_flux_close(ftr_flux_trace *trace, uint32_t item, int64_t end);
/** Moves an open item to @p position, not before where it is. Sections of a ring begin with it by
 * themselves, and so do samples that a delta cannot reach. */
FTR_API ftr_status ftr_flux_put_current(ftr_flux_trace *trace, uint32_t item, int64_t position);
/** Where the samples of @p item have come to: to add a delta to. Puts nothing. */
FTR_API ftr_status ftr_flux_get_position(const ftr_flux_trace *trace, uint32_t item,
                                         int64_t *position);
/** The base of sequences that are opened with none. */
FTR_API ftr_status ftr_flux_put_domain_base(ftr_flux_trace *trace, const char *domain_base);

/* ---- legends: while the item is open --------------------------------------------------------- */

FTR_API ftr_status ftr_flux_put_enum(ftr_flux_trace *trace, uint32_t item, uint32_t enumeration,
                                     const char *label, uint32_t value);
FTR_API ftr_status ftr_flux_put_member(ftr_flux_trace *trace, uint32_t item, uint32_t member,
                                       const char *label, ftr_flux_member_type type,
                                       const char *descriptor);
/** The name of an element of an array. */
FTR_API ftr_status ftr_flux_put_element(ftr_flux_trace *trace, uint32_t item, uint32_t index,
                                        const char *label);

/* ---- samples: while the item is open --------------------------------------------------------- */

/* All take the position, absolute, and whether the sample is to be drawn as a conflict. They answer
 * also FTR_ERR_ORDER for a position before the last one. */

/** From here on there is no value. */
FTR_API ftr_status ftr_flux_put_none(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position);
FTR_API ftr_status ftr_flux_put_int(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                    int64_t position, int64_t value);
/** A value with its top bit set looks negative to readers: version 4 has it so. */
FTR_API ftr_status ftr_flux_put_uint(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                     int64_t position, uint64_t value);
FTR_API ftr_status ftr_flux_put_uint32(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, uint32_t value);
FTR_API ftr_status ftr_flux_put_event(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, uint32_t value);
/** Eight bytes; ftr_flux_put_float(): four. */
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
/** States, most significant first, as letters of "01ZXLHUW-JKMNOP"; others are unknown. What is
 * before them is filled with @p fill, as '0'. */
FTR_API ftr_status ftr_flux_put_logic(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                      int64_t position, char fill, const char *states);

/** The value of a member. */
typedef struct ftr_flux_member {
    uint32_t member;
    ftr_flux_member_type type;
    bool valid;       /**< false: it is left out, which means unchanged */
    bool is_unsigned; /**< an integer; enumerations always are */
    uint32_t size;    /**< integers and floats: bytes of the C type, 0: 8; text and binary: bytes */
    union {
        int64_t integer; /**< also enumerations; of an unsigned type its bits */
        double real;
        const void *bytes; /**< text and binary */
    } as;
} ftr_flux_member;

FTR_API ftr_status ftr_flux_put_struct(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                       int64_t position, const ftr_flux_member *members,
                                       size_t count);

/* ---- attachments: to the last sample of the item --------------------------------------------- */

/** @param target,style values of the two relation enumerations
 *  @param delta to the position of the other end */
FTR_API ftr_status ftr_flux_put_relation(ftr_flux_trace *trace, uint32_t item, uint32_t target,
                                         uint32_t style, int64_t delta);
FTR_API ftr_status ftr_flux_put_label(ftr_flux_trace *trace, uint32_t item, uint32_t style,
                                      int64_t x, int64_t y);

/* ---- handlers, each in an object of its own, with what it needs -------------------------------
 */

/** Writes to a FILE given as user: needs stdio. */
FTR_API size_t ftr_flux_write_file(void *file, const void *bytes, size_t size);

/** Packs what is offered into one LZ4 block of another buffer: needs liblz4. */
typedef struct ftr_flux_packer {
    ftr_flux_buffer *to;
    void *memory; /**< the caller's, FTR_FLUX_PACK_BYTES of the first buffer's size */
    size_t size;
} ftr_flux_packer;
#define FTR_FLUX_PACK_BYTES(size) ((size) + (size) / 255 + 64)

/** @param packer an ftr_flux_packer */
FTR_API size_t ftr_flux_pack_lz4(void *packer, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
