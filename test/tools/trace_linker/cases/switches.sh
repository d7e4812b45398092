# Enable and trigger lists, and functions switched at run time.
cat >lib.c <<'C'
int one(int a) { return a; }
int two(int a) { return a; }
int start(int a) { return a; }
C
cat >main.c <<'C'
#include <ftr/tracelink.h>
int one(int a);
int two(int a);
int start(int a);
int main(void)
{
    one(1), two(1), start(0), one(2), two(2);
    size_t changed = ftr_tracelink_set_enabled("t*", true) + ftr_tracelink_set_enabled("one", false);
    one(3), two(3);
    ftr_tx tx;
    return changed != 2 || ftr_tracelink_current(&tx) || ftr_tracelink_set_clock(0, 0, -9) != FTR_ERR_STATE;
}
C
cat >t.ini <<'INI'
[tracer]
name = switches
include = ftr.ini
trace = one, two, start
enable = one, start, nothing
trigger = start
INI
$CC $CFLAGS -g -I"$SOURCE/include" -c lib.c main.c
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
