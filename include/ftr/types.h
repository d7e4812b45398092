/** @file
 *  Types that recorder and reader share. <ftr/recorder.h> and <ftr/reader.h> include this header.
 */
#ifndef FTR_TYPES_H
#define FTR_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/** The types of an attribute (docs/format.md, "Attribute types"). */
typedef enum ftr_type {
    FTR_TYPE_BOOLEAN = 0,
    FTR_TYPE_ENUMERATION = 1,                  /**< text: the enumerator's name */
    FTR_TYPE_INTEGER = 2,                      /**< int64_t */
    FTR_TYPE_UNSIGNED = 3,                     /**< uint64_t */
    FTR_TYPE_FLOATING_POINT = 4,               /**< double; see ftr_recorder_options.floats */
    FTR_TYPE_BIT_VECTOR = 5,                   /**< text of 0 and 1, most significant first */
    FTR_TYPE_LOGIC_VECTOR = 6,                 /**< text of 0, 1, X and Z */
    FTR_TYPE_FIXED_POINT_INTEGER = 7,          /**< double */
    FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER = 8, /**< double */
    FTR_TYPE_POINTER = 9,                      /**< uint64_t */
    FTR_TYPE_STRING = 10,                      /**< text */
    FTR_TYPE_TIME = 11                         /**< uint64_t ticks */
} ftr_type;

/** How attribute types are numbered in a file (docs/format.md, "Attribute types"). */
typedef enum ftr_numbering {
    FTR_NUMBERING_DEPLOYED = 0, /**< as in LWTR4SC, SCViewer and Surfer */
    FTR_NUMBERING_SPEC = 1      /**< as in the published specification */
} ftr_numbering;
/** The name of FTR_NUMBERING_SPEC in version 0.1. */
#define FTR_NUMBERING_TEXT FTR_NUMBERING_SPEC

/** The part of a transaction's life to which an attribute belongs. */
typedef enum ftr_attribute_class {
    FTR_CLASS_BEGIN = 0,
    FTR_CLASS_RECORD = 1,
    FTR_CLASS_END = 2
} ftr_attribute_class;

/** The severity of a message or finding. */
typedef enum ftr_severity {
    FTR_SEVERITY_NOTE,
    FTR_SEVERITY_WARNING,
    FTR_SEVERITY_ERROR,
    /** Only for findings: a part of the file was not checked, for example for lack of memory, so
     *  the absence of other findings does not show that the file is sound. */
    FTR_SEVERITY_NOT_CHECKED
} ftr_severity;

#ifdef __cplusplus
}
#endif

#endif
