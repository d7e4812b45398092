/* Converts fields of babeltrace to attributes of a transaction. */
#ifndef FTR_SINK_FIELDS_H
#define FTR_SINK_FIELDS_H

#include "import_target.h"

#include <babeltrace2/babeltrace.h>

/* The transaction that gets the attributes, and their class. */
typedef struct ftr_sink_attributes {
    ftr_import_target *target;
    ftr_tx tx;
    ftr_attribute_class class_;
    /* fields that do not become attributes; NULL entries are allowed */
    const bt_field *const *omitted;
    size_t omitted_count;
} ftr_sink_attributes;

/* Puts each member of @p structure as an attribute, with @p prefix before the member's name. If @p
 * structure is NULL, puts nothing. */
void ftr_sink_put_fields(const ftr_sink_attributes *to, const char *prefix,
                         const bt_field *structure);

/* Returns the context field of an event's packet; NULL if the packet has no context. */
const bt_field *ftr_sink_packet_context(const bt_event *event);
/* Returns the member with this name. NULL if there is none, or if @p structure is NULL or not a
 * structure. */
const bt_field *ftr_sink_member(const bt_field *structure, const char *name);
/* Returns the text of a string field; "" for NULL and other fields. */
const char *ftr_sink_text(const bt_field *field);
/* Returns the bits of an integer or enumeration field; 0 for NULL and other fields. */
uint64_t ftr_sink_number(const bt_field *field);

/* Returns a hash of a field's value. @param[out] is_whole false if the field is missing, or is
 * neither a number nor a text: the hash then does not depend on the value */
uint64_t ftr_sink_hash_field(const bt_field *field, bool *is_whole);
uint64_t ftr_sink_hash_text(uint64_t seed, const char *text);

#endif
