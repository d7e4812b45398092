/** @file
 *  Findings: deviations of a file from the rules of the format and of the viewers.
 *  docs/reading.md lists the rules. Included by <ftr/reader.h>. */
#ifndef FTR_FINDING_H
#define FTR_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include <ftr/status.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of a mask: the specification and the programs that a finding concerns. */
enum {
    FTR_FOR_SPEC = 1,     /**< contradicts the published text of the format */
    FTR_FOR_SCVIEWER = 2, /**< SCViewer shows the file incorrectly, or not at all */
    FTR_FOR_SURFER = 4,   /**< Surfer shows the file incorrectly, or not at all */
    FTR_FOR_ALL = 7,
    /** as FTR_FOR_SURFER, for Surfer's build for web browsers; not included in FTR_FOR_ALL */
    FTR_FOR_SURFER_WEB = 8
};

/** A deviation of a file from a rule. */
typedef struct ftr_finding {
    unsigned number;  /**< number of the rule: stable, listed in docs/reading.md */
    const char *rule; /**< name of the rule, for example "chunk-lz4"; static */
    /** ERROR: data was not read, or a viewer will fail. NOT_CHECKED: rules were not checked for a
     *  part of the file. WARNING: a viewer shows the file incorrectly. */
    ftr_severity severity;
    unsigned concerns; /**< FTR_FOR_... */
    uint64_t offset;   /**< offset in the file; if `within` is not 0, the offset of the chunk */
    uint64_t within;   /**< 1 + offset in the chunk's expanded content; 0: not in this content */
    /** describes the deviation and how the reader handles it; valid during the call of the finding
     * function */
    const char *message;
} ftr_finding;

/** Returns the number of rules, which are numbered from 1. */
FTR_API unsigned ftr_finding_rules(void);

/** Gets the name of rule @p number, its requirement as one sentence, and the programs that it
 * concerns (FTR_FOR_...). Each of the pointers may be NULL. Returns false, and sets nothing, if
 * there is no rule with this number. */
FTR_API bool ftr_finding_rule(unsigned number, const char **name, const char **demand,
                              unsigned *concerns);

#ifdef __cplusplus
}
#endif

#endif
