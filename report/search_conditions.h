/* The conditions of a search, all of which a transaction must meet (docs/report-format.md,
 * `search`). The page makes them of the words in its search field. */
#ifndef FTR_SEARCH_CONDITIONS_H
#define FTR_SEARCH_CONDITIONS_H

#include <ftr/reader.h>

/* Maximum number of conditions, and maximum size of all their values, in bytes. */
#define FTR_SEARCH_CONDITIONS_MAX 32u
#define FTR_SEARCH_TEXT_MAX ((size_t)4096)

typedef enum ftr_search_kind {
    FTR_SEARCH_TEXT,  /* a name or value contains a text */
    FTR_SEARCH_EQUAL, /* an attribute has a value */
    FTR_SEARCH_PART,  /* the value of an attribute contains a text */
    FTR_SEARCH_ID,
    FTR_SEARCH_LONGER,
    FTR_SEARCH_SHORTER,
    FTR_SEARCH_AT_LEAST, /* not shorter */
    FTR_SEARCH_AT_MOST,  /* not longer */
    FTR_SEARCH_ERROR,
    FTR_SEARCH_UNFINISHED
} ftr_search_kind;

typedef struct ftr_search_condition {
    ftr_search_kind kind;
    uint64_t number;                 /* id or ticks */
    bool exceeds;                    /* the number exceeds 64 bits */
    ftr_view name;                   /* of the attribute */
    ftr_view value;                  /* EQUAL: as written; TEXT and PART: folded */
    bool is_hexadecimal, is_decimal; /* the value is a number of at most 64 bits in this form */
    uint64_t as_number;              /* if so: the number */
    double as_real;                  /* the value as a real; NAN if it is not a number */
} ftr_search_condition;

/* `{0}` has no conditions. */
typedef struct ftr_search_conditions {
    ftr_search_condition of[FTR_SEARCH_CONDITIONS_MAX];
    size_t count;
    char texts[FTR_SEARCH_TEXT_MAX]; /* the views point into it */
    size_t text_size;
} ftr_search_conditions;

/* Adds a condition. @param name NUL-terminated, for example `text` or `longer`
 * @return false if the condition is malformed, is not UTF-8, or exceeds a limit */
bool ftr_search_conditions_add(ftr_search_conditions *conditions, const char *name,
                               const char *value, size_t size);

/* Returns true if a transaction of this duration, with this id, meets a condition about numbers. */
bool ftr_search_number_fits(const ftr_search_condition *condition, uint64_t id, uint64_t duration);

#endif
