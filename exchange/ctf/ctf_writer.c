/* Converts transactions and relations to events. Several files become several traces, written one
 * after the other. Each trace has its own clock. Readers of CTF merge the traces. */
#include "formats.h"

#include "atomic_file.h"
#include "ctf_metadata.h"
#include "ctf_stream.h"
#include "growing_array.h"
#include "event_layout.h"
#include "output_path.h"
#include "exchange_report.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

/* Size of a packet. Readers of CTF can skip whole packets, so packets should be small. With the
 * maximum size, the cost of headers is negligible. Each stream has one packet in memory, so with
 * many streams the packets are smaller, down to the minimum, so that all packets together fit into
 * the budget. */
#define PACKET_SIZE_MAX ((size_t)64 << 10)
#define PACKET_SIZE_MIN ((size_t)4 << 10)
#define PACKETS_BUDGET ((size_t)32 << 20)
#define PROGRESS_INTERVAL 4096
/* Number of names that are tried for a temporary directory. Killed processes may have left
 * directories with the first of these names. */
#define ATTEMPTS_MAX 1000

/* The data with which a reading thread prepares events. */
typedef struct preparing_thread {
    ftr_event_attributes attributes; /* attributes of the current event */
    uint8_t *bytes;                  /* buffer for the current event */
    size_t capacity;
    uint64_t nuls; /* number of NULs that became U+FFFD */
} preparing_thread;

typedef struct writer {
    const char *path; /* path of the input file */
    ftr_reader *reader;
    ftr_query window;
    ftr_ctf_metadata metadata;
    ftr_ctf_trace trace;
    ftr_ctf_stream *streams; /* index: number of the stream in the file */
    size_t stream_count;
    size_t streams_created;
    ftr_ctf_stream relations;
    ftr_loss_counts losses;
    preparing_thread *threads;
    unsigned thread_count;
    ftr_progress progress;
    uint64_t last_time; /* time of the last event, in cycles */
} writer;

/* Reports an error of the input. Errors of the output are reported where they occur. */
static bool refuse(const writer *w, ftr_status status)
{
    ftr_exchange_print_status(w->trace.report, w->path, status);
    return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

static uint8_t *put_head(uint8_t *to, unsigned id, uint64_t time)
{
    return ftr_ctf_put_u64(ftr_ctf_put_u8(to, (uint8_t)id), time);
}

#define HEAD_SIZE (sizeof(uint8_t) + sizeof(uint64_t))

static uint8_t *put_value(uint8_t *to, unsigned array, const ftr_attribute_value *attribute,
                          uint64_t *nuls)
{
    switch (array) {
    case FTR_EVENT_BOOLEANS:
        return ftr_ctf_put_u8(to, attribute->as.boolean);
    case FTR_EVENT_INTEGERS:
        return ftr_ctf_put_u64(to, (uint64_t)ftr_event_integer(attribute));
    case FTR_EVENT_UNSIGNEDS:
        return ftr_ctf_put_u64(to, attribute->as.number);
    case FTR_EVENT_REALS:
        return ftr_ctf_put(to, &attribute->as.real, sizeof attribute->as.real);
    default:
        return ftr_ctf_put_text(
            to, attribute->form == FTR_FORM_TEXT ? attribute->as.text : (ftr_view){0}, nuls);
    }
}

static uint8_t *put_arrays(uint8_t *to, const ftr_event_attributes *attributes, uint64_t *nuls)
{
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++) {
        const size_t count = attributes->counts[array];
        if (count == 0)
            continue;
        to = ftr_ctf_put_u32(to, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            const ftr_attribute_value *attribute = &attributes->sorted[array][i];
            to = ftr_ctf_put_text(to, attribute->name, nuls);
            to = ftr_ctf_put_u8(to, (uint8_t)attribute->class_);
            to = ftr_ctf_put_u8(to, (uint8_t)attribute->type);
            to = put_value(to, array, attribute, nuls);
        }
    }
    return to;
}

