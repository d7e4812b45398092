/* The files of a stream: their names, the headers of packets, and the index. The metadata
 * (ctf_metadata.c) describes the bytes of the packets; the index has the layout of LTTng. */
#include "ctf_stream.h"

#include "ctf_metadata.h"
#include "growing_array.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC UINT32_C(0xc1fc1fc1)
#define BUFFER_MIN ((size_t)4 << 10)

/* ---- bytes ----------------------------------------------------------------------------------- */

uint8_t *ftr_ctf_put_text(uint8_t *to, ftr_view text, uint64_t *nuls)
{
    static const uint8_t REPLACEMENT[] = {0xef, 0xbf, 0xbd};
    const char *nul;
    while (text.size > 0 && (nul = memchr(text.data, '\0', text.size)) != NULL) {
        const size_t plain = (size_t)(nul - text.data);
        to = ftr_ctf_put(to, text.data, plain);
        to = ftr_ctf_put(to, REPLACEMENT, sizeof REPLACEMENT);
        (*nuls)++;
        text.data += plain + 1;
        text.size -= plain + 1;
    }
    if (text.size > 0)
        to = ftr_ctf_put(to, text.data, text.size);
    return ftr_ctf_put_u8(to, 0);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A file name has at most 255 bytes. The remaining 55 bytes are for a number and a suffix. */
#define NAME_MAX_BYTES 200
#define TRIES 1000000

/* Makes a valid file name that does not begin with a dot, because readers skip files with a leading
 * dot. */
static void make_file_name(char *name, ftr_view wanted)
{
    size_t size = wanted.size < NAME_MAX_BYTES ? wanted.size : NAME_MAX_BYTES;
    while (size > 0 && size < wanted.size && ((uint8_t)wanted.data[size] & 0xc0) == 0x80)
        size--; /* do not cut a character */
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)wanted.data[i];
        name[i] = (char)(byte < ' ' || byte == 0x7f || byte == '/' ? '_' : byte);
    }
    if (size == 0)
        name[size++] = '_';
    if (name[0] == '.')
        name[0] = '_';
    name[size] = '\0';
}

/* Creates a file. If another stream, or the trace itself, already uses the name, appends a number.
 * @param[out] path the path of the file, malloc'ed; NULL if out of memory
 * @return a descriptor; -1 if out of memory, or with errno set */
