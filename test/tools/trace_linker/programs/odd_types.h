#ifndef ODD_TYPES_H
#define ODD_TYPES_H

typedef float vector_of_4 __attribute__((vector_size(16)));
typedef int vector_of_8 __attribute__((vector_size(32)));
struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned c : 24;
    _Bool d : 1;
};
struct mixed {
    unsigned short a : 3, b : 13;
    char name[4];
    long long wide : 40;
};
struct with_gap {
    unsigned a : 3;
    unsigned : 5;
    unsigned b : 3;
};
struct with_break {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 3;
};
struct gap_and_member {
    unsigned a : 3;
    unsigned : 25;
    int plain;
};
struct __attribute__((packed)) packed_bits {
    unsigned a : 3;
    unsigned b : 13;
    char c;
};
struct __attribute__((packed)) packed {
    char c;
    int x;
};
struct holds_complex {
    double _Complex z;
    int n;
};
struct nested {
    struct {
        char first;
        struct with_gap inner;
    };
    union {
        int number;
        float real;
    };
};
struct __attribute__((aligned(32))) wide {
    int x;
};
struct holds_vector {
    vector_of_8 v;
};

double _Complex odd_multiply(double _Complex a, float _Complex b);
vector_of_4 odd_add(vector_of_4 a, vector_of_4 b);
int odd_flags(struct flags f);
int odd_mixed(struct mixed m, int plain);
int odd_with_gap(struct with_gap g);
int odd_with_break(struct with_break b);
int odd_gap_and_member(struct gap_and_member g);
int odd_packed_bits(struct packed_bits p);
int odd_packed(struct packed p);
double odd_holds_complex(struct holds_complex h);
int odd_nested(struct nested n);
int odd_wide(struct wide w);
int odd_vector_of_8(const vector_of_8 *v);
int odd_holds_vector(struct holds_vector h);
void odd_pointers(double _Complex *z, vector_of_4 *v);

#endif
