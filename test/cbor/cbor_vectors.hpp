// The examples of encoded items of RFC 8949, appendix A: all of them, in its order.
#ifndef FTR_TEST_CBOR_VECTORS_HPP
#define FTR_TEST_CBOR_VECTORS_HPP

#include "cbor_writer.h"

#include <cstdint>
#include <string>
#include <vector>

struct cbor_vector {
    // The RFC's diagnostic notation, with the encoding indicators of its section 8.1 at floats (_1
    // half, _2 single, _3 double) and their shortest decimal digits; non-ASCII text is UTF-8.
    const char *text;
    const char *hex;
    void (*put)(ftr_cbor_writer *w);
};

extern const std::vector<cbor_vector> cbor_vectors;

std::vector<std::uint8_t> bytes_of_hex(const std::string &hex);
std::string hex_of_bytes(const std::uint8_t *bytes, std::size_t size);

#endif
