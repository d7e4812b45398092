#include "odd_types.h"

double _Complex odd_multiply(double _Complex a, float _Complex b)
{
    return a * b;
}

vector_of_4 odd_add(vector_of_4 a, vector_of_4 b)
{
    return a + b;
}

int odd_flags(struct flags f)
{
    return (int)f.a + f.b + (int)f.c + f.d;
}

int odd_mixed(struct mixed m, int plain)
{
    return m.a + m.b + m.name[1] + (int)(m.wide >> 35) + plain;
}

int odd_with_gap(struct with_gap g)
{
    return (int)(10 * g.a + g.b);
}

int odd_with_break(struct with_break b)
{
    return (int)(10 * b.a + b.b);
}

int odd_gap_and_member(struct gap_and_member g)
{
    return (int)g.a + g.plain;
}

int odd_packed_bits(struct packed_bits p)
{
    return (int)(p.a + p.b) + p.c;
}

int odd_packed(struct packed p)
{
    return p.c + p.x;
}

double odd_holds_complex(struct holds_complex h)
{
    return __real__ h.z + __imag__ h.z + h.n;
}

int odd_nested(struct nested n)
{
    return n.first + (int)n.inner.b + n.number;
}

int odd_wide(struct wide w)
{
    return w.x;
}

int odd_vector_of_8(const vector_of_8 *v)
{
    return (*v)[7];
}

int odd_holds_vector(struct holds_vector h)
{
    return h.v[7];
}

void odd_pointers(double _Complex *z, vector_of_4 *v)
{
    *z += (*v)[0];
}
