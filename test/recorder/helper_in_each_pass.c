/* A recorder whose writer has a helper from the first pass on. Otherwise, only long runs have one.
 * See the options of the linker in recorder_tests.cmake. */
#include "drain.h"

void __real_ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent);
void __wrap_ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent);

void __wrap_ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent)
{
    ftr_chunk_writer_start_helper(&rec->encoder.chunks);
    __real_ftr_drain_lanes(rec, extent);
}
