# Texts that are longer than string-limit, or end at unmapped memory, get a mark.
cat >lib.c <<'C'
int take(const char *text) { return text != 0; }
C
cat >main.c <<'C'
#include <string.h>
#include <sys/mman.h>
int take(const char *text);
int main(void)
{
    take("12345678");
    take("123456789");
    take("1234567\xc3\xa4"); /* the limit is within a character */
    take("12345\xe2\x82\xac"); /* and behind one */
    take("12345\xe2\x82\xac.");
    take("");
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page + 4096, 4096);
    memcpy(page + 4093, "abc", 3);
    take(page + 4093);
    memcpy(page + 4091, "abcde", 5);
    take(page + 4091);
    return 0;
}
C
$CC $CFLAGS -g -O0 -c lib.c main.c
printf '[tracer]\nname = cut\ninclude = ftr.ini\ntrace = take\noptions = o\n[o]\nstring-limit = 8\n' >t.ini
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
