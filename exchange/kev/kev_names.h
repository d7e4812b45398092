/* Names of the numbers in a log. Some depend on the release of QNX. */
#ifndef FTR_KEV_NAMES_H
#define FTR_KEV_NAMES_H

#include <ftr/kev.h>

/* All names are static; NULL: unknown number. */
const char *ftr_kev_state_name(unsigned state, unsigned release);
const char *ftr_kev_call_name(unsigned call, unsigned release);
const char *ftr_kev_name_of(const ftr_kev_event *event, unsigned release);

#endif
