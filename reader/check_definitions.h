/* Checks dictionaries, directories and the names of streams. */
#ifndef FTR_CHECK_DEFINITIONS_H
#define FTR_CHECK_DEFINITIONS_H

#include "check_state.h"

void ftr_check_dictionary(ftr_check *check);
void ftr_check_directory(ftr_check *check);
void ftr_check_stream_names(ftr_check *check);

#endif