/* Returns an upper bound for the bytes that put_arrays() writes. */
static size_t size_of_arrays(const ftr_event_attributes *attributes)
{
    size_t size = FTR_EVENT_ARRAYS * sizeof(uint32_t);
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        for (size_t i = 0; i < attributes->counts[array]; i++) {
            const ftr_attribute_value *attribute = &attributes->sorted[array][i];
            size += ftr_ctf_text_size(attribute->name) + 2 * sizeof(uint8_t);
            size += attribute->form == FTR_FORM_TEXT ? ftr_ctf_text_size(attribute->as.text)
                                                     : sizeof(uint64_t);
        }
    return size;
}

static unsigned event_id(ftr_ctf_metadata *metadata, ftr_timeline_event_kind kind, unsigned shape)
{
    uint8_t *id = &metadata->event_ids[kind][shape];
    if (*id == 0)
        *id = (uint8_t)++metadata->events;
    return *id;
}

static bool create_stream(writer *w, ftr_ctf_stream *stream, const ftr_stream_info *info)
{
    w->streams_created++;
    if (w->trace.packet_size * w->streams_created > PACKETS_BUDGET &&
        w->trace.packet_size > PACKET_SIZE_MIN)
        w->trace.packet_size /= 2;
    if (!ftr_ctf_stream_create(stream, &w->trace, FTR_CTF_TRANSACTIONS, info->index, info->name,
                               info->kind))
        return false;
    const ftr_loss_count *losses = ftr_loss_counts_of(&w->losses, info);
    return losses == NULL || losses->count == 0 ||
           ftr_ctf_stream_discard(stream, &w->trace, w->last_time, losses->count);
}

static ftr_ctf_stream *stream_of(writer *w, const ftr_stream_info *info)
{
    if (!ftr_array_reach(&w->streams, &w->stream_count, info->index, sizeof *w->streams)) {
        (void)refuse(w, FTR_ERR_MEMORY);
        return NULL;
    }
    ftr_ctf_stream *stream = &w->streams[info->index];
    return stream->path != NULL || create_stream(w, stream, info) ? stream : NULL;
}

/* The bytes that a thread prepares for an event: this head, and the part of the event behind its
 * time. If the thread is out of memory, it prepares no bytes. */
typedef struct prepared_event {
    uint64_t room;   /* upper bound for the bytes of the event */
    uint32_t stream; /* index of the stream */
    uint32_t shape;
} prepared_event;

static void prepare_event(void *user, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                          ftr_timeline_event_kind kind, ftr_prepared *prepared)
{
    const writer *w = user;
    preparing_thread *thread = &w->threads[number];
    const ftr_event_attributes *attributes = &thread->attributes;
    const ftr_view generator = tx->generator->name;
    if (!ftr_event_collect(&thread->attributes, reader, kind, tx))
        return;
    const size_t most = sizeof tx->id + ftr_ctf_text_size(generator) + size_of_arrays(attributes);
    if (!ftr_array_fit(&thread->bytes, &thread->capacity, most, 1))
        return;
    uint8_t *to = ftr_ctf_put_u64(thread->bytes, tx->id);
    to = ftr_ctf_put_text(to, generator, &thread->nuls);
    to = put_arrays(to, attributes, &thread->nuls);
    const size_t size = (size_t)(to - thread->bytes);
    prepared_event *event = ftr_prepared_append(prepared, sizeof *event + size);
    if (event == NULL)
        return; /* the cursor reports the lack of memory */
    *event = (prepared_event){HEAD_SIZE + most, tx->stream->index, attributes->shape};
    memcpy(event + 1, thread->bytes, size);
}

