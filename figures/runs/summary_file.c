/* Files of runs: the runs in them, the locations of their records, and the removal of duplicates.
 */
#include "summary_file.h"

#include "cbor_reader.h"
#include "cbor_writer.h"
#include "content_hash.h"
#include "growing_array.h"
#include "lz4_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "ftr-summary"
#define MAGIC_HEAD (FTR_CBOR_MAJOR_TEXT << 5 | (sizeof MAGIC - 1))
#define VERSION 3
#define HASH_SIZE 8u /* length of the stored hash of a run */
#define READ_SIZE ((size_t)64 << 10)
#define HEADER_MAX 128u
/* Maximum size of one run, enough for thousands of generators. */
#define RUN_SIZE_MAX ((uint64_t)1 << 30)
#define BLOCK_SIZE_MAX ((size_t)1 << 30)
/* Maximum number of bytes to which LZ4 expands one byte. */
#define EXPANSION_MAX 255u
#define LZ4_LEVEL 4
/* Limit on the memory of a record, so that a damaged block cannot require more. The limit is a
 * base, plus a number of bytes for each byte of the block. If the compressed block of a record is
 * too small for the memory of the record, the record is stored without compression. */
#define MEMORY_BASE ((uint64_t)16 << 20)
#define MEMORY_PER_BYTE 1024u

typedef struct entry {
    uint8_t identity[FTR_RUN_IDENTITY_SIZE];
    uint8_t hash[HASH_SIZE];
    uint64_t transactions;
    uint64_t raw_size;   /* size of the record; 0: the block is the record, not compressed */
    uint64_t offset;     /* offset of the block in its file */
    uint8_t *block;      /* NULL: the block is in a file */
    uint32_t block_size; /* size of the block in bytes */
    uint32_t source;     /* number of the file */
    uint8_t state;
    uint8_t sections; /* set of ftr_run_section */
} entry;

struct ftr_summary_index {
    entry *entries;
    size_t count, capacity;
    char **paths;
    size_t path_count, path_capacity;
    uint8_t *buffer; /* the last block that was read from a file */
    size_t buffer_size;
    int fd; /* descriptor of the file that was read last, or -1 */
    size_t open_source;
};

bool ftr_is_summary(const char *path)
{
    static const unsigned char start[] = {0xd9, 0xd9, 0xf7, 0x83};
    unsigned char head[sizeof start];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    /* A pipe cannot be read twice. On a pipe, pread() fails and consumes no bytes. */
    const ssize_t got = pread(fd, head, sizeof head, 0);
    (void)close(fd);
    return got == sizeof head && memcmp(head, start, sizeof head) == 0;
}

ftr_status ftr_summary_index_create(ftr_summary_index **index)
{
    ftr_summary_index *created = calloc(1, sizeof *created);
    if (created == NULL)
        return FTR_ERR_MEMORY;
    created->fd = -1;
    *index = created;
    return FTR_OK;
}

void ftr_summary_index_destroy(ftr_summary_index *index)
{
    if (index == NULL)
        return;
    for (size_t i = 0; i < index->count; i++)
        free(index->entries[i].block);
    for (size_t i = 0; i < index->path_count; i++)
        free(index->paths[i]);
    if (index->fd >= 0)
        (void)close(index->fd);
    free(index->entries);
    free(index->paths);
    free(index->buffer);
    free(index);
}

static bool add_entry(ftr_summary_index *index, const entry *added)
{
    if (!ftr_array_grow(&index->entries, &index->capacity, index->count, sizeof *index->entries))
        return false;
    index->entries[index->count++] = *added;
    return true;
}

static bool reserve_buffer(ftr_summary_index *index, size_t size)
{
    return ftr_array_fit(&index->buffer, &index->buffer_size, size, 1);
}

/* Computes the hash of a run: the hash of its block and of the numbers before the block. */
static void hash_run(const entry *e, const uint8_t *block, uint8_t hash[HASH_SIZE])
{
    uint8_t whole[FTR_CONTENT_HASH_SIZE];
    uint8_t numbers[18] = {e->state, e->sections};
    ftr_content_hash sum;
    ftr_cbor_store_64(numbers + 2, e->transactions);
    ftr_cbor_store_64(numbers + 10, e->raw_size);
    ftr_content_hash_init(&sum);
    ftr_content_hash_add(&sum, e->identity, sizeof e->identity);
    ftr_content_hash_add(&sum, numbers, sizeof numbers);
    ftr_content_hash_add(&sum, block, e->block_size);
    ftr_content_hash_get(&sum, whole);
    memcpy(hash, whole, HASH_SIZE);
}

