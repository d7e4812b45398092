/* One stream of a CTF trace: a file of packets, and beside it the index that readers look times up
 * in. No file is open between packets, so a trace may have any number of streams. */
#ifndef FTR_CTF_STREAM_H
#define FTR_CTF_STREAM_H

#include "exchange_report.h"

#include <ftr/reader.h>

/* What the streams of a trace have in common. */
typedef struct ftr_ctf_trace {
    const char *directory; /* has a folder FTR_CTF_INDEX_FOLDER */
    const uint8_t *uuid;
    size_t packet_size; /* of a packet at most, if it has more than one event */
    const ftr_exchange_report *report;
} ftr_ctf_trace;

#define FTR_CTF_INDEX_FOLDER "index"

/* Zero-initialise it. */
typedef struct ftr_ctf_stream {
    char *path, *index_path;
    uint32_t class_;
    uint64_t instance;   /* among those of its class */
    ftr_view name, kind; /* the reader's */
    uint8_t *bytes;      /* the packet that is being made */
    size_t size, capacity;
    uint64_t first_time, last_time; /* of its events */
    uint64_t packets, written;      /* packets and bytes in the file */
    uint64_t discarded;             /* events, up to the end of the packet */
} ftr_ctf_stream;

/* Creates its file, named after @p name as far as a file can be. The texts are borrowed until
 * ftr_ctf_stream_free(). @return false after saying why */
bool ftr_ctf_stream_create(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, unsigned class_,
                           uint64_t instance, ftr_view name, ftr_view kind);

/* Makes room for an event of at most @p size bytes at @p time, which is none before the last one's.
 * @return where to write it, until ftr_ctf_stream_commit(); NULL after saying why */
uint8_t *ftr_ctf_stream_room(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                             size_t size);

/* The event ends before @p end. */
static inline void ftr_ctf_stream_commit(ftr_ctf_stream *stream, const uint8_t *end)
{
    stream->size = (size_t)(end - stream->bytes);
}

/* Says that @p count events are missing between @p time and the end of the first packet. Counters
 * are compared with that of the packet before: it writes an empty one in front. Before any event.
 * @return false after saying why */
bool ftr_ctf_stream_discard(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                            uint64_t count);

/* Writes what is left. @return false after saying why */
bool ftr_ctf_stream_finish(ftr_ctf_stream *stream, const ftr_ctf_trace *trace);

void ftr_ctf_stream_free(ftr_ctf_stream *stream);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Each writes at @p to and returns what is behind it. Numbers are as this machine has them. */
static inline uint8_t *ftr_ctf_put(uint8_t *to, const void *bytes, size_t size)
{
    __builtin_memcpy(to, bytes, size);
    return to + size;
}

static inline uint8_t *ftr_ctf_put_u8(uint8_t *to, uint8_t value)
{
    *to = value;
    return to + 1;
}

static inline uint8_t *ftr_ctf_put_u32(uint8_t *to, uint32_t value)
{
    return ftr_ctf_put(to, &value, sizeof value);
}

static inline uint8_t *ftr_ctf_put_u64(uint8_t *to, uint64_t value)
{
    return ftr_ctf_put(to, &value, sizeof value);
}

/* At most this many bytes of a text: a NUL becomes three, and one ends it. */
static inline size_t ftr_ctf_text_size(ftr_view text)
{
    return 3 * text.size + 1;
}

/* Texts of CTF end at their first NUL: those within become U+FFFD. */
uint8_t *ftr_ctf_put_text(uint8_t *to, ftr_view text);

#endif
