# Objects with code for link-time optimisation: rejected, or linked without this code, because it
# would hide calls.
cat >lib.c <<'C'
int add(int a, int b) { return a + b; }
C
cat >main.c <<'C'
int add(int a, int b);
int main(void) { return add(1, 2) + add(3, 4) != 10; }
C
printf '[tracer]\nname = lto\ninclude = ftr.ini\ntrace = add\n' >t.ini
cat >>t.ini <<'INI'
functions = f
[f]
signatures = s
[s]
add = int, int, int
INI
try() {
    echo "-- $1"
    shift
    rm -f main t.ftr
    $FTR_LD -C t.ini -- "$@"
    echo $?
    [ ! -e main ] || { FTR_TRACE=t.ftr ./main && $CALLS t.ftr; }
}
echo 'int main(void) { return 0; }' >probe.c
gcc -flto -O2 -o probe probe.c 2>/dev/null || exit 77
gcc -g -O2 -flto -fno-fat-lto-objects -c lib.c main.c
try "slim" gcc -o main main.o lib.o
$FTR_LD --list main.o lib.o; echo $?
ar rc liblto.a lib.o 2>/dev/null
gcc -g -O2 -c main.c
try "slim, in an archive" gcc -o main main.o liblto.a
gcc -g -O2 -flto -ffat-lto-objects -c lib.c main.c
try "fat" gcc -flto -O2 -o main main.o lib.o
try "fat, without a word on the link line" gcc -O2 -o main main.o lib.o
try "sources" gcc -flto -O2 -o main main.c lib.c
printf 'BC\300\336bitcode' >lib.o
try "of LLVM" gcc -o main main.o lib.o