/* ---- reading a file -------------------------------------------------------------------------- */

typedef struct scan {
    ftr_summary_index *index;
    int fd;
    uint64_t offset; /* offset of the buffer's first byte in the file */
    size_t at, filled;
    bool ended;
} scan;

/* Removes the parsed bytes from the buffer, and appends further bytes of the file. */
static ftr_status read_on(scan *s)
{
    ftr_summary_index *index = s->index;
    memmove(index->buffer, index->buffer + s->at, s->filled - s->at);
    s->offset += s->at;
    s->filled -= s->at;
    s->at = 0;
    if (s->filled == index->buffer_size && !reserve_buffer(index, index->buffer_size * 2))
        return FTR_ERR_MEMORY;
    ssize_t got;
    do
        got = read(s->fd, index->buffer + s->filled, index->buffer_size - s->filled);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return FTR_ERR_IO;
    s->ended = got == 0;
    s->filled += (size_t)got;
    return FTR_OK;
}

typedef ftr_status parse_function(ftr_cbor_reader *r, void *to);

/* Parses the next items with @p parse. Reads further bytes of the file until the items are
 * complete. */
static ftr_status parse_next(scan *s, parse_function *parse, void *to)
{
    for (;;) {
        ftr_cbor_reader r;
        ftr_cbor_reader_init(&r, s->index->buffer + s->at, s->filled - s->at);
        ftr_status status = parse(&r, to);
        if (status != FTR_ERR_TRUNCATED || s->ended) {
            if (status == FTR_OK)
                s->at += ftr_cbor_reader_offset(&r);
            return status;
        }
        status = read_on(s);
        if (status != FTR_OK)
            return status;
    }
}

typedef struct file_head {
    uint64_t version; /* the version of the file, if it is not VERSION */
    uint64_t runs;
} file_head;

static ftr_status parse_head(ftr_cbor_reader *r, void *to)
{
    file_head *found = to;
    uint64_t tag = 0, count = 0, version = 0;
    const char *magic;
    size_t size;
    /* Each item is checked before the next one is parsed, so that a file of another format is
     * rejected early. */
    if (ftr_cbor_get_tag(r, &tag) == FTR_OK && tag != FTR_CBOR_TAG_SELF_DESCRIBED)
        return FTR_ERR_FORMAT;
    if (ftr_cbor_get_array(r, &count) == FTR_OK && count != 3)
        return FTR_ERR_FORMAT;
    if (ftr_cbor_reader_left(r) > 0 && *r->cursor != MAGIC_HEAD)
        return FTR_ERR_FORMAT;
    if (ftr_cbor_get_text(r, &magic, &size) == FTR_OK && memcmp(magic, MAGIC, size) != 0)
        return FTR_ERR_FORMAT;
    if (ftr_cbor_get_uint(r, &version) == FTR_OK && version != VERSION) {
        found->version = version;
        return FTR_ERR_LIMIT;
    }
    /* Reads only the head of the array: the file is read in parts, so its items are not in the
     * buffer yet. */
    ftr_cbor_head head;
    if (ftr_cbor_get_head(r, &head) != FTR_OK)
        return r->status;
    found->runs = head.argument;
    return head.major == FTR_CBOR_MAJOR_ARRAY && !head.indefinite ? FTR_OK : FTR_ERR_FORMAT;
}

typedef struct found_run {
    entry entry;
    const uint8_t *block;
    char unknown[64]; /* name of a section that this version does not know */
} found_run;

