/* The counts and descriptions of invalid calls, as members of a recorder. */
#ifndef FTR_MISUSE_KINDS_H
#define FTR_MISUSE_KINDS_H

#include <ftr/detail/call_names.h>

#include <stdatomic.h>
#include <stdbool.h>

/* Maximum number of kinds that are described. The calls of further kinds are only counted. */
#define FTR_MISUSE_KINDS 8
#define FTR_MISUSE_TEXT_SIZE 448

/* The calls of one kind. */
typedef struct ftr_misuse_kind {
    _Atomic uint64_t key; /* the address of `call`, and the status; 0: not used */
    _Atomic uint64_t count;
    _Atomic bool is_described; /* `call`, `text` and `is_reported` are valid */
    bool is_reported;
    const char *call;
    char text[FTR_MISUSE_TEXT_SIZE];
} ftr_misuse_kind;

typedef struct ftr_misuses {
    _Atomic uint64_t count;
    ftr_call_namer *_Atomic name; /* NULL: messages contain the names of the C functions */
    ftr_misuse_kind kinds[FTR_MISUSE_KINDS];
} ftr_misuses;

#endif
