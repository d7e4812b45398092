/* The text of the metadata. Names of fields begin with an underscore, because some names would
 * otherwise be keywords of the metadata language. Readers remove the underscore. */
#include "ctf_metadata.h"

#include "attribute_types.h"

#include <endian.h>
#include <inttypes.h>

/* ---- parts of every trace -------------------------------------------------------------------- */

static const char TYPES[] = //
    "typealias integer { size = 8; align = 8; } := u8;\n"
    "typealias integer { size = 32; align = 8; } := u32;\n"
    "typealias integer { size = 64; align = 8; } := u64;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := f64;\n"
    "typealias string { encoding = UTF8; } := text;\n";

static void print_trace(const ftr_ctf_metadata *metadata, FILE *file)
{
    const uint8_t *u = metadata->uuid;
    (void)fputs("trace {\n    major = 1;\n    minor = 8;\n    uuid = \"", file);
    for (unsigned i = 0; i < FTR_CTF_UUID_SIZE; i++)
        (void)fprintf(file, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
    (void)fprintf(file,
                  "\";\n    byte_order = %s;\n"
                  "    packet.header := struct {\n"
                  "        u32 magic;\n"
                  "        u8 uuid[16];\n"
                  "        u32 stream_id;\n"
                  "        u64 stream_instance_id;\n"
                  "    };\n};\n",
                  BYTE_ORDER == LITTLE_ENDIAN ? "le" : "be");
    (void)fprintf(file,
                  "env {\n    domain = \"transactions\";\n    tracer_name = \"ftr\";\n"
                  "    time_scale = %d;\n};\n",
                  metadata->time_scale);
}

static void print_clock(const ftr_event_clock *clock, FILE *file)
{
    (void)fprintf(file,
                  "clock {\n    name = %s;\n    description = \"%s\";\n"
                  "    freq = %" PRIu64 ";\n    offset_s = %" PRId64 ";\n    offset = %" PRIu64
                  ";\n"
                  "    absolute = true;\n};\n",
                  FTR_EVENT_CLOCK_NAME, FTR_EVENT_CLOCK_DESCRIPTION, clock->frequency,
                  clock->offset_seconds, clock->offset_cycles);
    (void)fprintf(file,
                  "typealias integer { size = 64; align = 8; map = clock.%s.value; } := time;\n",
                  FTR_EVENT_CLOCK_NAME);
}

static void print_stream(unsigned class_, FILE *file)
{
    (void)fprintf(file,
                  "stream {\n    id = %u;\n"
                  "    packet.context := struct {\n"
                  "        time timestamp_begin;\n"
                  "        time timestamp_end;\n"
                  "        u64 content_size;\n"
                  "        u64 packet_size;\n"
                  "        u64 packet_seq_num;\n"
                  "        u64 events_discarded;\n"
                  "        text _stream;\n"
                  "        text _kind;\n"
                  "    };\n"
                  "    event.header := struct {\n"
                  "        u8 id;\n"
                  "        time timestamp;\n"
                  "    };\n};\n",
                  class_);
}

/* ---- transactions ---------------------------------------------------------------------------- */

static void print_enumeration(const char *name, const char *const *labels, unsigned count,
                              FILE *file)
{
    (void)fprintf(file, "enum %s : u8 {", name);
    for (unsigned i = 0; i < count; i++)
        (void)fprintf(file, "%s\n    \"%s\" = %u", i > 0 ? "," : "", labels[i], i);
    (void)fputs("\n};\n", file);
}

static void print_entries(FILE *file)
{
    static const char *const VALUES[FTR_EVENT_ARRAYS] = {"enum boolean", "i64", "u64", "f64",
                                                         "text"};
    print_enumeration("boolean", ftr_event_boolean_labels, 2, file);
    print_enumeration("attribute_class", ftr_event_class_labels, FTR_EVENT_CLASSES, file);
    print_enumeration("attribute_type", ftr_type_names, FTR_TYPE_NAMES, file);
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        (void)fprintf(file,
                      "struct entry_of_%s {\n    text _name;\n    enum attribute_class _class;\n"
                      "    enum attribute_type _type;\n    %s _value;\n};\n",
                      ftr_event_array_names[array], VALUES[array]);
}

static void print_transaction_event(unsigned kind, unsigned shape, unsigned id, FILE *file)
{
    (void)fprintf(file,
                  "event {\n    name = \"%s\";\n    id = %u;\n    stream_id = %d;\n"
                  "    fields := struct {\n        u64 _id;\n        text _generator;\n",
                  ftr_event_names[kind], id, FTR_CTF_TRANSACTIONS);
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++) {
        const char *name = ftr_event_array_names[array];
        if ((shape & 1U << array) != 0)
            (void)fprintf(file, "        u32 _%s_len;\n        struct entry_of_%s _%s[_%s_len];\n",
                          name, name, name, name);
    }
    (void)fputs("    };\n};\n", file);
}

static void print_transactions(const ftr_ctf_metadata *metadata, FILE *file)
{
    print_stream(FTR_CTF_TRANSACTIONS, file);
    print_entries(file);
    for (unsigned kind = 0; kind < FTR_TIMELINE_EVENT_KINDS; kind++)
        for (unsigned shape = 0; shape < FTR_EVENT_SHAPES; shape++)
            if (metadata->event_ids[kind][shape] > 0)
                print_transaction_event(kind, shape, metadata->event_ids[kind][shape], file);
}

/* ---- relations ------------------------------------------------------------------------------- */

static void print_relations(FILE *file)
{
    print_stream(FTR_CTF_RELATIONS, file);
    (void)fprintf(file,
                  "event {\n    name = \"tx_relation\";\n    id = %d;\n    stream_id = %d;\n"
                  "    fields := struct {\n        text _name;\n"
                  "        u64 _from;\n        u64 _to;\n"
                  "        u64 _from_stream;\n        u64 _to_stream;\n    };\n};\n",
                  FTR_CTF_RELATION_EVENT, FTR_CTF_RELATIONS);
}

void ftr_ctf_metadata_print(const ftr_ctf_metadata *metadata, FILE *file)
{
    (void)fputs("/* CTF 1.8 */\n", file); /* readers require exactly these bytes */
    (void)fputs(TYPES, file);
    print_trace(metadata, file);
    print_clock(&metadata->clock, file);
    print_transactions(metadata, file);
    print_relations(file);
}