static int create_file(const char *directory, char *name, char **path)
{
    const size_t size = strlen(name);
    int fd = -1;
    *path = malloc(strlen(directory) + size + sizeof "/-1000000");
    for (unsigned number = 1; *path != NULL && number < TRIES; number++) {
        if (number > 1)
            (void)sprintf(name + size, "-%u", number);
        (void)sprintf(*path, "%s/%s", directory, name);
        fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* All fields are big-endian. */
typedef struct index_head {
    uint32_t magic, major, minor, entry_size;
} index_head;

typedef struct index_entry {
    uint64_t offset;                    /* in bytes */
    uint64_t packet_size, content_size; /* in bits */
    uint64_t timestamp_begin, timestamp_end;
    uint64_t events_discarded;
    uint64_t stream_id;
    uint64_t stream_instance_id, packet_seq_num;
} index_entry;

#define INDEX_MAGIC 0xc1f1dcc1
#define INDEX_MAJOR 1
#define INDEX_MINOR 1

/* ---- writing --------------------------------------------------------------------------------- */

static bool append(const ftr_ctf_trace *trace, const char *path, const void *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool ok = fd >= 0;
    for (size_t done = 0; ok && done < size;) {
        const ssize_t written = write(fd, (const uint8_t *)bytes + done, size - done);
        ok = written > 0 || (written < 0 && errno == EINTR);
        done += written > 0 ? (size_t)written : 0;
    }
    const int error = errno;
    if (fd >= 0 && close(fd) != 0 && ok)
        ok = false;
    else
        errno = error;
    if (!ok)
        ftr_exchange_print_status(trace->report, path, FTR_ERR_IO);
    return ok;
}

bool ftr_ctf_stream_create(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, unsigned class_,
                           uint64_t instance, ftr_view name, ftr_view kind)
{
    char file_name[NAME_MAX_BYTES + sizeof "-1000000"];
    *stream = (ftr_ctf_stream){.class_ = class_, .instance = instance, .name = name, .kind = kind};
    make_file_name(file_name, name);
    const int fd = create_file(trace->directory, file_name, &stream->path);
    if (fd < 0) {
        ftr_exchange_print_status(trace->report,
                                  stream->path != NULL ? stream->path : trace->directory,
                                  stream->path != NULL ? FTR_ERR_IO : FTR_ERR_MEMORY);
        return false;
    }
    (void)close(fd);
    if (asprintf(&stream->index_path, "%s/" FTR_CTF_INDEX_FOLDER "/%s.idx", trace->directory,
                 file_name) < 0) {
        stream->index_path = NULL;
        ftr_exchange_print_status(trace->report, stream->path, FTR_ERR_MEMORY);
        return false;
    }
    const index_head head = {htobe32(INDEX_MAGIC), htobe32(INDEX_MAJOR), htobe32(INDEX_MINOR),
                             htobe32(sizeof(index_entry))};
    return append(trace, stream->index_path, &head, sizeof head);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* The header of a packet, without padding. The names of the stream follow it. */
typedef struct __attribute__((packed)) packet_head {
    uint32_t magic;
    uint8_t uuid[FTR_CTF_UUID_SIZE];
    uint32_t stream_id;
    uint64_t stream_instance_id;
    uint64_t timestamp_begin, timestamp_end;
    uint64_t content_size, packet_size; /* in bits */
    uint64_t packet_seq_num;
    uint64_t events_discarded;
} packet_head;

/* Makes room for @p more bytes at the end of the packet. */
static bool reserve(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, size_t more)
{
    const size_t needed = stream->size + more;
    if (ftr_array_fit(&stream->bytes, &stream->capacity, needed > BUFFER_MIN ? needed : BUFFER_MIN,
                      1))
        return true;
    ftr_exchange_print_status(trace->report, stream->path, FTR_ERR_MEMORY);
    return false;
}

static bool begin_packet(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time)
{
    if (!reserve(stream, trace,
                 sizeof(packet_head) + ftr_ctf_text_size(stream->name) +
                     ftr_ctf_text_size(stream->kind)))
        return false;
    stream->first_time = time;
    uint8_t *to = stream->bytes + sizeof(packet_head);
    to = ftr_ctf_put_text(to, stream->name, &stream->nuls);
    to = ftr_ctf_put_text(to, stream->kind, &stream->nuls);
    ftr_ctf_stream_commit(stream, to);
    return true;
}

/* Empties the packet. Frees a buffer that a large event had enlarged, because there may be many
 * streams. */
static void empty(ftr_ctf_stream *stream, const ftr_ctf_trace *trace)
{
    stream->size = 0;
    if (stream->capacity > trace->packet_size) {
        free(stream->bytes);
        stream->bytes = NULL;
        stream->capacity = 0;
    }
}

bool ftr_ctf_stream_finish(ftr_ctf_stream *stream, const ftr_ctf_trace *trace)
{
    if (stream->size == 0)
        return true;
    const uint64_t bits = (uint64_t)stream->size * 8;
    packet_head head = {.magic = MAGIC,
                        .stream_id = stream->class_,
                        .stream_instance_id = stream->instance,
                        .timestamp_begin = stream->first_time,
                        .timestamp_end = stream->last_time,
                        .content_size = bits,
                        .packet_size = bits,
                        .packet_seq_num = stream->packets,
                        .events_discarded = stream->discarded};
    memcpy(head.uuid, trace->uuid, sizeof head.uuid);
    memcpy(stream->bytes, &head, sizeof head);
    const index_entry entry = {.offset = htobe64(stream->written),
                               .packet_size = htobe64(bits),
                               .content_size = htobe64(bits),
                               .timestamp_begin = htobe64(stream->first_time),
                               .timestamp_end = htobe64(stream->last_time),
                               .events_discarded = htobe64(stream->discarded),
                               .stream_id = htobe64(stream->class_),
                               .stream_instance_id = htobe64(stream->instance),
                               .packet_seq_num = htobe64(stream->packets)};
    if (!append(trace, stream->path, stream->bytes, stream->size) ||
        !append(trace, stream->index_path, &entry, sizeof entry))
        return false;
    stream->written += stream->size;
    stream->packets++;
    empty(stream, trace);
    return true;
}

bool ftr_ctf_stream_discard(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                            uint64_t count)
{
    stream->last_time = time;
    const bool ok = begin_packet(stream, trace, time) && ftr_ctf_stream_finish(stream, trace);
    stream->discarded = count;
    return ok;
}

uint8_t *ftr_ctf_stream_room(ftr_ctf_stream *stream, const ftr_ctf_trace *trace, uint64_t time,
                             size_t size)
{
    if (stream->size + size > trace->packet_size && !ftr_ctf_stream_finish(stream, trace))
        return NULL;
    if (stream->size == 0 && !begin_packet(stream, trace, time))
        return NULL;
    if (!reserve(stream, trace, size))
        return NULL;
    stream->last_time = time;
    return stream->bytes + stream->size;
}

void ftr_ctf_stream_free(ftr_ctf_stream *stream)
{
    free(stream->path);
    free(stream->index_path);
    free(stream->bytes);
    *stream = (ftr_ctf_stream){0};
}
