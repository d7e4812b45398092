/** @file
 *  The status that calls of this library return, and the macros for its declarations. */
#ifndef FTR_STATUS_H
#define FTR_STATUS_H

/* nothrow: C++ callers need no exception handling around calls. */
#define FTR_API __attribute__((visibility("default"), nothrow))
#define FTR_API_DATA __attribute__((visibility("default")))
#define FTR_MUST_USE __attribute__((warn_unused_result))

#ifdef __cplusplus
extern "C" {
#endif

/** Every status: name, value, and the sentence ftr_status_text() gives for it. */
#define FTR_STATUS_TABLE(X)                                                                   \
    X(FTR_OK, 0, "no error")                                                                  \
    X(FTR_ERR_ARGUMENT, 1, "an argument is NULL, empty or out of its range")                  \
    X(FTR_ERR_MEMORY, 2, "memory could not be had")                                           \
    X(FTR_ERR_IO, 3, "a file could not be opened, read or written")                           \
    X(FTR_ERR_CLOSED, 4, "the recorder has been closed")                                      \
    X(FTR_ERR_UNDEFINED, 5, "the stream, generator, relation or text was never defined here") \
    X(FTR_ERR_UNKNOWN_TX, 6, "the transaction is not open: it has ended, or never began")     \
    X(FTR_ERR_ATTRIBUTE, 7, "the generator declares no attribute of this number")             \
    X(FTR_ERR_TYPE, 8, "the value is not of the type its attribute was declared with")        \
    X(FTR_ERR_ORDER, 9, "a transaction cannot end before it begins")                          \
    X(FTR_ERR_STATE, 10, "the call came too late or too early in the recorder's life")        \
    X(FTR_ERR_LIMIT, 11, "a documented limit was reached")                                    \
    X(FTR_ERR_FORKED, 12, "the recorder belongs to the parent of this forked process")        \
    X(FTR_ERR_FORMAT, 13, "the bytes do not conform to the format")                           \
    X(FTR_ERR_TRUNCATED, 14, "the bytes end in the middle of an item")                        \
    X(FTR_ERR_END, 15, "there is no further item")                                            \
    X(FTR_ERR_LAYOUT, 16, "the program was compiled for another version of this library")

#define FTR_STATUS_ENUMERATOR(name, value, text) name = (value),
typedef enum ftr_status { FTR_STATUS_TABLE(FTR_STATUS_ENUMERATOR) } ftr_status;
#undef FTR_STATUS_ENUMERATOR

/** Returns the sentence for @p status; a fixed text for an invalid value. Never NULL. */
FTR_API const char *ftr_status_text(ftr_status status);

/** Returns the name of @p status in source code, for example "FTR_ERR_IO". Never NULL. */
FTR_API const char *ftr_status_name(ftr_status status);

#ifdef __cplusplus
}
#endif

#endif
