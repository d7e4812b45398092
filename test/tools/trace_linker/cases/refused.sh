# Functions that must not be wrapped, named or matched by a glob.
cat >lib.c <<'C'
#include <stdarg.h>
#include <setjmp.h>
int format(const char *text, ...) { return text[0]; }
int plain(int a) { return a; }
int old(a) float a; { return (int)a; }
jmp_buf place;
C
cat >other.cpp <<'C'
int plus(int a) { return a; }
extern "C" int outside(int a) { return plus(a); }
C
cat >main.c <<'C'
#include <setjmp.h>
#include <unistd.h>
int format(const char *text, ...);
int plain(int a);
int old();
int outside(int a);
extern jmp_buf place;
int main(void) { return setjmp(place) + format("") + plain(0) + outside(0) + old(0.0f) + (vfork() < 0); }
C
$CC $CFLAGS -w -g -c lib.c main.c
$CXX $CFLAGS -g -c other.cpp
for name in format old _setjmp vfork _Z4plusi '*'; do
    printf '[tracer]\nname = refused\ninclude = ftr.ini\ntrace = %s\n' "$name" >t.ini
    $FTR_LD -l "$CXX" -C t.ini -- -o main main.o lib.o other.o
    echo "$name $?"
done
