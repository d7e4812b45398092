/* Calls a function for each relation of a file. */
#ifndef FTR_EACH_RELATION_H
#define FTR_EACH_RELATION_H

#include <ftr/reader.h>

/* @return FTR_OK to continue the loop; FTR_ERR_END to end it without an error; another status to
 * end it with this error */
typedef ftr_status ftr_visit_relation(void *user, const ftr_relation_info *relation);

/* @return FTR_OK; an error of @p visit or of ftr_relation_cursor_next() */
ftr_status ftr_each_relation(ftr_reader *reader, ftr_visit_relation *visit, void *user);

#endif
