/* Returns the entries of a flux file one by one, including the entries in packed blocks and
 * rings. */
#ifndef FTR_FLUX_PARSER_H
#define FTR_FLUX_PARSER_H

#include "exchange_file.h"
#include "flux_entry.h"

#define FTR_FLUX_DEPTH_MAX 8
#define FTR_FLUX_TRACES_MAX 256
/* Maximum size of an entry, block or ring. */
#define FTR_FLUX_ENTRY_MAX ((size_t)64 << 20)

/* A packed block or a ring that is being read. */
typedef struct ftr_flux_level {
    /* unpacked content, which is freed at the end of the level; NULL: there is nothing to free */
    uint8_t *owned;
    const uint8_t *at, *end;
} ftr_flux_level;

typedef struct ftr_flux_parser {
    ftr_byte_input *input;
    /* Called for each error, with its offset in the file. */
    void (*find)(void *user, uint64_t offset, const char *message);
    void *user;
    /* the part of the file in memory: `bytes[first]` to `bytes[last - 1]` are unread */
    uint8_t *bytes;
    size_t first, last, capacity;
    uint64_t offset; /* offset of `first` in the file */
    bool ended, failed, stopped;
    ftr_flux_level levels[FTR_FLUX_DEPTH_MAX];
    unsigned depth;
    uint64_t block; /* offset in the file of the outermost block or ring */
    uint32_t trace; /* number of the current trace */
    struct {
        uint32_t trace;
        uint8_t version;
    } versions[FTR_FLUX_TRACES_MAX];
    size_t version_count;
} ftr_flux_parser;

/* @return false if out of memory */
bool ftr_flux_parser_init(ftr_flux_parser *parser, ftr_byte_input *input,
                          void (*find)(void *user, uint64_t offset, const char *message),
                          void *user);
void ftr_flux_parser_release(ftr_flux_parser *parser);
/* Continues at the first entry of the file. @return false after an error message */
bool ftr_flux_parser_rewind(ftr_flux_parser *parser);

/* Gets the next entry. A block or ring is replaced by the entries in it. If @p blocks is true, the
 * entry of the block itself, or of the first section of the ring, is returned before these entries.
 * @return false at the end, or if the rest cannot be decoded; sets `failed` if the file could not
 *         be read */
bool ftr_flux_parser_next(ftr_flux_parser *parser, bool blocks, ftr_flux_entry *entry);

#endif
