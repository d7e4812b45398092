/* Reports patterns that matched no stream, each with the most similar stream name. */
#include "unmatched_names.h"

#include "near_name.h"

/* Longer patterns are truncated in the message. */
#define PATTERN_SHOWN 200

typedef struct unmatched {
    const ftr_recorder *rec;
    const char *what; /* the option that contains the pattern, for the message */
    const char *buffer;
    uint32_t streams;
} unmatched;

static bool is_stream(const ftr_recorder *rec, uint32_t handle)
{
    return ftr_definitions_entity(&rec->definitions, handle)->kind & FTR_ENTITY_STREAM;
}

static void report_pattern(void *user, const char *pattern, size_t size)
{
    const unmatched *u = user;
    ftr_near_name near;
    ftr_near_name_init(&near, pattern, size);
    uint32_t count = atomic_load(&u->rec->definitions.entity_count);
    for (uint32_t i = 1; i < count; i++) {
        const char *name = ftr_definitions_entity(&u->rec->definitions, i)->name;
        if (is_stream(u->rec, i))
            ftr_near_name_offer(&near, name, strlen(name));
    }
    const char *nearest = ftr_near_name_get(&near);
    ftr_recorder_report(u->rec, FTR_SEVERITY_WARNING,
                        "%s%s: the pattern '%.*s' matches none of %u streams%s%s%s", u->what,
                        u->buffer, (int)(size < PATTERN_SHOWN ? size : PATTERN_SHOWN), pattern,
                        (unsigned)u->streams, nearest != NULL ? "; did you mean '" : "",
                        nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

void ftr_report_unmatched_names(const ftr_recorder *rec)
{
    unmatched u = {.rec = rec, .buffer = ""};
    uint32_t count = atomic_load(&rec->definitions.entity_count);
    for (uint32_t i = 1; i < count; i++)
        u.streams += is_stream(rec, i);
    if (u.streams == 0)
        return;
    u.what = "include";
    ftr_name_filter_list_unmatched(&rec->definitions.include, report_pattern, &u);
    u.what = "exclude";
    ftr_name_filter_list_unmatched(&rec->definitions.exclude, report_pattern, &u);
    u.what = "buffer ";
    uint32_t buffers = atomic_load(&rec->buffers.count);
    for (uint32_t i = 1; i < buffers; i++) {
        u.buffer = rec->buffers.at[i].name;
        ftr_name_filter_list_unmatched(&rec->buffers.at[i].streams, report_pattern, &u);
    }
}