static ftr_status parse_sections(ftr_cbor_reader *r, found_run *found)
{
    uint64_t count = 0;
    unsigned next = 0;
    if (ftr_cbor_get_array(r, &count) != FTR_OK)
        return r->status;
    for (uint64_t i = 0; i < count; i++) {
        const char *name = NULL;
        size_t size = 0;
        if (ftr_cbor_get_text(r, &name, &size) != FTR_OK)
            return r->status;
        unsigned section = 0;
        while (section < FTR_SECTIONS &&
               (strlen(ftr_run_section_name((ftr_run_section)section)) != size ||
                memcmp(ftr_run_section_name((ftr_run_section)section), name, size) != 0))
            section++;
        if (section == FTR_SECTIONS) {
            /* The name is printed in messages, so only harmless characters are copied. */
            size_t copied = 0;
            for (; copied < size && copied + 1 < sizeof found->unknown; copied++)
                found->unknown[copied] =
                    (char)(name[copied] >= ' ' && name[copied] <= '~' ? name[copied] : '?');
            if (copied == 0)
                found->unknown[copied++] = '?';
            found->unknown[copied] = '\0';
            return FTR_ERR_LIMIT;
        }
        if (section < next)
            return FTR_ERR_FORMAT;
        next = section + 1;
        found->entry.sections = (uint8_t)(found->entry.sections | 1u << section);
    }
    return FTR_OK;
}

static ftr_status parse_run(ftr_cbor_reader *r, void *to)
{
    found_run *found = to;
    entry *e = &found->entry;
    uint64_t count, state;
    const uint8_t *identity, *hash;
    size_t identity_size, hash_size, block_size;
    *found = (found_run){0};
    if (ftr_cbor_get_array(r, &count) != FTR_OK ||
        ftr_cbor_get_bytes(r, &identity, &identity_size) != FTR_OK ||
        ftr_cbor_get_uint(r, &state) != FTR_OK || ftr_cbor_get_uint(r, &e->transactions) != FTR_OK)
        return r->status;
    const ftr_status status = parse_sections(r, found);
    if (status != FTR_OK)
        return status;
    if (ftr_cbor_get_uint(r, &e->raw_size) != FTR_OK ||
        ftr_cbor_get_bytes(r, &hash, &hash_size) != FTR_OK ||
        ftr_cbor_get_bytes(r, &found->block, &block_size) != FTR_OK)
        return r->status;
    if (count != 7 || identity_size != FTR_RUN_IDENTITY_SIZE || hash_size != HASH_SIZE ||
        state >= FTR_RUN_STATES || block_size > UINT32_MAX || e->raw_size > RUN_SIZE_MAX ||
        e->raw_size > (uint64_t)block_size * EXPANSION_MAX)
        return FTR_ERR_FORMAT;
    memcpy(e->identity, identity, FTR_RUN_IDENTITY_SIZE);
    memcpy(e->hash, hash, HASH_SIZE);
    e->state = (uint8_t)state;
    e->block_size = (uint32_t)block_size;
    return FTR_OK;
}

static void set_problem(ftr_summary_problem *problem, uint64_t offset, const char *message)
{
    problem->offset = offset;
    (void)snprintf(problem->message, sizeof problem->message, "%s", message);
}

static bool is_trace(const scan *s)
{
    static const uint8_t start[] = {0xd9, 0xd9, 0xf7, 0x9f};
    return s->filled >= sizeof start && memcmp(s->index->buffer, start, sizeof start) == 0;
}

/* Explains why the head was rejected. */
static void explain_head(const scan *s, const file_head *head, ftr_summary_problem *problem)
{
    if (head->version > VERSION)
        set_problem(problem, 0, "it is of a later version of the format; read it with a later ftr");
    else if (head->version > 0)
        (void)snprintf(problem->message, sizeof problem->message,
                       "version %llu of a summary file; made by an unreleased ftr; make it again "
                       "from the traces",
                       (unsigned long long)head->version);
    else
        set_problem(problem, 0,
                    s->ended && s->filled == 0 ? "the file is empty"
                    : is_trace(s) ? "it is a trace, not a summary; 'ftr summary TRACE -o "
                                    "FILE' makes a summary"
                                  : "it is not a summary file");
}

