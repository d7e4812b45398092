# The functions that a list chooses: exclusions, misspelt names, globs that match uncalled
# functions.
{
    for i in $(seq 40); do echo "int lib_idle_$i(int a, ...) { return a; }"; done
    for i in $(seq 12); do echo "int lib_used_$i(int a) { return a; } int lib_inner_$i(int a) { return lib_used_$i(a); }"; done
    echo 'int lib_simple(int a) { return a; }'
} >lib.c
{
    for i in $(seq 12); do echo "int lib_used_$i(int a), lib_inner_$i(int a);"; done
    echo 'int lib_simple(int a); int main(void) { return 0'
    for i in $(seq 12); do echo "+ lib_used_$i(0) + lib_inner_$i(0)"; done
    echo '+ lib_simple(0); }'
} >main.c
$CC $CFLAGS -g -O0 -c lib.c main.c
try() {
    echo "-- $1"
    printf '[tracer]\nname = choice\ninclude = ftr.ini\ntrace = %s\n' "$1" >t.ini
    $FTR_LD ${2:-} -C t.ini -- -o main main.o lib.o 2>messages
    echo $?
    grep -v '^note' messages >&2
    rm -f t.ftr
    [ ! -e main ] || { FTR_TRACE=t.ftr ./main && $CALLS t.ftr | wc -l; }
    rm -f main
}
try 'lib_*'
try 'lib_*, !lib_used_*, ! lib_inner_1?'
try '!lib_*' # nothing is chosen
try 'lib_simple, lib_used_1, !lib_used_1, !lib_usde_2'
try 'lib_simlpe'
try 'lib_idle_1, nothing_alike'
try 'lib_idle_*'
echo "-- what sources call is not known"
printf '[tracer]\nname = choice\ninclude = ftr.ini\ntrace = lib_simple*\n' >t.ini
echo 'int lib_simple(int a); int main(void) { return lib_simple(0); }' >other.c
$FTR_LD -C t.ini -- $CC $CFLAGS -o main other.c lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
echo "-- enables"
printf '[tracer]\nname = choice\ninclude = ftr.ini\ntrace = lib_used_1*\nenable = !lib_used_12\n' >t.ini
$FTR_LD -C t.ini -- -o main main.o lib.o 2>/dev/null && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