static bool put_transaction(writer *w, const ftr_timeline_event *event)
{
    const prepared_event *prepared = event->bytes;
    if (event->time > UINT64_MAX / w->metadata.clock.factor)
        return refuse(w, FTR_ERR_LIMIT);
    w->last_time = event->time * w->metadata.clock.factor;
    if (event->size == 0)
        return refuse(w, FTR_ERR_MEMORY);
    ftr_ctf_stream *stream = stream_of(w, ftr_reader_get_stream(w->reader, prepared->stream));
    if (stream == NULL)
        return false;
    uint8_t *to = ftr_ctf_stream_room(stream, &w->trace, w->last_time, prepared->room);
    if (to == NULL)
        return false;
    to = put_head(to, event_id(&w->metadata, event->kind, prepared->shape), w->last_time);
    to = ftr_ctf_put(to, prepared + 1, event->size - sizeof *prepared);
    ftr_ctf_stream_commit(stream, to);
    return true;
}

static bool put_relation(writer *w, const ftr_relation_info *relation)
{
    static const ftr_view NAME = {"relations", 9};
    ftr_ctf_stream *stream = &w->relations;
    if (stream->path == NULL &&
        !ftr_ctf_stream_create(stream, &w->trace, FTR_CTF_RELATIONS, 0, NAME, (ftr_view){0}))
        return false;
    uint8_t *to =
        ftr_ctf_stream_room(stream, &w->trace, w->last_time,
                            HEAD_SIZE + ftr_ctf_text_size(relation->name) + 4 * sizeof(uint64_t));
    if (to == NULL)
        return false;
    to = put_head(to, FTR_CTF_RELATION_EVENT, w->last_time);
    to = ftr_ctf_put_text(to, relation->name, &stream->nuls);
    to = ftr_ctf_put_u64(to, relation->from_tx);
    to = ftr_ctf_put_u64(to, relation->to_tx);
    to = ftr_ctf_put_u64(to, relation->has_streams ? relation->from_stream : 0);
    to = ftr_ctf_put_u64(to, relation->has_streams ? relation->to_stream : 0);
    ftr_ctf_stream_commit(stream, to);
    return true;
}

/* ---- events of a file ------------------------------------------------------------------------ */

static bool open_threads(writer *w, unsigned reader_threads)
{
    w->thread_count = ftr_timeline_threads(reader_threads);
    w->threads = calloc(w->thread_count, sizeof *w->threads);
    return w->threads != NULL;
}

static void close_threads(writer *w)
{
    for (unsigned i = 0; w->threads != NULL && i < w->thread_count; i++) {
        ftr_event_attributes_free(&w->threads[i].attributes);
        free(w->threads[i].bytes);
    }
    free(w->threads);
    w->threads = NULL;
}

static bool put_transactions(writer *w, unsigned reader_threads)
{
    const ftr_timeline_maker maker = {prepare_event, w, reader_threads};
    ftr_timeline events;
    ftr_timeline_event event;
    ftr_file_info info;
    ftr_reader_get_info(w->reader, &info);
    const uint64_t first = w->window.from > info.first_time ? w->window.from : info.first_time;
    const uint64_t last = w->window.to < info.last_time ? w->window.to : info.last_time;
    ftr_status status = ftr_loss_counts_read(&w->losses, w->reader, &w->window);
    if (status == FTR_OK)
        status = open_threads(w, reader_threads)
                     ? ftr_timeline_open(&events, w->reader, &w->window, &maker)
                     : FTR_ERR_MEMORY;
    if (status != FTR_OK)
        return refuse(w, status);
    ftr_progress_begin(&w->progress, last > first ? last - first : 0, "ticks");
    bool ok = true;
    for (uint64_t passed = 1; ok && (status = ftr_timeline_next(&events, &event)) == FTR_OK;
         passed++) {
        ok = put_transaction(w, &event);
        if (passed % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&w->progress, event.time > first ? event.time - first : 0);
    }
    ftr_progress_end(&w->progress);
    ftr_timeline_close(&events);
    return ok && (status == FTR_ERR_END || refuse(w, status));
}

/* Relations have no time, so they get the time of the last transaction. If a time window is set, no
 * relations are written, because the window may exclude one of their transactions. */
