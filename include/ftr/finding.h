/** @file
 *  Findings: deviations of a file from the rules of the format and of the viewers. docs/reading.md
 *  lists the rules. Included by <ftr/reader.h>. */
#ifndef FTR_FINDING_H
#define FTR_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include <ftr/status.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whom a finding concerns; a mask. */
enum {
    FTR_FOR_SPEC = 1,     /**< it is against the published text of the format */
    FTR_FOR_SCVIEWER = 2, /**< SCViewer shows the file wrongly, or not at all */
    FTR_FOR_SURFER = 4,   /**< Surfer does */
    FTR_FOR_ALL = 7,
    FTR_FOR_SURFER_WEB = 8 /**< only Surfer's build for web browsers does; not among all */
};

/** Something a file has that it should not have. */
typedef struct ftr_finding {
    unsigned number;       /**< of its rule: stable, listed in docs/reading.md */
    const char *rule;      /**< its name, such as "chunk-lz4"; static */
    ftr_severity severity; /**< ERROR: something was not read, or a viewer will fail on it */
    unsigned concerns;     /**< FTR_FOR_... */
    uint64_t offset;       /**< bytes into the file; of the chunk when `within` is not 0 */
    uint64_t within;       /**< bytes into the chunk's expanded content, for what is in there */
    const char *message;   /**< what it is, and what was done about it; valid during the call */
} ftr_finding;

/** How many rules there are: their numbers are 1 to this. */
FTR_API unsigned ftr_finding_rules(void);

/** What rule @p number demands, as one sentence, and its name; false when there is no such rule. */
FTR_API bool ftr_finding_rule(unsigned number, const char **name, const char **demand,
                              unsigned *concerns);

#ifdef __cplusplus
}
#endif

#endif
