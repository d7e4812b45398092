# Archives of other projects, neither changed nor compiled here: compared with calls counted by gdb
# in the plain program.
command -v gdb >/dev/null || exit 77
[ -f /usr/include/lz4.h ] && [ -f /usr/include/zlib.h ] || exit 77
cat >main.c <<'C'
#include <lz4.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
static char text[100000], small[120000], back[100000];
int main(void)
{
    for (size_t i = 0; i < sizeof text; ++i)
        text[i] = "the quick brown fox"[i % 19 + i / 5000 % 2 * -(i % 3)];
    gzFile file = gzopen("text.gz", "wb");
    for (int i = 0; i < 40; ++i)
        gzwrite(file, text, 50000);
    gzclose(file);
    file = gzopen("text.gz", "rb");
    long total = 0;
    for (int got; (got = gzread(file, back, 7777)) > 0;)
        total += got;
    gzclose(file);
    uLongf size = sizeof small;
    compress(  (Bytef *)small, &size, (Bytef *)text, sizeof text);
    uLongf whole = sizeof back;
    uncompress((Bytef *)back, &whole, (Bytef *)small, size);
    for (int i = 1; i <= 25; ++i) {
        int packed = LZ4_compress_default(text, small, 4000 * i, sizeof small);
        if (LZ4_decompress_safe(small, back, packed, sizeof back) != 4000 * i)
            return 1;
    }
    return total != 2000000 || whole != sizeof text;
}
C
cat >t.ini <<'INI'
[tracer]
name = third party
include = ftr.ini
functions = zlib, lz4
options = addresses
traces = calls
[addresses]
string-limit = 0
[calls]
trace = deflate, inflate, deflateEnd, inflateEnd, LZ4_compress_default, LZ4_decompress_safe
[zlib]
header = "#include <zlib.h>"
signatures = zlib-signatures
[zlib-signatures]
deflate = int, z_streamp, int
inflate = int, z_streamp, int
deflateEnd = int, z_streamp
inflateEnd = int, z_streamp
[lz4]
header = "#include <lz4.h>"
signatures = lz4-signatures
[lz4-signatures]
LZ4_compress_default = int, const char *, char *, int, int
LZ4_decompress_safe = int, const char *, char *, int, int
INI
$CC $CFLAGS -O1 -g -c main.c
libraries="-l:libz.a -l:liblz4.a"
$CC $CFLAGS -no-pie -o plain main.o $libraries
$FTR_LD -C t.ini -- -o traced main.o $libraries
FTR_TRACE=t.ftr ./traced || echo "traced program failed"
functions="LZ4_compress_default LZ4_decompress_safe deflate deflateEnd inflate inflateEnd"
for f in $functions; do
    printf 'break *%s\ncommands\nsilent\nend\nignore $bpnum 1000000\n' $f
done >count.gdb
echo 'run
info breakpoints' >>count.gdb
gdb -q -batch -x count.gdb ./plain 2>/dev/null |
    awk '/in [A-Za-z0-9_]* ?at|<[A-Za-z0-9_]*\+?[0-9]*>/ {for (i = 1; i <= NF; ++i) if ($i ~ /^</) {gsub(/[<>]|\+.*/, "", $i); f = $i}}
         /already hit/ {print f, $4}' | sort >gdb.counts
for f in $functions; do
    echo "$f $($CALLS t.ftr | grep -c "^ *$f(")"
done | sort >our.counts
cat our.counts
diff gdb.counts our.counts && echo "as gdb counts"
