/* Opens and closes readers, and holds the calls that need no transaction. */
#include "cursor.h"
#include "growing_array.h"
#include "index_file_reader.h"
#include "numbering.h"
#include "reader_state.h"
#include "relation_cursor.h"
#include "struct_size.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_MEMORY ((size_t)128 << 20)
/* Smallest memory limit. A smaller budget would not hold one chunk of a typical file and the memory
 * to sort it. */
#define MEMORY_MIN ((size_t)1 << 20)
/* The part of the limit that callers cannot reserve. */
#define ROOM_SHARE 8u

/* Returns the options of a caller; @p given NULL: the default options. */
static ftr_reader_options whole_options(const ftr_reader_options *given)
{
    ftr_reader_options options = {.size = sizeof options};
    if (given != NULL)
        ftr_struct_take(&options, sizeof options, given);
    return options;
}

static ftr_status new_reader(const ftr_reader_options *options, ftr_reader **created)
{
    ftr_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return FTR_ERR_MEMORY;
    reader->budget.limit = options->memory > 0 ? options->memory : DEFAULT_MEMORY;
    if (reader->budget.limit < MEMORY_MIN)
        reader->budget.limit = MEMORY_MIN;
    reader->budget.reclaim = ftr_cursors_reclaim;
    reader->budget.user = reader;
    reader->checks_surfer_web = options->surfer_web;
    reader->threads = options->threads;
    reader->findings.callback = options->finding;
    reader->findings.user = options->finding_user;
    reader->cache.source = &reader->source;
    reader->cache.budget = &reader->budget;
    reader->cache.findings = &reader->findings;
    reader->cache.directory = &reader->directory;
    reader->source.fd = -1;
    ftr_forms_init(&reader->forms);
    ftr_index_reset(reader);
    if (options->numbering != FTR_READER_NUMBERING_DETECT) {
        reader->numbering = options->numbering == FTR_READER_NUMBERING_SPEC
                                ? FTR_NUMBERING_SPEC
                                : FTR_NUMBERING_DEPLOYED;
        reader->numbering_known = reader->numbering_sampled = true;
    }
    if (options->directory != NULL) {
        reader->temporaries = strdup(options->directory);
        if (reader->temporaries == NULL) {
            free(reader);
            return FTR_ERR_MEMORY;
        }
    }
    *created = reader;
    return FTR_OK;
}

/* Indexes the whole file, with the index beside @p path if there is one. A pipe is indexed later,
 * while it is read. @p path NULL: no index is used */
static ftr_status begin_reading(ftr_reader *reader, const char *path)
{
    ftr_status status = ftr_index_begin(reader);
    if (status == FTR_OK && path != NULL && !reader->source.is_pipe)
        status = ftr_index_file_load(reader, path);
    if (status == FTR_OK)
        status = ftr_index_extend(reader);
    if (status != FTR_OK && status != FTR_ERR_END)
        return status;
    if (!reader->source.is_pipe)
        ftr_index_settle(reader);
    return FTR_OK;
}

static ftr_status finish_open(ftr_reader *reader, ftr_status status, const char *path,
                              ftr_reader **opened)
{
    if (status == FTR_OK)
        status = begin_reading(reader, path);
    if (status == FTR_OK) {
        *opened = reader;
        return FTR_OK;
    }
    const int cause = errno;
    ftr_reader_close(reader);
    errno = cause;
    return status;
}

/* @param path of the file; NULL: not known, or the index beside the file is not used */
static ftr_status open_descriptor(int fd, bool own, const char *path,
                                  const ftr_reader_options *given, ftr_reader **opened)
{
    const ftr_reader_options options = whole_options(given);
    ftr_reader *reader;
    ftr_status status = new_reader(&options, &reader);
    if (status != FTR_OK) {
        if (own)
            (void)close(fd);
        return status;
    }
    status = ftr_source_init_fd(&reader->source, fd, own, options.spool, reader->temporaries,
                                &reader->budget);
    return finish_open(reader, status, options.without_index ? NULL : path, opened);
}

ftr_status ftr_reader_open(const char *path, const ftr_reader_options *options, ftr_reader **reader)
{
    if (path == NULL || reader == NULL)
        return FTR_ERR_ARGUMENT;
    if (strcmp(path, "-") == 0)
        return open_descriptor(STDIN_FILENO, false, NULL, options, reader);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return FTR_ERR_IO;
    return open_descriptor(fd, true, path, options, reader);
}

ftr_status ftr_reader_open_fd(int fd, const ftr_reader_options *options, ftr_reader **reader)
{
    if (fd < 0 || reader == NULL)
        return FTR_ERR_ARGUMENT;
    return open_descriptor(fd, false, NULL, options, reader);
}

