/* W2 recorded as transactions of the FTR format, encoded by libcbor one after the other: without
 * compression, dictionary, chunks, or another thread. */
#include <stdio.h>
#include <stdlib.h>

#include <cbor.h>

#include "payload_loop.h"
#include "workload.h"

enum {
    TAG_TRANSACTION = 6,
    TAG_ATTRIBUTE = 8,
    TYPE_UNSIGNED = 3,
    TYPE_STRING = 10,
    NAME_OF_ADDRESS = 1,
    NAME_OF_LENGTH = 2,
    NAME_OF_RESPONSE = 3,
    FIRST_RESPONSE = 4
};

typedef struct encoder {
    FILE *file;
    uint64_t id;
    size_t fill;
    unsigned char buffer[64 * 1024];
} encoder;

static void *open_encoder(const char *path, ftr_compression compression)
{
    (void)compression;
    encoder *made = calloc(1, sizeof *made);
    if (!made || !(made->file = fopen(path, "we")))
        workload_fail("cannot write CBOR");
    return made;
}

static void write_out(encoder *with)
{
    if (fwrite(with->buffer, 1, with->fill, with->file) != with->fill)
        workload_fail("cannot write CBOR");
    with->fill = 0;
}

static void close_encoder(void *opened)
{
    encoder *with = opened;
    write_out(with);
    if (fclose(with->file) != 0)
        workload_fail("cannot write all of the CBOR");
    free(with);
}

static inline unsigned char *place(encoder *with)
{
    return with->buffer + with->fill;
}

static inline size_t room(const encoder *with)
{
    return sizeof with->buffer - with->fill;
}

static inline void put_array(encoder *with, size_t count)
{
    with->fill += cbor_encode_array_start(count, place(with), room(with));
}

static inline void put_tag(encoder *with, uint64_t tag)
{
    with->fill += cbor_encode_tag(tag, place(with), room(with));
}

static inline void put_number(encoder *with, uint64_t number)
{
    with->fill += cbor_encode_uint(number, place(with), room(with));
}

static inline void put_attribute(encoder *with, uint64_t name, uint64_t type, uint64_t value)
{
    put_tag(with, TAG_ATTRIBUTE);
    put_array(with, 3);
    put_number(with, name);
    put_number(with, type);
    put_number(with, value);
}

static inline void encode(void *opened, const workload_tx *next, uint64_t begin)
{
    encoder *with = opened;
    if (room(with) < 256)
        write_out(with);
    put_array(with, 4);
    put_tag(with, TAG_TRANSACTION);
    put_array(with, 4);
    put_number(with, ++with->id);
    put_number(with, 2 * next->stream + next->generator);
    put_number(with, begin);
    put_number(with, begin + next->duration);
    put_attribute(with, NAME_OF_ADDRESS, TYPE_UNSIGNED, next->address);
    put_attribute(with, NAME_OF_LENGTH, TYPE_UNSIGNED, next->length);
    /* The text is stored as an index into a dictionary. Here, the index is known without a
     * look-up. */
    put_attribute(with, NAME_OF_RESPONSE, TYPE_STRING, FIRST_RESPONSE + next->code);
}

WORKLOAD_OF_PAYLOADS(libcbor_workload, "libcbor", open_encoder, encode, close_encoder)
