#include "odd_types.h"

#include <stdio.h>

int main(void)
{
    double _Complex z = odd_multiply(1.0 + 2.0i, 3.0f + 4.0if);
    vector_of_4 v = odd_add((vector_of_4){1, 2, 3, 4}, (vector_of_4){1, 1, 1, 1});
    vector_of_8 wide = {1, 2, 3, 4, 5, 6, 7, 8};
    odd_pointers(&z, &v);
    printf("%g %g %g %g\n", __real__ z, __imag__ z, v[0], v[3]);
    printf("%d ", odd_flags((struct flags){5, -3, 77, 1}));
    printf("%d ", odd_mixed((struct mixed){5, 1000, "ab", 1LL << 35}, 3));
    printf("%d ", odd_with_gap((struct with_gap){.a = 1, .b = 2}));
    printf("%d ", odd_with_break((struct with_break){.a = 1, .b = 2}));
    printf("%d ", odd_gap_and_member((struct gap_and_member){.a = 1, .plain = 2}));
    printf("%d ", odd_packed_bits((struct packed_bits){1, 4097, 3}));
    printf("%d ", odd_packed((struct packed){1, 70000}));
    printf("%g ", odd_holds_complex((struct holds_complex){1.0 + 1.0i, 3}));
    printf("%d ", odd_nested((struct nested){.first = 1, .inner.b = 5, .number = 6}));
    printf("%d ", odd_wide((struct wide){9}));
    printf("%d ", odd_vector_of_8(&wide));
    printf("%d\n", odd_holds_vector((struct holds_vector){wide}));
    return 0;
}
