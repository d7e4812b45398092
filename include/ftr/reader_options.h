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
    /** detected from the values in the file; DEPLOYED if these values show nothing */
    FTR_READER_NUMBERING_DETECT = 0,
    FTR_READER_NUMBERING_DEPLOYED = 1,
    FTR_READER_NUMBERING_SPEC = 2
} ftr_reader_numbering;
/** The name of FTR_READER_NUMBERING_SPEC in version 0.1. */
#define FTR_READER_NUMBERING_TEXT FTR_READER_NUMBERING_SPEC

/** Options of a reader. Must be zero-initialised before members are set. */
typedef struct ftr_reader_options {
    size_t size;   /**< size of this struct; 0: the struct of this version */
    size_t memory; /**< limit in bytes for all memory of the reader; 0: 128 MiB */
    ftr_reader_numbering numbering;
    bool spool;            /**< true: copy a pipe to a temporary file first, then index this file */
    const char *directory; /**< for temporary files; NULL: TMPDIR, else /tmp */
    /** Called for each finding, and called again if the same bytes are read again. May be NULL. */
    void (*finding)(void *user, const ftr_finding *finding);
    void *finding_user;
    /** ftr_reader_check() also reports findings that concern only FTR_FOR_SURFER_WEB. */
    bool surfer_web;
    /** Number of threads that read transactions, including the calling thread; 0 or 1: only this
     *  thread. Transactions, findings and their order are the same for all values of at least 1.
     *  With 0, the numbering of types is detected when it is first needed; with other values, when
     *  the first cursor is opened. Further threads together use a quarter of `memory`. With a pipe
     *  or a small `memory`, the reader uses fewer further threads or none. */
    unsigned threads;
    /** true: ignore the index beside the file (trace_index.h) and read the frame of every chunk */
    bool without_index;
} ftr_reader_options;

#ifdef __cplusplus
}
#endif

#endif
