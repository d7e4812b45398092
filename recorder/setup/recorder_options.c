/* The options of a recorder: defaults and checks. Other files implement their effects. */
#include "recorder_options.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <ftr/version.h>

#include "lz4_block.h"
#include "registry.h"
#include "trace_ends.h"

#define LOWEST_TIME_SCALE (-15)
/* The second one: while many streams have data. */
#define DEFAULT_BLOCK_MEMORY ((size_t)12 << 20)
#define DEFAULT_MOST_BLOCK_MEMORY ((size_t)48 << 20)
#define LARGEST_BLOCK_MEMORY ((size_t)2 << 30)
#define DEFAULT_FLIGHT_SIZE ((uint64_t)64 << 20)
#define DEFAULT_DICTIONARY_MEMORY ((size_t)16 << 20)
/* A little less than 64 KiB, because LZ4 then uses a faster and denser table. */
#define DEFAULT_CHUNK_SIZE ((size_t)63 << 10)
#define LARGEST_CHUNK_SIZE ((size_t)1 << 30)
#define DEFAULT_HC_LEVEL 9
#define LEAST_MAX_SIZE ((uint64_t)64 << 10)
#define MOST_FILES 10000
#define LEAST_BLOCKS 8
/* TABLES: number of tables of definitions and of bodies of streams; the table of entities counts
 * twice. TABLES_LEAST: minimum bytes of address space for all these tables. ENCODING_MEMORY: the
 * same for the encoder. */
#define TABLES 6
#define TABLES_LEAST ((size_t)24 << 20)
#define ENCODING_MEMORY ((size_t)8 << 20)
/* Bytes of address space for the writer thread: for its stack, and for the memory that malloc()
 * reserves for a thread. */
#define WRITER_MEMORY ((size_t)72 << 20)

static ftr_status refuse(const ftr_recorder *rec, const char *what)
{
    ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "cannot record: %s", what);
    return FTR_ERR_ARGUMENT;
}

bool ftr_options_is_time_scale(int scale)
{
    return (scale >= LOWEST_TIME_SCALE && scale <= 0) || scale == FTR_TIME_SCALE_SECOND;
}

ftr_status ftr_options_check(const ftr_recorder *rec, const char *path)
{
    const ftr_recorder_options *options = &rec->options;
    if (!ftr_options_is_time_scale(options->time_scale) &&
        options->time_scale != FTR_TIME_SCALE_LATER)
        return refuse(rec, "the time scale is not -15..0");
    if (options->threads < 0 || options->threads > 1)
        return refuse(rec, "the number of writer threads is not 0 or 1");
    if ((unsigned)options->compression > FTR_COMPRESSION_META || options->compression_level < 0 ||
        options->compression_level > FTR_LZ4_LEVEL_MAX)
        return refuse(rec, "unknown compression or level");
    if ((unsigned)options->floats > FTR_FLOATS_TEXT ||
        (unsigned)options->numbering > FTR_NUMBERING_SPEC ||
        (unsigned)options->when_full > FTR_WHEN_FULL_DROP ||
        (unsigned)options->keep > FTR_KEEP_ON_ERROR || (unsigned)options->mode > FTR_MODE_FLIGHT ||
        (unsigned)options->index > FTR_WRITE_INDEX_NEVER)
        return refuse(rec, "an option has an unknown value");
    if (options->chunk_size > LARGEST_CHUNK_SIZE)
        return refuse(rec, "the chunk size is more than 1 GiB");
    if (options->block_memory > LARGEST_BLOCK_MEMORY || options->flight_size > LARGEST_BLOCK_MEMORY)
        return refuse(rec, "the block memory is more than 2 GiB");
    if (options->max_size && options->max_size < LEAST_MAX_SIZE)
        return refuse(rec, "the maximum file size is less than 64 KiB");
    if (options->max_files == 1 || options->max_files > MOST_FILES ||
        (options->max_files && (!options->max_size || options->sink != NULL)))
        return refuse(rec,
                      "the number of files is not 2 to 10000, or the file size is not limited");
    if (options->sink != NULL && options->sink->write == NULL &&
        (options->summary == NULL || options->summary[0] == '\0'))
        return refuse(rec, "the sink has no write function, and there is no summary");
    if (path == NULL && options->sink == NULL)
        return refuse(rec, "neither a path nor a sink is given");
    return FTR_OK;
}

