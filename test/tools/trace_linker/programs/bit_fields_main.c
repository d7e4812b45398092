/* Calls functions with bit fields, and dumps the trace buffer to the file given as argument. */
#include "odd_types.h"

#include <stdio.h>

void ftr_trace_buffer_dump(void (*put)(void *user, const void *data, size_t size), void *user);

static void put(void *user, const void *data, size_t size)
{
    fwrite(data, 1, size, user);
}

int main(int argc, char **argv)
{
    odd_flags((struct flags){5, -3, 77, 1});
    odd_flags((struct flags){2, 15, 0xfedcba, 0});
    odd_mixed((struct mixed){5, 1000, "ab", 1LL << 35}, 3);
    odd_mixed((struct mixed){7, 8191, "yz", -1}, 4);
    odd_with_gap((struct with_gap){.a = 1, .b = 2});
    odd_with_break((struct with_break){.a = 1, .b = 2});
    odd_gap_and_member((struct gap_and_member){.a = 1, .plain = 2});
    odd_packed_bits((struct packed_bits){1, 4097, 3});
    odd_nested((struct nested){.first = 1, .inner.b = 5, .number = 6});
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : stdout;
    if (!file)
        return 1;
    ftr_trace_buffer_dump(put, file);
    return fclose(file);
}
