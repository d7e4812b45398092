/* The second step of a repair. */
#ifndef FTR_REPAIR_CONTENT_H
#define FTR_REPAIR_CONTENT_H

#include "repair_run.h"

/* Second step: resolves contradictions between entries. Undefined texts, streams and generators are
 * defined, invalid entries are dropped. A file without contradictions is copied unchanged. */
ftr_status ftr_repair_content(ftr_repair_run *run, ftr_reader *reader);

#endif
