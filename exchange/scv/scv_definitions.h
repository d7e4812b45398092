/* The streams and generators that SCV text defines. Other lines refer to streams and generators by
 * number. */
#ifndef FTR_SCV_DEFINITIONS_H
#define FTR_SCV_DEFINITIONS_H

#include "import_target.h"
#include "scv_lines.h"

typedef struct ftr_scv_attribute {
    char *name;
    ftr_type type;
} ftr_scv_attribute;

typedef struct ftr_scv_generator {
    uint64_t number;
    ftr_generator handle;
    ftr_scv_attribute *attributes[2]; /* 0: attributes of class begin; 1: attributes of class end */
    size_t counts[2], capacities[2];
} ftr_scv_generator;

typedef struct ftr_scv_stream {
    uint64_t number;
    ftr_stream handle;
} ftr_scv_stream;

typedef struct ftr_scv_definitions {
    ftr_scv_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_scv_generator *generators;
    size_t generator_count, generator_capacity;
    /* true: the definition of the last generator is not complete, because attribute lines may
     * follow */
    bool open;
} ftr_scv_definitions;

/* Processes a line of a definition. @param number the number of the line, for messages. @return
 * false if the line is not part of a definition */
bool ftr_scv_define(ftr_scv_definitions *definitions, ftr_import_target *target, ftr_scv_rest line,
                    uint64_t number);
/* Returns the generator with this number; NULL if there is none */
ftr_scv_generator *ftr_scv_find_generator(ftr_scv_definitions *definitions, uint64_t number);
void ftr_scv_definitions_release(ftr_scv_definitions *definitions);

/* Returns the type with this name, for example "UNSIGNED"; STRING if FTR has no type with this
 * name. */
ftr_type ftr_scv_type(ftr_view name);

#endif