ftr_status ftr_reader_open_memory(const void *bytes, size_t size, const ftr_reader_options *given,
                                  ftr_reader **opened)
{
    const ftr_reader_options options = whole_options(given);
    if ((bytes == NULL && size > 0) || opened == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_reader *reader;
    const ftr_status status = new_reader(&options, &reader);
    if (status != FTR_OK)
        return status;
    ftr_source_init_memory(&reader->source, bytes, size);
    return finish_open(reader, FTR_OK, NULL, opened);
}

void ftr_reader_close(ftr_reader *reader)
{
    if (reader == NULL)
        return;
    while (!LIST_EMPTY(&reader->cursors))
        ftr_cursor_close(LIST_FIRST(&reader->cursors));
    while (!LIST_EMPTY(&reader->relation_cursors))
        ftr_relation_cursor_close(LIST_FIRST(&reader->relation_cursors));
    ftr_index_reset(reader);
    ftr_source_release(&reader->source);
    free(reader->temporaries);
    free(reader);
}

/* The reader needs room for chunks that it reads afterwards, and for their texts: otherwise it
 * would report texts as undefined. */
bool ftr_reader_reserve(ftr_reader *reader, size_t size)
{
    ftr_budget *budget = &reader->budget;
    const size_t room = budget->limit / ROOM_SHARE;
    if (size > budget->limit - room || !ftr_budget_reserve(budget, size + room))
        return false;
    ftr_budget_release(budget, room);
    return true;
}

void ftr_reader_give_back(ftr_reader *reader, size_t size)
{
    ftr_budget_release(&reader->budget, size);
}

/* Returns true if the index has all bytes of a file. */
static bool is_indexed(const ftr_reader *reader)
{
    return !reader->source.is_pipe && reader->magic_seen && reader->indexed == reader->source.size;
}

ftr_status ftr_reader_refresh(ftr_reader *reader, bool *grown)
{
    if (reader == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_status status = ftr_source_refresh(&reader->source);
    if (status == FTR_OK && is_indexed(reader))
        status = FTR_ERR_END;
    /* The threads that read ahead share the index, so they must end before it changes. */
    if (status != FTR_ERR_END)
        ftr_cursors_stop_ahead(reader);
    if (status == FTR_OK && !reader->source.is_pipe)
        status = ftr_index_extend(reader);
    if (status != FTR_OK && status != FTR_ERR_END)
        return status;
    if (grown != NULL)
        *grown = status == FTR_OK;
    return FTR_OK;
}

void ftr_reader_get_info(ftr_reader *reader, ftr_file_info *info)
{
    *info = reader->info;
    info->size = reader->source.size;
    if (info->sound_size == UINT64_MAX)
        info->sound_size = info->size;
    info->ended = reader->break_seen;
    info->strings = reader->texts.count;
    info->findings = reader->findings.count;
}

ftr_numbering ftr_reader_get_numbering(ftr_reader *reader, bool *known)
{
    ftr_numbering_sample(reader);
    if (known != NULL)
        *known = reader->numbering_known;
    return reader->numbering;
}

size_t ftr_reader_stream_count(const ftr_reader *reader)
{
    return reader->directory.stream_count;
}

const ftr_stream_info *ftr_reader_get_stream(const ftr_reader *reader, size_t index)
{
    return index < reader->directory.stream_count ? &reader->directory.streams[index]->info : NULL;
}

const ftr_stream_info *ftr_reader_find_stream(const ftr_reader *reader, uint64_t id)
{
    const ftr_stream_entry *stream = ftr_directory_find_stream(&reader->directory, id);
    return stream != NULL ? &stream->info : NULL;
}

size_t ftr_reader_generator_count(const ftr_reader *reader)
{
    return reader->directory.generator_count;
}

const ftr_generator_info *ftr_reader_get_generator(const ftr_reader *reader, size_t index)
{
    return index < reader->directory.generator_count ? &reader->directory.generators[index]->info
                                                     : NULL;
}

const ftr_generator_info *ftr_reader_find_generator(const ftr_reader *reader, uint64_t id)
{
    const ftr_generator_entry *generator = ftr_directory_find_generator(&reader->directory, id);
    return generator != NULL ? &generator->info : NULL;
}

size_t ftr_reader_chunk_count(const ftr_reader *reader)
{
    return reader->chunk_count;
}

bool ftr_reader_get_chunk(const ftr_reader *reader, size_t index, ftr_chunk_info *info)
{
    if (index >= reader->chunk_count)
        return false;
    const ftr_chunk *chunk = ftr_chunk_at(reader, index);
    const bool has_stream = chunk->kind == FTR_CHUNK_TRANSACTIONS;
    *info = (ftr_chunk_info){
        .kind = (ftr_chunk_kind)chunk->kind,
        .compressed = chunk->compressed,
        .offset = chunk->offset,
        .size = (uint64_t)chunk->head + chunk->payload_size + chunk->tail,
        .bytes_expanded = chunk->raw_size,
        .stream = has_stream ? ftr_reader_get_stream(reader, chunk->stream) : NULL,
        .start = chunk->start,
        .end = chunk->end,
    };
    return true;
}
