# Time from the program, and the handle of the open call, for the program's own relations.
cat >lib.c <<'C'
int inner(int a);
int outer(int a) { return inner(a); }
C
cat >main.c <<'C'
#include <ftr/environment.h>
#include <ftr/tracelink.h>
static uint64_t now = 100;
static uint64_t tick(void *user) { (void)user; return now += 10; }
int outer(int a);
int inner(int a)
{
    ftr_recorder *recorder = ftr_default_recorder(0, 0, 0);
    ftr_stream stream;
    ftr_generator generator;
    ftr_relation relation;
    ftr_tx tx, call;
    if (ftr_stream_define(recorder, "bus", "", &stream) ||
        ftr_generator_define(recorder, stream, "read", 0, 0, &generator) ||
        ftr_relation_define(recorder, "PARENT_CHILD", &relation) ||
        ftr_tx_record(recorder, generator, 121, 129, 0, 0, &tx) || !ftr_tracelink_current(&call) ||
        ftr_relation_put(recorder, relation, call, tx))
        return 1;
    return a;
}
int main(void)
{
    if (ftr_tracelink_set_clock(tick, 0, 5) != FTR_ERR_ARGUMENT || ftr_tracelink_set_clock(tick, 0, -6))
        return 2;
    return outer(0);
}
C
printf '[tracer]\nname = clock\ninclude = ftr.ini\ntrace = outer, inner\n' >t.ini
$CC $CFLAGS -g -I"$SOURCE/include" -c lib.c main.c
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
$DECODE json t.ftr | grep -o '"time_scale": -[0-9]*\|"begin": [0-9]*, "end": [0-9]*'
