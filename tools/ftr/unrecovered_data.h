/* The losses of a recovered trace that recovery could not restore (docs/format.md, "Losses"). */
#ifndef FTR_UNRECOVERED_DATA_H
#define FTR_UNRECOVERED_DATA_H

#include <stdbool.h>

#include <ftr/reader.h>

/** Prints a message for each loss in the stream `ftr.losses` that is due to data that was neither
 * in the trace nor in its journal, so that a recovered file does not look complete.
 *  @param[out] any whether there are such losses; unchanged on error
 *  @return FTR_ERR_END if the stream was read to its end (success); otherwise an error */
ftr_status ftr_unrecovered_report(ftr_reader *reader, const char *path, bool *any);

#endif
