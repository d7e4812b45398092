/** @file
 *  The options of a reader. Included by <ftr/reader.h>. */
#ifndef FTR_READER_OPTIONS_H
#define FTR_READER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <ftr/finding.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How attribute types are numbered (docs/format.md, "Attribute types"). */
typedef enum ftr_reader_numbering {
    FTR_READER_NUMBERING_DETECT = 0, /**< from the values; DEPLOYED by default */
    FTR_READER_NUMBERING_DEPLOYED = 1,
    FTR_READER_NUMBERING_SPEC = 2
} ftr_reader_numbering;
/** The name in 0.1. */
#define FTR_READER_NUMBERING_TEXT FTR_READER_NUMBERING_SPEC

/** Options of a reader. Must be zero-initialised before members are set. */
typedef struct ftr_reader_options {
    size_t size;   /**< size of this struct; 0: the size in the headers of the program */
    size_t memory; /**< limit in bytes for all memory of the reader; 0: 128 MiB */
    ftr_reader_numbering numbering;
    bool spool; /**< copy a pipe to a temporary file first, and read that with an index */
    const char *directory; /**< for temporary files; NULL: TMPDIR, else /tmp */
    /** Called for each finding, again if the same bytes are read again. May be NULL. */
    void (*finding)(void *user, const ftr_finding *finding);
    void *finding_user;
    /** ftr_reader_check() also reports findings that concern only FTR_FOR_SURFER_WEB. */
    bool surfer_web;
    /** Number of threads that read in a pass, the calling one included; 0 or 1: no others.
     *  Transactions, findings and their order do not depend on it, unless it is 0: the numbering of
     *  types is then detected when it is first needed, else when the first cursor is opened. More
     *  threads take a quarter of `memory`; a reader with a small limit, and a pipe, use fewer or
     *  none. */
    unsigned threads;
} ftr_reader_options;

#ifdef __cplusplus
}
#endif

#endif
