# shellcheck shell=bash
# A run of the example that the page queries.
FTR_TRACE=run.ftr "$BUILD/bin/pipelined_bus" >/dev/null