static bool put_relations(writer *w)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    if (w->window.windowed)
        return true;
    ftr_status status = ftr_relation_cursor_open(w->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return refuse(w, status);
    bool ok = true;
    while (ok && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        ok = put_relation(w, &relation);
    ftr_relation_cursor_close(cursor);
    return ok && (status == FTR_ERR_END || refuse(w, status));
}

static bool finish_streams(writer *w)
{
    bool ok = true;
    for (size_t i = 0; i < w->stream_count && ok; i++)
        ok = ftr_ctf_stream_finish(&w->streams[i], &w->trace);
    return ok && ftr_ctf_stream_finish(&w->relations, &w->trace);
}

static void free_writer(writer *w)
{
    for (size_t i = 0; i < w->stream_count; i++)
        ftr_ctf_stream_free(&w->streams[i]);
    free(w->streams);
    ftr_ctf_stream_free(&w->relations);
    close_threads(w);
    ftr_loss_counts_release(&w->losses);
}

/* ---- one trace ------------------------------------------------------------------------------- */

/* Makes a random UUID (version 4). Each trace needs its own UUID, because readers merge traces with
 * the same UUID. */
static bool make_uuid(uint8_t *uuid)
{
    if (getrandom(uuid, FTR_CTF_UUID_SIZE, 0) != FTR_CTF_UUID_SIZE)
        return false;
    uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x40);
    uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
    return true;
}

static char *path_in(const char *directory, const char *name)
{
    char *path = malloc(strlen(directory) + strlen(name) + 2);
    if (path != NULL)
        (void)sprintf(path, "%s/%s", directory, name);
    return path;
}

/* Creates the index directory and the metadata file first, so that no stream can get their
 * names. */
static bool create_trace(const char *directory, FILE **metadata, const ftr_exchange_report *report)
{
    char *index = path_in(directory, FTR_CTF_INDEX_FOLDER);
    char *path = path_in(directory, "metadata");
    errno = ENOMEM;
    bool ok = index != NULL && path != NULL && mkdir(index, 0777) == 0 &&
              (*metadata = fopen(path, "wxe")) != NULL;
    if (!ok)
        ftr_exchange_print_status(report, directory, FTR_ERR_IO);
    free(index);
    free(path);
    return ok;
}

/* Writes the metadata. Called after all events, because the set of event classes is not known
 * before. */
static bool write_metadata(const writer *w, FILE *file)
{
    ftr_ctf_metadata_print(&w->metadata, file);
    const bool ok = ferror(file) == 0;
    return fclose(file) == 0 && ok;
}

static bool set_up(writer *w, const ftr_ctf_input *input, const ftr_ctf_options *options)
{
    ftr_file_info info;
    const char *why = NULL;
    ftr_reader_get_info(input->reader, &info);
    w->metadata.time_scale = info.time_scale;
    if (!ftr_event_clock_of(&info, input->offset_s, input->offset_ns, &w->metadata.clock, &why)) {
        ftr_exchange_print(w->trace.report, "%s: %s", input->path, why);
        return false;
    }
    const char *wrong = ftr_timeline_window(&info, options->begin, options->end, &w->window);
    if (wrong != NULL) {
        ftr_exchange_print(w->trace.report,
                           "%s: --%s is not a time such as \"10 us\", or out of order", input->path,
                           strcmp(wrong, "begin") == 0 ? "from" : "to");
        return false;
    }
    return make_uuid(w->metadata.uuid) || refuse(w, FTR_ERR_IO);
}

static void report_nuls(const writer *w)
{
    uint64_t nuls = w->relations.nuls;
    for (unsigned i = 0; w->threads != NULL && i < w->thread_count; i++)
        nuls += w->threads[i].nuls;
    for (size_t i = 0; i < w->stream_count; i++)
        nuls += w->streams[i].nuls;
    if (nuls > 0)
        ftr_exchange_print(w->trace.report,
                           "%s: %" PRIu64 " NULs in texts and names became U+FFFD, because a text "
                           "of CTF ends at its first NUL",
                           w->path, nuls);
}

