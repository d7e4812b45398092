/* libFuzzer target for the repair: the repair of any bytes is a valid file of bounded size, and a
 * second repair loses nothing and changes no name, transaction or relation. Without libFuzzer
 * (fuzz_main.c) it replays a corpus. */
#include <ftr/reader.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* An LZ4 block expands to at most 255 times its size; the rest is for invented texts. */
#define EXPANSION 300
#define MADE_UP ((uint64_t)1 << 20)

static char directory[64];
static char paths[3][80];

static void remove_files(void)
{
    for (unsigned i = 0; i < 3; i++)
        (void)unlink(paths[i]);
    (void)rmdir(directory);
}

static void make_paths(void)
{
    if (directory[0] != '\0')
        return;
    (void)snprintf(directory, sizeof directory, "%s/fuzz_repair_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(directory) == NULL)
        abort();
    for (unsigned i = 0; i < 3; i++)
        (void)snprintf(paths[i], sizeof paths[i], "%s/%u.ftr", directory, i);
    (void)atexit(remove_files);
}

/* ---- the content of a file: a hash of all definitions, transactions and relations ------------ */

static void add(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void add_text(uint64_t *hash, ftr_view text)
{
    add(hash, text.data != NULL ? text.size : UINT64_MAX);
    for (size_t i = 0; i < text.size; i++)
        add(hash, (unsigned char)text.data[i]);
}

static void add_definitions(uint64_t *hash, const ftr_reader *reader)
{
    const size_t streams = ftr_reader_stream_count(reader);
    const size_t generators = ftr_reader_generator_count(reader);
    for (size_t i = 0; i < streams; i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        add(hash, stream->id);
        add_text(hash, stream->name);
        add_text(hash, stream->kind);
    }
    for (size_t i = 0; i < generators; i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
        add(hash, generator->id);
        add(hash, generator->stream->id);
        add_text(hash, generator->name);
    }
}

static void add_attributes(uint64_t *hash, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        add_text(hash, attribute.name);
        add(hash, ((uint64_t)attribute.class_ << 16) + ((uint64_t)attribute.type << 8) +
                      (uint64_t)attribute.form);
        uint64_t number = 0;
        if (attribute.form == FTR_FORM_TEXT)
            add_text(hash, attribute.as.text);
        else if (attribute.form == FTR_FORM_BOOLEAN)
            number = attribute.as.boolean;
        else if (attribute.form != FTR_FORM_NONE)
            memcpy(&number, &attribute.as, sizeof number);
        add(hash, number);
    }
}

static void add_transactions(uint64_t *hash, ftr_reader *reader)
{
    const ftr_query all = {.size = sizeof all};
    ftr_cursor *cursor;
    ftr_transaction tx;
    if (ftr_cursor_open(reader, &all, &cursor) != FTR_OK)
        abort();
    while (ftr_cursor_next(cursor, &tx) == FTR_OK) {
        add(hash, tx.id);
        add(hash, tx.begin);
        add(hash, tx.end);
        add(hash, tx.generator_id);
        add_attributes(hash, reader, &tx);
    }
    ftr_cursor_close(cursor);
}

static void add_relations(uint64_t *hash, ftr_reader *reader)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    if (ftr_relation_cursor_open(reader, false, 0, &cursor) != FTR_OK)
        abort();
    while (ftr_relation_cursor_next(cursor, &relation) == FTR_OK) {
        add_text(hash, relation.name);
        add(hash, relation.from_tx);
        add(hash, relation.to_tx);
    }
    ftr_relation_cursor_close(cursor);
}

static uint64_t hash_content(const char *path)
{
    ftr_reader *reader;
    uint64_t hash = 0;
    if (ftr_reader_open(path, NULL, &reader) != FTR_OK)
        abort();
    add_definitions(&hash, reader);
    add_transactions(&hash, reader);
    add_relations(&hash, reader);
    ftr_reader_close(reader);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    make_paths();
    const int fd = open(paths[0], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0)
        abort();
    ftr_repair first;
    ftr_repair second;
    if (ftr_file_repair(paths[0], paths[1], NULL, NULL, &first) != FTR_OK)
        return 0;
    if (first.bytes_out > (uint64_t)size * EXPANSION + MADE_UP)
        abort();
    if (ftr_file_repair(paths[1], paths[2], NULL, NULL, &second) != FTR_OK || second.lost)
        abort();
    if (hash_content(paths[1]) != hash_content(paths[2]))
        abort();
    return 0;
}
