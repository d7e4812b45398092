/* libFuzzer target for writing and reading: the input is a sequence of recorder calls; the recorded
 * data is also stored separately, and the reader must return the same, attribute by attribute. */
#include <ftr/reader.h>
#include <ftr/recorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define TRANSACTIONS_MAX 256
#define ATTRIBUTES_MAX 8

typedef struct kept_attribute {
    unsigned name;
    ftr_value value;
    char text[16];
} kept_attribute;

typedef struct kept_tx {
    uint64_t id, begin, end;
    unsigned generator;
    unsigned count;
    kept_attribute attributes[ATTRIBUTES_MAX];
} kept_tx;

typedef struct program {
    const uint8_t *at, *end;
} program;

typedef struct memory_file {
    uint8_t *bytes;
    size_t size, capacity;
} memory_file;

static const char *const NAMES[] = {"a", "b.c", "trans.address", ""};

static uint64_t take(program *p, unsigned bytes)
{
    uint64_t value = 0;
    for (; bytes > 0; bytes--)
        value = value << 8 | (p->at < p->end ? *p->at++ : 0);
    return value;
}

static int64_t write_memory(void *user, const void *data, size_t size)
{
    memory_file *file = user;
    if (file->size + size > file->capacity) {
        file->capacity = 2 * (file->size + size);
        file->bytes = realloc(file->bytes, file->capacity);
        if (file->bytes == NULL)
            abort();
    }
    memcpy(file->bytes + file->size, data, size);
    file->size += size;
    return (int64_t)size;
}

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static void choose_value(program *p, kept_attribute *kept)
{
    kept->name = (unsigned)take(p, 1) % (sizeof NAMES / sizeof NAMES[0] - 1);
    kept->value = (ftr_value){.type = (ftr_type)(take(p, 1) % 12)};
    uint64_t bits = take(p, 1 + (unsigned)take(p, 1) % 8);
    switch (kept->value.type) {
    case FTR_TYPE_BOOLEAN:
        kept->value.as.boolean = bits % 2 != 0;
        break;
    case FTR_TYPE_INTEGER:
        kept->value.as.integer = (int64_t)bits;
        break;
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
    case FTR_TYPE_TIME:
        kept->value.as.number = bits;
        break;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        kept->value.as.real = (double)(int64_t)bits / 16;
        break;
    default:
        for (size_t i = 0; i < sizeof kept->text - 1; i++, bits >>= 4)
            kept->text[i] = (char)('0' + bits % 2);
        kept->value.text_length = bits % (sizeof kept->text - 1);
    }
}

/* The text is stored in the kept attribute, which may move, so the pointer is set at each use. */
static const ftr_value *value_of(kept_attribute *kept)
{
    const ftr_type type = kept->value.type;
    if (type == FTR_TYPE_ENUMERATION || type == FTR_TYPE_BIT_VECTOR ||
        type == FTR_TYPE_LOGIC_VECTOR || type == FTR_TYPE_STRING)
        kept->value.as.text = kept->text;
    return &kept->value;
}

static size_t record(program *p, memory_file *file, kept_tx *kept)
{
    const ftr_sink sink = {.user = file, .write = write_memory};
    const ftr_recorder_options options = {
        .size = sizeof options,
        .threads = 0,
        .epoch_seconds = 1,
        .sink = &sink,
        .floats = FTR_FLOATS_DOUBLE,
        .compression = (ftr_compression)(take(p, 1) % 4),
        .chunk_size = 256 + take(p, 1) * 16,
    };
    ftr_recorder *rec;
    ftr_stream stream;
    ftr_generator generators[2];
    demand(ftr_recorder_open(NULL, &options, &rec) == FTR_OK, "open");
    demand(ftr_stream_define(rec, "s", "k", &stream) == FTR_OK, "stream");
    demand(ftr_generator_define(rec, stream, "g0", NULL, 0, &generators[0]) == FTR_OK, "g0");
    demand(ftr_generator_define(rec, stream, "g1", NULL, 0, &generators[1]) == FTR_OK, "g1");
    size_t count = 0;
    while (p->at < p->end && count < TRANSACTIONS_MAX) {
        kept_tx *t = &kept[count];
        const uint64_t what = take(p, 1);
        t->generator = what % 2;
        t->begin = take(p, 1 + what / 2 % 8) & INT64_MAX;
        t->end = t->begin + take(p, 2);
        t->count = (unsigned)(what / 16 % ATTRIBUTES_MAX);
        ftr_tx tx;
        demand(ftr_tx_begin(rec, generators[t->generator], t->begin, &tx) == FTR_OK, "begin");
        t->id = tx.id;
        for (unsigned i = 0; i < t->count; i++) {
            choose_value(p, &t->attributes[i]);
            demand(ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, NAMES[t->attributes[i].name],
                                    value_of(&t->attributes[i])) == FTR_OK,
                   "put");
        }
        demand(ftr_tx_end(rec, tx, t->end) == FTR_OK, "end");
        count++;
    }
    demand(ftr_recorder_close(rec) == FTR_OK, "close");
    return count;
}

static bool is_same(kept_attribute *kept, const ftr_attribute_value *found)
{
    const ftr_value *value = value_of(kept);
    if (found->type != value->type || found->name.size != strlen(NAMES[kept->name]) ||
        memcmp(found->name.data, NAMES[kept->name], found->name.size) != 0)
        return false;
    switch (found->form) {
    case FTR_FORM_BOOLEAN:
        return found->as.boolean == value->as.boolean;
    case FTR_FORM_INTEGER:
        return found->as.integer == value->as.integer;
    case FTR_FORM_NUMBER:
        return found->as.number == value->as.number;
    case FTR_FORM_REAL:
        return found->as.real == value->as.real;
    default:
        return found->form == FTR_FORM_TEXT && found->as.text.size == value->text_length &&
               memcmp(found->as.text.data, kept->text, value->text_length) == 0;
    }
}

static void compare(const memory_file *file, kept_tx *kept, size_t count)
{
    ftr_reader *reader;
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    const ftr_query query = {.size = sizeof query, .order = FTR_ORDER_BEGIN};
    demand(ftr_reader_open_memory(file->bytes, file->size, NULL, &reader) == FTR_OK, "read");
    demand(ftr_cursor_open(reader, &query, &cursor) == FTR_OK, "cursor");
    size_t found = 0;
    uint64_t before = 0;
    while (ftr_cursor_next(cursor, &tx) == FTR_OK) {
        demand(tx.begin >= before, "not in order of begin");
        before = tx.begin;
        size_t i = 0;
        while (i < count && kept[i].id != tx.id)
            i++;
        demand(i < count, "a transaction that was not recorded");
        kept_tx *t = &kept[i];
        demand(t->begin == tx.begin && t->end == tx.end, "other times");
        demand(tx.generator->name.data[1] == (char)('0' + t->generator), "another generator");
        for (unsigned k = 0; k < t->count; k++)
            demand(ftr_reader_next_attribute(reader, &tx, &attribute) &&
                       is_same(&t->attributes[k], &attribute),
                   "another attribute");
        demand(!ftr_reader_next_attribute(reader, &tx, &attribute), "one attribute more");
        found++;
    }
    demand(found == count, "a transaction is missing");
    ftr_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static kept_tx kept[TRANSACTIONS_MAX];
    memory_file file = {NULL, 0, 0};
    program p = {bytes, bytes + size};
    const size_t count = record(&p, &file, kept);
    compare(&file, kept, count);
    free(file.bytes);
    return 0;
}