static bool write_trace(const ftr_ctf_input *input, const char *directory,
                        const ftr_ctf_options *options, const ftr_exchange_report *report)
{
    writer w = {
        .path = input->path,
        .reader = input->reader,
        .trace = {.directory = directory, .packet_size = PACKET_SIZE_MAX, .report = report}};
    FILE *metadata;
    w.trace.uuid = w.metadata.uuid;
    if (!set_up(&w, input, options) || !create_trace(directory, &metadata, report))
        return false;
    const bool ok = put_transactions(&w, input->threads) && put_relations(&w) && finish_streams(&w);
    const bool described = write_metadata(&w, metadata);
    if (ok && !described)
        ftr_exchange_print_status(report, directory, FTR_ERR_IO);
    if (ok && described)
        report_nuls(&w);
    free_writer(&w);
    return ok && described;
}

/* ---- several traces -------------------------------------------------------------------------- */

/* Returns DIRECTORY/NAME, malloc'ed; NULL if out of memory. If the name is in use, appends a
 * number. */
static char *folder_for(const char *directory, const char *name)
{
    struct stat there;
    char *folder = malloc(strlen(directory) + strlen(name) + sizeof "/-1000000");
    if (folder == NULL)
        return NULL;
    const int length = sprintf(folder, "%s/%s", directory, name);
    for (unsigned number = 2; stat(folder, &there) == 0 && number < 1000000; number++)
        (void)sprintf(folder + length, "-%u", number);
    return folder;
}

static bool write_traces(const ftr_ctf_input *inputs, size_t count, const char *directory,
                         const ftr_ctf_options *options, const ftr_exchange_report *report)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        char *folder = folder_for(directory, inputs[i].name);
        ok = folder != NULL && mkdir(folder, 0777) == 0;
        if (!ok)
            ftr_exchange_print_status(report, directory,
                                      folder != NULL ? FTR_ERR_IO : FTR_ERR_MEMORY);
        ok = ok && write_trace(&inputs[i], folder, options, report);
        free(folder);
    }
    return ok;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    (void)remove(path);
    return 0;
}

/* Creates a temporary directory in the directory of @p path. @p path itself must not exist. @return
 * path of the new directory, to be freed by the caller; NULL after an error message */
static char *create_temporary_directory(const char *path, const ftr_exchange_report *report)
{
    struct stat there;
    char *temporary_path = NULL;
    bool created = false;
    errno = EEXIST;
    if (lstat(path, &there) != 0 && ftr_parent_directories_create(path))
        for (unsigned number = 1; !created && number < ATTEMPTS_MAX; number++) {
            free(temporary_path);
            temporary_path = ftr_atomic_file_temporary_name(path, number);
            created = temporary_path != NULL && mkdir(temporary_path, 0777) == 0;
            if (!created && (temporary_path == NULL || errno != EEXIST))
                /* if the directory exists, a killed process left it, and the next name is tried */
                break;
        }
    if (created)
        return temporary_path;
    ftr_exchange_print_status(report, path, FTR_ERR_IO);
    free(temporary_path);
    return NULL;
}

/* Renames a complete directory to its final name. @return false after an error message */
static bool rename_complete(const char *temporary_path, const char *path,
                            const ftr_exchange_report *report)
{
    if (ftr_atomic_file_rename_new(temporary_path, path) == FTR_OK)
        return true;
    ftr_exchange_print_status(report, path, FTR_ERR_IO);
    return false;
}

bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report)
{
    size_t size = strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    char *path = strndup(directory, size);
    char *temporary_path = path != NULL ? create_temporary_directory(path, report) : NULL;
    bool ok = temporary_path != NULL;
    if (ok) {
        ok = (count == 1 ? write_trace(&inputs[0], temporary_path, options, report)
                         : write_traces(inputs, count, temporary_path, options, report)) &&
             rename_complete(temporary_path, path, report);
        if (!ok)
            (void)nftw(temporary_path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    free(temporary_path);
    free(path);
    return ok;
}