static ftr_status scan_runs(scan *s, size_t source, ftr_summary_problem *problem)
{
    file_head head = {0};
    ftr_status status = parse_next(s, parse_head, &head);
    if (status != FTR_OK)
        explain_head(s, &head, problem);
    for (uint64_t i = 0; i < head.runs && status == FTR_OK; i++) {
        found_run found;
        uint8_t hash[HASH_SIZE];
        set_problem(problem, s->offset + s->at, "the record of a run is damaged or cut");
        status = parse_next(s, parse_run, &found);
        if (status == FTR_ERR_LIMIT && found.unknown[0] != '\0')
            (void)snprintf(problem->message, sizeof problem->message,
                           "the unknown section '%s'; read the file with a later ftr",
                           found.unknown);
        if (status != FTR_OK)
            break;
        found.entry.offset = s->offset + s->at - found.entry.block_size;
        found.entry.source = (uint32_t)source;
        hash_run(&found.entry, found.block, hash);
        if (memcmp(hash, found.entry.hash, HASH_SIZE) != 0)
            status = FTR_ERR_FORMAT;
        else if (!add_entry(s->index, &found.entry))
            status = FTR_ERR_MEMORY;
    }
    while (status == FTR_OK && !s->ended && s->at == s->filled)
        status = read_on(s);
    if (status == FTR_OK && s->at < s->filled) {
        set_problem(problem, s->offset + s->at, "there are bytes behind the last run");
        status = FTR_ERR_FORMAT;
    }
    return status;
}

static bool add_path(ftr_summary_index *index, const char *path)
{
    if (!ftr_array_grow(&index->paths, &index->path_capacity, index->path_count,
                        sizeof *index->paths))
        return false;
    char *copy = strdup(path);
    if (copy == NULL)
        return false;
    index->paths[index->path_count++] = copy;
    return true;
}

