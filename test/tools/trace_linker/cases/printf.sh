# The documentation's first trace with printf-generator, the default; and preserved quoting.
cat >lib.c <<'C'
#include "lib.h"
short scale(short value, struct pair p, const char *unit) { return value * p.a + p.b + (unit[0] == 'm'); }
void reset(void) {}
C
cat >lib.h <<'C'
struct pair { unsigned char a; unsigned int b; };
short scale(short value, struct pair p, const char *unit);
void reset(void);
C
cat >main.c <<'C'
#include "lib.h"
int main(void) { struct pair p; __builtin_memset(&p, 0, sizeof p); p.a = 2; p.b = 0x1000; reset(); return scale(3, p, "m") != 4103; }
C
cat >t.ini <<'INI'
; A trace in the words of the original.
[tracer]
name = Trace of a library, by print
options = local-options
functions = lib
traces = lib-trace
include = rtld-base.ini

[local-options]
dump-on-error = true
verbose = 0
cflags = "-I."

[lib]
headers = lib-headers
defines = lib-defines
signatures = lib-signatures

[lib-headers]
header = '#include "lib.h"',
[lib-defines]
define = "#define PAIR(a, b) {a, b}"

[lib-signatures]
scale = short, short, struct pair, const char *
reset = void, void

[lib-trace]
traces = lib-reset
trace = scale,
[lib-reset]
trace = reset
INI
$CC $CFLAGS -c lib.c main.c
$FTR_LD -C t.ini -W "a wrapper" -- -o "a program" main.o lib.o -Wl,-rpath,'/odd path/$ORIGIN'
"./a program" >out; echo $?
sed "s/const char \*(8) = .*/const char *(8) = .../" out
ls "a wrapper.c" "a wrapper.o"
readelf -d "a program" | grep -o 'path: .*'
