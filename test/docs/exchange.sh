# shellcheck shell=bash
# A trace from the epoch to which the page trims, and traces in babeltrace's native format.
# shellcheck disable=SC2046 # a list of options
cc -o make_traces "$HERE/make_traces.c" $(pkg-config --cflags --libs ftr)
./make_traces run.ftr
for trace in lttng-trace kernel-trace ust-trace; do
    ftr convert --output-format ctf -o $trace run.ftr
done
# A log of a QNX kernel: a thread is ready, runs and ends.
python3 - <<'PYTHON'
import struct
log = b"TRACE_HEADER_BEGIN::\nTRACE_LITTLE_ENDIAN::TRUE\nTRACE_CYCLES_PER_SEC::1000000000\nTRACE_CPU_NUM::1\n" \
      b"TRACE_SYSPAGE_LEN::1\nTRACE_HEADER_END::s"
for time, state in (100, 2), (200, 1), (300, 25):
    log += struct.pack("<4I", 4 << 10 | state, time, 7, 1)
open("trace.kev", "wb").write(log)
PYTHON
cp block.c.1 events.c
export C_INCLUDE_PATH=$ROOT/include LIBRARY_PATH=$ROOT/$LIBDIR
