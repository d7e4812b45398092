# The C library's heap, with the shipped signatures; the generators themselves use the wrapped
# functions.
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    char *text = malloc(10);
    strcpy(text, "some");
    text = realloc(text, 100);
    memcpy(text + 4, "text\n", 6);
    fflush(stdout);
    write(1, text, strlen(text));
    free(text);
    free(calloc(2, 3));
    fputs("end\n", stdout);
    return 0;
}
C
cat >t.ini <<'INI'
[tracer]
name = heap
functions = libc, more
traces = libc-heap-all, more-all
include = libc.ini, FILE
[more]
headers = more-headers
signatures = more-signatures
[more-headers]
header = "#include <string.h>", "#include <unistd.h>"
[more-all]
trace = memcpy, write, strlen, fputs
generator = GENERATOR
[more-signatures]
memcpy = void *, void *, const void *, size_t
write = ssize_t, int, const void *, size_t
strlen = size_t, const char *
fputs = int, const char *, FILE *
INI
$CC $CFLAGS -O0 -fno-builtin -c main.c
sed 's/FILE$/ftr.ini/; s/GENERATOR/ftr-generator/' t.ini >ftr-t.ini
$FTR_LD -C ftr-t.ini -- -o main main.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
sed 's/FILE$/rtld-print.ini/; s/GENERATOR/printf-generator/' t.ini >print.ini
$FTR_LD -C print.ini -- -o main main.o && ./main | sed 's/= [0-9a-f]*$/= .../' | grep -c '>>>'
echo "-- a generator that calls what it traces"
cat >own.ini <<'INI'
[own-generator]
header = "#include <stdio.h>", "#include <string.h>"
code = <<<CODE
static size_t traced;
static __attribute__((destructor)) void tell(void) { printf("%zu letters\n", traced); }
CODE
entry-trace = "traced += strlen(@FUNC_NAME@);"
INI
sed 's/FILE$/own.ini/; s/GENERATOR/own-generator/' t.ini >own-t.ini
$FTR_LD -f -fno-builtin -C own-t.ini -- -o main main.o && ./main
