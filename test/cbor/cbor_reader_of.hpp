// A reader over bytes, for the tests of reading CBOR.
#ifndef FTR_TEST_CBOR_READER_OF_HPP
#define FTR_TEST_CBOR_READER_OF_HPP

#include "cbor_reader.h"
#include "cbor_vectors.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// A reader over a heap block of exactly these bytes, so that AddressSanitizer detects a read beyond
// them.
class reader_of
{
  public:
    explicit reader_of(const std::vector<std::uint8_t> &bytes)
        : bytes_(new std::uint8_t[bytes.size()])
    {
        if (!bytes.empty())
            std::memcpy(bytes_.get(), bytes.data(), bytes.size());
        ftr_cbor_reader_init(&r, bytes_.get(), bytes.size());
    }
    explicit reader_of(const std::string &hex) : reader_of(bytes_of_hex(hex)) {}

    ftr_cbor_reader r;

  private:
    std::unique_ptr<std::uint8_t[]> bytes_;
};

// Skips the first item of @p hex.
inline ftr_status skip(const std::string &hex)
{
    reader_of reader(hex);
    return ftr_cbor_skip(&reader.r);
}

#endif
