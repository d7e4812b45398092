/* A program that looks to libftr_attach.so like a prototype with a SystemC kernel: it exports the
 * variables of the kernel's version, and the constructor that has the C++ standard in its name.
 * Compiled for each form of these symbols: DOUBLE_MAJOR, DOUBLE_MINOR, DOUBLE_PATCH, and
 * DOUBLE_API, the constructor's mangled name. */
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

extern const unsigned major_number __asm__("_ZN7sc_core16sc_version_majorE");
extern const unsigned minor_number __asm__("_ZN7sc_core16sc_version_minorE");
extern const unsigned patch_number __asm__("_ZN7sc_core16sc_version_patchE");
EXPORTED const unsigned major_number = DOUBLE_MAJOR;
EXPORTED const unsigned minor_number = DOUBLE_MINOR;
EXPORTED const unsigned patch_number = DOUBLE_PATCH;

EXPORTED void api_version(void) __asm__(DOUBLE_API);
EXPORTED void api_version(void) {}

int main(void)
{
    puts("simulated");
    return 0;
}
