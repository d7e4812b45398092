# Tools and flags from a BSP's package, and a prefix for all tools.
mkdir -p bin rtems/lib/pkgconfig
for tool in gcc objcopy; do
    printf '#!/bin/sh\necho "%s $*" | sed "s/-DABI=.*-O2/... -O2/" >>"$LOG"\nexec %s "$@"\n' $tool $tool >bin/sparc-rtems6-$tool
done
chmod +x bin/*
export PATH=$PWD/bin:$PATH LOG=$PWD/log
printf 'prefix=/opt/rtems\nABI_CFLAGS=-DABI=1 -g\n\nName: erc32\n' >rtems/lib/pkgconfig/sparc-rtems6-erc32.pc
echo 'int f(int a) { return a; }' >lib.c
echo 'int f(int a); int main(void) { return f(0); }' >main.c
printf '[tracer]\nname = t\ninclude = ftr.ini\ntrace = f\n' >t.ini
gcc -g -c lib.c main.c
$FTR_LD -r rtems -B sparc/erc32 -W w -C t.ini -- -o main main.o lib.o
echo $?
grep -c ' -DABI=1 -g ' log || sed 's/ -W.*//; s/ -L.*//' log
$FTR_LD -r rtems -B arm/erc32 -C t.ini -- -o main main.o lib.o
$FTR_LD -B sparc/erc32 -C t.ini -- -o main main.o lib.o
