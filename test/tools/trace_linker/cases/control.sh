# Recursion, threads, callbacks, longjmp and thread exit from traced calls.
$CC $CFLAGS -g -c "$PROGRAMS"/control*.c
cat >t.ini <<'INI'
[tracer]
name = control
include = ftr.ini
trace = control_*
INI
$FTR_LD -C t.ini -- -o control control*.o -pthread
FTR_TRACE=t.ftr ./control
# A delayed thread records a transaction after other threads have recorded later ones.
$DECODE check t.ftr --allow end-order
$CALLS t.ftr >calls
sed -n '/calls.main/,/^calls.t/p' calls | grep -v '^calls.t'
echo "in threads: $(sed -n '/^calls.thread/,$p' calls | grep -c control_)"
sed -n '/^calls.thread/,$p' calls | sort | uniq -c | sort -n | sed 's/^ *//; s/(n=[0-9]*) return=[0-9]*//' | awk '{count[$2] += $1} END {for (f in count) print f, count[f]}' | sort | grep control
grep 'control_exit_thread' calls
