/* One stream of a CTF trace: a file of packets, and an index file, in which readers search for a
 * time. The files are opened only while a packet is written, so the number of streams is not
 * limited. */
#ifndef FTR_CTF_STREAM_H
#define FTR_CTF_STREAM_H

#include "exchange_report.h"

#include <ftr/reader.h>

/* State shared by the streams of a trace. */
typedef struct ftr_ctf_trace {
    const char *directory; /* already contains the directory FTR_CTF_INDEX_FOLDER */
    const uint8_t *uuid;
    size_t packet_size; /* maximum size of a packet in bytes; a single event may exceed it */
    const ftr_exchange_report *report;
} ftr_ctf_trace;

#define FTR_CTF_INDEX_FOLDER "index"

/* Must be zero-initialised. */
typedef struct ftr_ctf_stream {
    char *path, *index_path;
    uint32_t class_;
    uint64_t instance;   /* number of the stream among the streams of its class */
    ftr_view name, kind; /* borrowed from the reader */
    uint8_t *bytes;      /* the packet under construction */
    size_t size, capacity;
    uint64_t first_time, last_time; /* times of the first and last event of the packet */
    /* `packets`: number of packets in the file; `written`: number of bytes in the file */
    uint64_t packets, written;
    /* number of events discarded from the beginning of the stream to the end of the packet */
    uint64_t discarded;
    uint64_t nuls; /* number of NULs, in the stream's name or kind or in names of relations, that
                      became U+FFFD */
} ftr_ctf_stream;

/* Creates the file of the stream, with a name derived from @p name. @p name and @p kind are
 * borrowed until ftr_ctf_stream_free(). @return false after an error message */
bool ftr_ctf_stream_create(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, unsigned class_,
                           uint64_t instance, ftr_view name, ftr_view kind);

/* Makes room for an event of at most @p size bytes. Its time @p time must not be before the last
 * event.
 * @return where to write the event, valid until ftr_ctf_stream_commit(); NULL after an error
 * message */
uint8_t *ftr_ctf_stream_room(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                             size_t size);

/* Adds the event to the packet. The event ends before @p end. */
static inline void ftr_ctf_stream_commit(ftr_ctf_stream *stream, const uint8_t *end)
{
    stream->size = (size_t)(end - stream->bytes);
}

/* Reports that @p count events are missing between @p time and the end of the first packet with
 * events. Readers compute losses from the counters of two consecutive packets, so this function
 * writes an empty packet first. Call this function before the first event.
 * @return false after an error message */
bool ftr_ctf_stream_discard(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                            uint64_t count);

/* Writes the last packet. @return false after an error message */
bool ftr_ctf_stream_finish(ftr_ctf_stream *stream, const ftr_ctf_trace *trace);

void ftr_ctf_stream_free(ftr_ctf_stream *stream);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Each function writes at @p to and returns the position after it. Numbers have this machine's byte
 * order. */
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

/* Returns the maximum size of a text in the file, including the terminating NUL. Each NUL in the
 * text becomes three bytes. */
static inline size_t ftr_ctf_text_size(ftr_view text)
{
    return 3 * text.size + 1;
}

/* Writes a text. CTF texts end at their first NUL, so NULs within the text become U+FFFD. Adds the
 * number of these NULs to *nuls. */
uint8_t *ftr_ctf_put_text(uint8_t *to, ftr_view text, uint64_t *nuls);

#endif
