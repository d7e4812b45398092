/* The names by which files tell events from other transactions (docs/format.md, "Events"). */
#ifndef FTR_EVENT_NAMES_H
#define FTR_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The events of generator `G` are the transactions of generator `G.events`. */
#define FTR_EVENTS_SUFFIX ".events"
/* The name of the relation from a parent to an event. Relations between other transactions can have
 * this name, too. */
#define FTR_PARENT_OF "parent_of"
/* The attribute with the name of an event: STRING, class begin. */
#define FTR_EVENT_NAME "name"

static inline bool ftr_is_text(const char *data, size_t size, const char *expected)
{
    return data != NULL && size == strlen(expected) && memcmp(data, expected, size) == 0;
}

/* Returns whether the transactions of the generator with this name are events. */
static inline bool ftr_is_events_name(const char *data, size_t size)
{
    const size_t suffix = sizeof FTR_EVENTS_SUFFIX - 1;
    return size > suffix && memcmp(data + size - suffix, FTR_EVENTS_SUFFIX, suffix) == 0;
}

#endif
