/* Invalid calls. They are counted, and the first call of each kind is described in a message: the
 * public function, its transaction and the error. Two invalid calls are of the same kind if the
 * function and the status are the same. */
#ifndef FTR_MISUSE_H
#define FTR_MISUSE_H

#include "recorder_state.h"

/* The bits of ftr_misuse.set: the members that have a value, and FTR_MISUSE_REPORTED. */
enum {
    FTR_MISUSE_TX = 1,        /* tx */
    FTR_MISUSE_TO = 2,        /* to */
    FTR_MISUSE_HANDLE = 4,    /* handle */
    FTR_MISUSE_ATTRIBUTE = 8, /* attribute */
    FTR_MISUSE_END = 16,      /* end */
    FTR_MISUSE_TIMES = 48,    /* begin and end */
    FTR_MISUSE_REPORTED = 64, /* the caller has reported the error */
    FTR_MISUSE_DIFFERS = 128  /* no member: an earlier definition of `name` has other attributes */
};

/* The arguments of an invalid call that describe the error. The arguments are copied, so that the
 * parameters of the call can stay in registers. */
typedef struct ftr_misuse {
    const char *call; /* name of the public function */
    unsigned set;     /* FTR_MISUSE_... */
    unsigned attribute;
    ftr_tx tx; /* the transaction; for a relation, the first one */
    ftr_tx to; /* the second transaction of a relation */
    uint64_t begin;
    uint64_t end;
    uint32_t handle;         /* handle of a generator, relation, buffer or text */
    const char *name;        /* name of a definition or attribute; may be NULL */
    const ftr_value *values; /* the values of a whole transaction; may be NULL */
    size_t count;            /* number of values */
} ftr_misuse;

/* Returns @p status. If the status means that a call of @p rec was invalid, counts the call, and
 * reports it if it is the first one of its kind. @p rec may be NULL. */
ftr_status ftr_recorder_misuse(ftr_recorder *rec, ftr_status status, const ftr_misuse *misuse)
    __attribute__((cold));

/* Reports the number of invalid calls, and the kinds that could not be reported earlier. */
void ftr_misuses_report(ftr_recorder *rec);

#endif
