/* Fields of babeltrace as attributes of a transaction. */
#ifndef FTR_SINK_FIELDS_H
#define FTR_SINK_FIELDS_H

#include "import_target.h"

#include <babeltrace2/babeltrace.h>

/* The transaction that attributes go to. */
typedef struct ftr_sink_attributes {
    ftr_import_target *target;
    ftr_tx tx;
    ftr_attribute_class class_;
} ftr_sink_attributes;

/* Puts each member of a structure under its name, behind @p prefix. NULL: there are none. */
void ftr_sink_put_fields(const ftr_sink_attributes *to, const char *prefix,
                         const bt_field *structure);

/* The context of an event's packet; NULL without one. */
const bt_field *ftr_sink_packet_context(const bt_event *event);
/* The member of this name; NULL without one, and of what is no structure. */
const bt_field *ftr_sink_member(const bt_field *structure, const char *name);
/* The text of a string field; "" of NULL and of others. */
const char *ftr_sink_text(const bt_field *field);
/* The bits of an integer field, an enumeration's too; 0 of NULL and of others. */
uint64_t ftr_sink_number(const bt_field *field);

/* A number that tells values of scalar fields from each other. */
uint64_t ftr_sink_hash_field(const bt_field *field);
uint64_t ftr_sink_hash_text(uint64_t seed, const char *text);

#endif