ftr_status ftr_summary_index_add_file(ftr_summary_index *index, const char *path,
                                      ftr_summary_problem *problem)
{
    const size_t before = index->count;
    set_problem(problem, 0, "it is not a summary file");
    if (!reserve_buffer(index, READ_SIZE) || !add_path(index, path))
        return FTR_ERR_MEMORY;
    scan s = {.index = index, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (s.fd < 0)
        return FTR_ERR_IO;
    ftr_status status = scan_runs(&s, index->path_count - 1, problem);
    const int error = errno;
    (void)close(s.fd);
    errno = error;
    if (status == FTR_OK)
        return FTR_OK;
    index->count = before;
    return status == FTR_ERR_IO || status == FTR_ERR_MEMORY ? status : FTR_ERR_FORMAT;
}

/* ---- adding runs ----------------------------------------------------------------------------- */

/* Compresses a record. The block is the uncompressed record if compression does not make it
 * smaller, or makes it too small for the memory of the record (see MEMORY_BASE). */
static ftr_status make_block(const ftr_encoded_run *encoded, entry *made)
{
    const uint64_t memory = encoded->memory;
    const size_t size = encoded->size;
    const size_t capacity = ftr_lz4_bound(size);
    size_t compressed = 0;
    ftr_lz4_compressor *compressor = NULL;
    made->block = malloc(capacity > size ? capacity : size);
    ftr_status status = made->block != NULL ? FTR_OK : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = ftr_lz4_compressor_create(LZ4_LEVEL, &compressor);
    if (status == FTR_OK)
        status = ftr_lz4_compress(compressor, 0, encoded->bytes, size, made->block, capacity,
                                  &compressed);
    ftr_lz4_compressor_destroy(compressor);
    if (status != FTR_OK)
        return status;
    made->raw_size = size;
    made->block_size = (uint32_t)compressed;
    if (compressed >= size || memory > MEMORY_BASE + (uint64_t)compressed * MEMORY_PER_BYTE) {
        memcpy(made->block, encoded->bytes, size);
        made->raw_size = 0;
        made->block_size = (uint32_t)size;
    }
    uint8_t *fitted = realloc(made->block, made->block_size);
    made->block = fitted != NULL ? fitted : made->block;
    return FTR_OK;
}

ftr_status ftr_summary_index_add_encoded(ftr_summary_index *index, const ftr_run_record *run,
                                         const ftr_encoded_run *encoded)
{
    entry added = {.state = (uint8_t)run->state,
                   .transactions = run->transactions,
                   .sections = (uint8_t)encoded->sections};
    memcpy(added.identity, run->identity, FTR_RUN_IDENTITY_SIZE);
    const ftr_status status =
        encoded->size <= BLOCK_SIZE_MAX ? make_block(encoded, &added) : FTR_ERR_LIMIT;
    if (status == FTR_OK)
        hash_run(&added, added.block, added.hash);
    if (status == FTR_OK && add_entry(index, &added))
        return FTR_OK;
    free(added.block);
    return status == FTR_OK ? FTR_ERR_MEMORY : status;
}

ftr_status ftr_summary_index_add_run(ftr_summary_index *index, const ftr_run_record *run)
{
    ftr_encoded_run encoded;
    ftr_status status = ftr_run_encode(run, &encoded);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_add_encoded(index, run, &encoded);
    ftr_encoded_run_release(&encoded);
    return status;
}

size_t ftr_summary_index_count(const ftr_summary_index *index)
{
    return index->count;
}

bool ftr_summary_index_is_open(const ftr_summary_index *index, size_t at)
{
    return index->entries[at].state == FTR_RUN_UNFINISHED;
}

void ftr_summary_index_remove(ftr_summary_index *index, size_t at)
{
    free(index->entries[at].block);
    index->entries[at] = index->entries[--index->count];
}

ftr_status ftr_summary_index_move(ftr_summary_index *to, ftr_summary_index *from)
{
    const uint32_t offset = (uint32_t)to->path_count;
    for (size_t i = 0; i < from->path_count; i++)
        if (!add_path(to, from->paths[i]))
            return FTR_ERR_MEMORY;
    for (; from->count > 0; from->count--) {
        entry moved = from->entries[from->count - 1];
        moved.source += moved.block == NULL ? offset : 0;
        if (!add_entry(to, &moved))
            return FTR_ERR_MEMORY;
    }
    return FTR_OK;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Orders entries by run. Records of the same run are ordered from the most to the least complete
 * one. */
static int compare_entries(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    const int identity = memcmp(x->identity, y->identity, FTR_RUN_IDENTITY_SIZE);
    if (identity != 0)
        return identity;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->transactions != y->transactions)
        return x->transactions > y->transactions ? -1 : 1;
    return memcmp(x->hash, y->hash, HASH_SIZE);
}

size_t ftr_summary_index_settle(ftr_summary_index *index)
{
    size_t kept = 0;
    if (index->count > 0)
        qsort(index->entries, index->count, sizeof *index->entries, compare_entries);
    for (size_t i = 0; i < index->count; i++) {
        entry *e = &index->entries[i];
        if (kept > 0 &&
            memcmp(index->entries[kept - 1].identity, e->identity, FTR_RUN_IDENTITY_SIZE) == 0)
            free(e->block);
        else
            index->entries[kept++] = *e;
    }
    index->count = kept;
    return kept;
}

/* ---- records --------------------------------------------------------------------------------- */

static ftr_status open_source(ftr_summary_index *index, size_t source)
{
    if (index->fd >= 0 && index->open_source == source)
        return FTR_OK;
    if (index->fd >= 0)
        (void)close(index->fd);
    index->fd = open(index->paths[source], O_RDONLY | O_CLOEXEC);
    index->open_source = source;
    return index->fd >= 0 ? FTR_OK : FTR_ERR_IO;
}

/* Returns the block of a run, valid until the next call. */
static ftr_status get_block(ftr_summary_index *index, const entry *e, const uint8_t **block)
{
    uint8_t hash[HASH_SIZE];
    if (e->block != NULL) {
        *block = e->block;
        return FTR_OK;
    }
    if (!reserve_buffer(index, e->block_size > READ_SIZE ? e->block_size : READ_SIZE))
        return FTR_ERR_MEMORY;
    ftr_status status = open_source(index, e->source);
    for (size_t filled = 0; status == FTR_OK && filled < e->block_size;) {
        const ssize_t got = pread(index->fd, index->buffer + filled, e->block_size - filled,
                                  (off_t)(e->offset + filled));
        if (got > 0)
            filled += (size_t)got;
        else if (got == 0)
            status = FTR_ERR_FORMAT;
        else if (errno != EINTR)
            status = FTR_ERR_IO;
    }
    if (status != FTR_OK)
        return status;
    hash_run(e, index->buffer, hash);
    *block = index->buffer;
    return memcmp(hash, e->hash, HASH_SIZE) == 0 ? FTR_OK : FTR_ERR_FORMAT;
}

static ftr_status decode(const entry *e, const uint8_t *block, ftr_run_record *run)
{
    const uint64_t memory = MEMORY_BASE + (uint64_t)e->block_size * MEMORY_PER_BYTE;
    uint8_t *raw = NULL;
    ftr_status status = FTR_OK;
    *run = (ftr_run_record){0};
    if (e->raw_size > 0) {
        raw = malloc((size_t)e->raw_size);
        status = raw == NULL ? FTR_ERR_MEMORY
                             : ftr_lz4_expand(block, e->block_size, raw, (size_t)e->raw_size);
    }
    if (status == FTR_OK)
        status = ftr_run_decode(raw != NULL ? raw : block,
                                raw != NULL ? (size_t)e->raw_size : e->block_size, e->sections,
                                memory, run);
    free(raw);
    if (status != FTR_OK)
        ftr_run_record_release(run);
    return status;
}

ftr_status ftr_summary_index_read(ftr_summary_index *index, size_t at, ftr_run_record *run,
                                  const char **path, uint64_t *offset)
{
    const entry *e = &index->entries[at];
    const uint8_t *block;
    if (e->block == NULL) {
        *path = index->paths[e->source];
        *offset = e->offset;
    }
    ftr_status status = get_block(index, e, &block);
    if (status != FTR_OK)
        return status;
    ftr_run_record read;
    status = decode(e, block, &read);
    if (status != FTR_OK)
        return status == FTR_ERR_MEMORY ? status : FTR_ERR_FORMAT;
    memcpy(read.identity, e->identity, FTR_RUN_IDENTITY_SIZE);
    read.state = (ftr_run_state)e->state;
    read.transactions = e->transactions;
    *run = read;
    return FTR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct destination {
    ftr_summary_write_function *write;
    void *user;
} destination;

static ftr_status write_all(const destination *to, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const int64_t written = to->write(to->user, bytes, size);
        if (written < 0) {
            errno = (int)-written;
            return FTR_ERR_IO;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return FTR_OK;
}

static void put_sections(ftr_cbor_writer *w, unsigned set)
{
    ftr_cbor_put_array(w, (unsigned)__builtin_popcount(set));
    for (unsigned i = 0; i < FTR_SECTIONS; i++)
        if (set & 1u << i) {
            const char *name = ftr_run_section_name((ftr_run_section)i);
            ftr_cbor_put_text(w, name, strlen(name));
        }
}

static ftr_status write_run(ftr_summary_index *index, const entry *e, const destination *to)
{
    uint8_t header[HEADER_MAX];
    const uint8_t *block;
    ftr_cbor_writer w;
    ftr_status status = get_block(index, e, &block);
    if (status != FTR_OK)
        return status;
    ftr_cbor_writer_init(&w, header, sizeof header);
    ftr_cbor_put_array(&w, 7);
    ftr_cbor_put_bytes(&w, e->identity, FTR_RUN_IDENTITY_SIZE);
    ftr_cbor_put_uint(&w, e->state);
    ftr_cbor_put_uint(&w, e->transactions);
    put_sections(&w, e->sections);
    ftr_cbor_put_uint(&w, e->raw_size);
    ftr_cbor_put_bytes(&w, e->hash, HASH_SIZE);
    ftr_cbor_put_head(&w, FTR_CBOR_MAJOR_BYTES, e->block_size);
    status = w.status == FTR_OK ? write_all(to, header, ftr_cbor_writer_size(&w)) : w.status;
    return status == FTR_OK ? write_all(to, block, e->block_size) : status;
}

ftr_status ftr_summary_index_write(ftr_summary_index *index, ftr_summary_write_function *write,
                                   void *user)
{
    const destination to = {write, user};
    uint8_t header[HEADER_MAX];
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, header, sizeof header);
    ftr_cbor_put_tag(&w, FTR_CBOR_TAG_SELF_DESCRIBED);
    ftr_cbor_put_array(&w, 3);
    ftr_cbor_put_text(&w, MAGIC, sizeof MAGIC - 1);
    ftr_cbor_put_uint(&w, VERSION);
    ftr_cbor_put_array(&w, index->count);
    ftr_status status = write_all(&to, header, ftr_cbor_writer_size(&w));
    for (size_t i = 0; i < index->count && status == FTR_OK; i++)
        status = write_run(index, &index->entries[i], &to);
    return status;
}
