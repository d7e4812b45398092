/* Pulls the entries of a flux file one by one, out of packed blocks and rings too. */
#ifndef FTR_FLUX_PARSER_H
#define FTR_FLUX_PARSER_H

#include "exchange_file.h"
#include "flux_entry.h"

#define FTR_FLUX_DEPTH_MAX 8
#define FTR_FLUX_TRACES_MAX 256
/* No entry, block or ring is taken to be longer. */
#define FTR_FLUX_ENTRY_MAX ((size_t)64 << 20)

/* A block or section that is being read. */
typedef struct ftr_flux_level {
    uint8_t *owned; /* expanded; NULL: not ours */
    const uint8_t *at, *end;
} ftr_flux_level;

typedef struct ftr_flux_parser {
    ftr_byte_input *input;
    /* Told of what is wrong, with where. */
    void (*find)(void *user, uint64_t offset, const char *message);
    void *user;
    uint8_t *bytes; /* of the file, a window */
    size_t first, last, capacity;
    uint64_t offset; /* of `first` in the file */
    bool ended, failed, stopped;
    ftr_flux_level levels[FTR_FLUX_DEPTH_MAX];
    unsigned depth;
    uint64_t block; /* offset of the outermost of them */
    uint32_t trace; /* the current one */
    struct {
        uint32_t trace;
        uint8_t version;
    } versions[FTR_FLUX_TRACES_MAX];
    size_t version_count;
} ftr_flux_parser;

/* @return false without memory */
bool ftr_flux_parser_init(ftr_flux_parser *parser, ftr_byte_input *input,
                          void (*find)(void *user, uint64_t offset, const char *message),
                          void *user);
void ftr_flux_parser_release(ftr_flux_parser *parser);
/* Begins again. @return false after saying why not */
bool ftr_flux_parser_rewind(ftr_flux_parser *parser);

/* The next entry. What is in blocks and rings comes in their place; with @p blocks, the block, or
 * the first section of the ring, comes before it.
 * @return false at the end, or where nothing more is to be understood; `failed` when the file could
 * not be read */
bool ftr_flux_parser_next(ftr_flux_parser *parser, bool blocks, ftr_flux_entry *entry);

#endif