ftr_status ftr_options_take_window(ftr_recorder *rec)
{
    const ftr_recorder_options *options = &rec->options;
    ftr_recorder_set_window(rec, 0, UINT64_MAX);
    if (options->start != NULL && !ftr_time_parse(options->start, &rec->window.start_time, NULL))
        return refuse(rec, "start is not a time such as \"10 us\"");
    if (options->stop != NULL && !ftr_time_parse(options->stop, &rec->window.stop_time, NULL))
        return refuse(rec, "stop is not a time such as \"10 us\"");
    if (options->start != NULL || options->stop != NULL)
        ftr_recorder_set_valve(rec, FTR_VALVE_WINDOW);
    return FTR_OK;
}

static void fill_in_defaults(ftr_recorder_options *options)
{
    if (options->time_scale == 0)
        options->time_scale = FTR_DEFAULT_TIME_SCALE;
    if (options->flight_size == 0)
        options->flight_size = DEFAULT_FLIGHT_SIZE;
    if (options->dictionary_memory == 0)
        options->dictionary_memory = DEFAULT_DICTIONARY_MEMORY;
    if (options->chunk_size == 0)
        options->chunk_size = DEFAULT_CHUNK_SIZE;
    if (options->compression == FTR_COMPRESSION_LZ4HC && options->compression_level == 0)
        options->compression_level = DEFAULT_HC_LEVEL;
    if (options->epoch_seconds == 0)
        options->epoch_seconds = (int64_t)time(NULL);
}

void ftr_layout_report(uint32_t layout,
                       void (*report)(void *user, ftr_severity severity, const char *message),
                       void *report_user)
{
    char message[256];
    if (report == NULL)
        return;
    snprintf(message, sizeof message,
             "cannot record: the program was compiled with headers of another libftr (layout %08x) "
             "than libftr %s in this process (layout %08x): compile the program again, or load the "
             "libftr that it was compiled for",
             layout, FTR_VERSION_TEXT, FTR_RECORDER_LAYOUT);
    report(report_user, FTR_SEVERITY_ERROR, message);
}

void ftr_options_take(ftr_recorder *rec, const ftr_recorder_options *options)
{
    if (options != NULL)
        rec->options = *options;
    else
        rec->options.threads = 1;
    fill_in_defaults(&rec->options);
}

/* Returns the number of blocks, where @p usual bytes are the default. */
static size_t blocks_of(const ftr_recorder *rec, size_t usual)
{
    const ftr_recorder_options *options = &rec->options;
    const size_t memory = options->block_memory ? options->block_memory : usual;
    const size_t blocks =
        (options->mode == FTR_MODE_FLIGHT ? options->flight_size : memory) / FTR_BLOCK_SIZE;
    return blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks;
}

size_t ftr_options_blocks(const ftr_recorder *rec)
{
    return blocks_of(rec, DEFAULT_BLOCK_MEMORY);
}

size_t ftr_options_most_blocks(const ftr_recorder *rec)
{
    return blocks_of(rec, DEFAULT_MOST_BLOCK_MEMORY);
}

/* Returns the number of bytes of address space that a recorder without a writer thread needs. @p
 * left is the number of bytes that are left in a limited address space. */
static size_t needed(const ftr_recorder *rec, size_t left)
{
    size_t slots = FTR_SLOTS_MAX * FTR_SLOT_SIZE * (ftr_registry_first() != NULL ? 1 : 2);
    size_t least = FTR_ARENA_LEAST(ftr_options_blocks(rec)) * FTR_BLOCK_SIZE;
    size_t blocks = left / FTR_BLOCKS_SHARE > least ? left / FTR_BLOCKS_SHARE : least;
    size_t tables = left / FTR_TABLE_SHARE * TABLES;
    return slots + blocks + (tables > TABLES_LEAST ? tables : TABLES_LEAST) + ENCODING_MEMORY;
}

ftr_status ftr_options_fit(ftr_recorder *rec, size_t *left)
{
    *left = ftr_range_left();
    size_t most = *left / 4;
    size_t least = *left == SIZE_MAX ? 0 : needed(rec, *left);
    if (least > most) {
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR,
                            "cannot record: the limit of the address space (ulimit -v) leaves %zu "
                            "MiB; recording uses at most a quarter of it, and needs %zu MiB",
                            *left >> 20, least >> 20);
        return FTR_ERR_MEMORY;
    }
    if (rec->options.threads && least + WRITER_MEMORY > most) {
        rec->options.threads = 0;
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "the limit of the address space (ulimit -v) leaves no space for a "
                            "writer thread: the recording threads write");
    }
    return FTR_OK;
}
