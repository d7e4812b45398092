# Configured signatures: used without debug information, otherwise compared with it.
cat >lib.c <<'C'
struct node { struct node *next; };
enum mode { OFF, ON };
long add(int a, unsigned char b) { return a + b; }
int walk(const struct node *from, enum mode mode) { return from ? mode : 0; }
C
cat >main.c <<'C'
struct node;
long add(int a, unsigned char b);
int walk(const struct node *from, int mode);
int main(void) { return (int)add(1, 2) + walk(0, 1) != 3; }
C
cat >t.ini <<'INI'
[tracer]
name = signatures
include = ftr.ini
functions = lib
trace = add, walk
[lib]
header = "struct node;"
signatures = lib-signatures
[lib-signatures]
add = long, int, unsigned char
walk = int, const struct node *, int
INI
$CC $CFLAGS -c lib.c main.c
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
$CC $CFLAGS -g -c lib.c
$FTR_LD -C t.ini -- -o main main.o lib.o && FTR_TRACE=t.ftr ./main && $CALLS t.ftr
sed -i 's/add = .*/add = long, int, unsigned short/; s/walk = .*/walk = void, struct leaf *, int/' t.ini
$FTR_LD -f -w -C t.ini -- -o main main.o lib.o
sed -i 's/walk = .*/walk = int, struct node *, enum mode, int/' t.ini
$FTR_LD -C t.ini -- -o main main.o lib.o 2>&1 | grep '^error'
sed -i '/^walk =/d; s/add = .*/add = long, int, unsigned char/' t.ini
$CC $CFLAGS -c lib.c
$FTR_LD -C t.ini -- -o main main.o lib.o
