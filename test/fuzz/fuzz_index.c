/* libFuzzer target for the index beside a trace: a reader ignores an index that does not describe
 * its trace, and gives the right answers; with any other index it does not crash. The input is an
 * index, or a sequence of sections of an index whose hashes are right. Without libFuzzer
 * (fuzz_main.c) it replays a corpus. */
#include "index_file.h"

#include <ftr/reader.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The example of docs/format.md: one chunk of each kind, with two transactions and a relation. */
static const uint8_t TRACE[] = {
    0xd9, 0xd9, 0xf7, 0x9f, 0xc6, 0x48, 0x82, 0x2b, 0xc1, 0x1a, 0x65, 0x53, 0xf1, 0x00, 0xc8, 0x58,
    0x42, 0xa9, 0x00, 0x67, 0x74, 0x6f, 0x70, 0x2e, 0x62, 0x75, 0x73, 0x01, 0x63, 0x74, 0x6c, 0x6d,
    0x02, 0x64, 0x72, 0x65, 0x61, 0x64, 0x03, 0x67, 0x61, 0x64, 0x64, 0x72, 0x65, 0x73, 0x73, 0x04,
    0x64, 0x67, 0x61, 0x69, 0x6e, 0x05, 0x66, 0x73, 0x74, 0x61, 0x74, 0x75, 0x73, 0x06, 0x62, 0x4f,
    0x4b, 0x07, 0x64, 0x6e, 0x65, 0x78, 0x74, 0x08, 0x6a, 0x75, 0x6e, 0x66, 0x69, 0x6e, 0x69, 0x73,
    0x68, 0x65, 0x64, 0xca, 0x4c, 0x9f, 0xd0, 0x83, 0x01, 0x00, 0x01, 0xd1, 0x83, 0x02, 0x02, 0x01,
    0xff, 0xcc, 0x84, 0x01, 0x19, 0x03, 0xe8, 0x19, 0x17, 0x70, 0x58, 0x37, 0x9f, 0x84, 0xc6, 0x84,
    0x01, 0x02, 0x19, 0x03, 0xe8, 0x19, 0x13, 0x88, 0xc7, 0x83, 0x03, 0x03, 0x18, 0x80, 0xc8, 0x83,
    0x04, 0x04, 0xfa, 0x3f, 0x00, 0x00, 0x00, 0xc9, 0x83, 0x05, 0x01, 0x06, 0x83, 0xc6, 0x84, 0x02,
    0x02, 0x19, 0x17, 0x70, 0x19, 0x17, 0x70, 0xc7, 0x83, 0x03, 0x03, 0x18, 0x84, 0xc9, 0x83, 0x08,
    0x00, 0xf5, 0xff, 0xce, 0x48, 0x9f, 0x85, 0x07, 0x01, 0x02, 0x01, 0x01, 0xff, 0xff};

static char trace_path[64];
static char index_path[80];

static void write_file(const char *path, const void *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)close(fd);
}

static void remove_files(void)
{
    char folder[sizeof trace_path];
    (void)unlink(trace_path);
    (void)unlink(index_path);
    memcpy(folder, trace_path, sizeof folder);
    *strrchr(folder, '/') = '\0';
    (void)rmdir(folder);
}

static void prepare(void)
{
    char folder[] = "/tmp/fuzz_index-XXXXXX";
    if (trace_path[0] != '\0')
        return;
    if (mkdtemp(folder) == NULL)
        abort();
    (void)snprintf(trace_path, sizeof trace_path, "%s/run.ftr", folder);
    (void)snprintf(index_path, sizeof index_path, "%s" FTR_INDEX_SUFFIX, trace_path);
    write_file(trace_path, TRACE, sizeof TRACE);
    (void)atexit(remove_files);
}

/* Puts the sections of an input: for each one, a byte that selects its name, its size in two bytes,
 * and its content. */
static void put_sections(ftr_cbor_writer *w, const uint8_t *bytes, size_t size)
{
    static const char *const NAMES[] = {FTR_INDEX_CHUNKS, FTR_INDEX_IDS, "addresses"};
    while (size >= 3) {
        const char *name = NAMES[bytes[0] % 3];
        size_t length = (size_t)bytes[1] << 8 | bytes[2];
        bytes += 3;
        size -= 3;
        length = length < size ? length : size;
        ftr_cbor_put_array(w, 3);
        ftr_cbor_put_text(w, name, strlen(name));
        ftr_cbor_put_uint(w, ftr_index_hash_section(bytes, length));
        ftr_cbor_put_bytes(w, bytes, length);
        bytes += length;
        size -= length;
    }
}

static void write_sections(const uint8_t *bytes, size_t size)
{
    ftr_cbor_writer w;
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_cbor_put_encoded(&w, FTR_INDEX_MAGIC, FTR_INDEX_MAGIC_SIZE);
    ftr_cbor_put_uint(&w, FTR_INDEX_VERSION);
    ftr_cbor_put_indefinite_array(&w);
    put_sections(&w, bytes, size);
    ftr_cbor_put_break(&w);
    ftr_cbor_put_array(&w, 2);
    ftr_cbor_put_uint(&w, sizeof TRACE);
    ftr_cbor_put_uint(&w, ftr_index_hash_trace(TRACE, TRACE, sizeof TRACE));
    if (w.status != FTR_OK)
        abort();
    write_file(index_path, w.begin, ftr_cbor_writer_size(&w));
    ftr_cbor_writer_free(&w);
}

/* Reads the transactions and relations of an id; @p by_id false: all of them. Returns their
 * number. */
static uint64_t read_entries(ftr_reader *reader, bool by_id, uint64_t id)
{
    const ftr_query query = {.size = sizeof query, .by_id = by_id, .id = id};
    ftr_cursor *cursor;
    ftr_relation_cursor *relations;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    ftr_relation_info relation;
    uint64_t count = 0;
    if (ftr_cursor_open(reader, &query, &cursor) != FTR_OK ||
        ftr_relation_cursor_open(reader, by_id, id, &relations) != FTR_OK)
        abort();
    while (ftr_cursor_next(cursor, &tx) == FTR_OK)
        for (count++; ftr_reader_next_attribute(reader, &tx, &attribute);)
            count += attribute.name.data == NULL;
    while (ftr_relation_cursor_next(relations, &relation) == FTR_OK)
        count++;
    ftr_cursor_close(cursor);
    ftr_relation_cursor_close(relations);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const ftr_reader_options options = {.size = sizeof options, .memory = 1 << 20};
    ftr_reader *reader;
    prepare();
    if (size > 0 && (bytes[0] & 1) != 0)
        write_file(index_path, bytes + 1, size - 1);
    else if (size > 0)
        write_sections(bytes + 1, size - 1);
    if (size == 0 || ftr_reader_open(trace_path, &options, &reader) != FTR_OK)
        return 0;
    const uint64_t found = read_entries(reader, true, 2) + read_entries(reader, true, 3);
    const uint64_t all = read_entries(reader, false, 0);
    if (ftr_reader_get_index_state(reader) != FTR_INDEX_USED && (found != 2 || all != 3))
        abort();
    if (ftr_reader_collect_ids(reader) != FTR_OK || ftr_reader_check(reader) != FTR_OK)
        abort();
    ftr_reader_close(reader);
    return 0;
}
