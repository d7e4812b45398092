# Calls that --wrap cannot intercept are reported before linking.
cat >lib.c <<'C'
static int hidden(int x) { return x * 3; }
int add(int a, int b) { return a + b; }
int (*table[])(int, int) = {add};
int twice(int a) { return add(a, a); }
int thrice(int a) { return add(add(a, a), a) + hidden(a); }
extern int also(int a, int b) __attribute__((alias("add")));
int unused(int a) { return a; }
C
cat >main.c <<'C'
int add(int a, int b);
int also(int a, int b);
int twice(int a);
int main(void) { return add(1, 2) + also(1, 2) + twice(1) != 8; }
C
cat >t.ini <<'INI'
[tracer]
name = blind
include = ftr.ini
trace = add, twice, unused
INI
$CC $CFLAGS -g -O0 -c lib.c main.c
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
echo "-- inlined"
$CC $CFLAGS -g -O2 -c lib.c
$FTR_LD -C t.ini -- -o main main.o lib.o
echo "-- static"
sed -i 's/trace = .*/trace = hidden/' t.ini
$CC $CFLAGS -g -O0 -c lib.c
$FTR_LD -C t.ini -- -o main main.o lib.o
echo "-- shared, with -v"
sed -i 's/trace = .*/trace = add/' t.ini
printf 'functions = lib\n[lib]\nsignatures = s\n[s]\nadd = int, int, int\n' >>t.ini
$CC $CFLAGS -g -O0 -fPIC -shared -o libadd.so lib.c
$FTR_LD -v -C t.ini -- -o main main.o -L. -ladd -Wl,-rpath,. 2>&1 | grep 'shared'
$CC $CFLAGS -g -O0 -c lib.c
ar rc libadd.a lib.o
rm libadd.so
$FTR_LD -C t.ini -- -o main main.o -L. -ladd
echo "-- a shell reads the words of the printed command"
$FTR_LD -v -C t.ini -- -o "it's \$HOME" main.o -L. -ladd 2>&1 | sed -n "s/^note: .* -o \('it.*HOME'\) .*/printf '%s\\\\n' \1/p" | sort -u >words.sh
sh words.sh
