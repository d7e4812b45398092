// An account of the accesses of a model, kept by the model's own modules and printed line by line.
// The module that makes a call reports the access and its phases; the called module gets the
// number of the access with the call. accounted_test.py compares the account with a recording.
#ifndef FTR_TEST_ACCOUNT_HPP
#define FTR_TEST_ACCOUNT_HPP

#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>

#include <systemc>
#include <tlm>

/* An extension without a printer. */
struct marker : tlm::tlm_extension<marker> {
    tlm::tlm_extension_base *clone() const override { return new marker; }
    void copy_from(const tlm::tlm_extension_base &) override {}
};

namespace account
{

using payload = tlm::tlm_generic_payload;

inline std::mt19937 chance;

/* Returns a random number less than @p count. */
inline unsigned some(unsigned count)
{
    return static_cast<unsigned>(chance() % count);
}
inline bool once_in(unsigned count)
{
    return some(count) == 0;
}
inline sc_core::sc_time some_ns(unsigned count)
{
    return sc_core::sc_time(some(count), sc_core::SC_NS);
}

inline std::uint64_t ticks(const sc_core::sc_time &delay = sc_core::SC_ZERO_TIME)
{
    return (sc_core::sc_time_stamp() + delay).value();
}

inline std::string hexadecimal(const unsigned char *bytes, unsigned length)
{
    std::string text;
    for (unsigned i = 0; bytes && i < length; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += digits;
    }
    return text;
}

inline const char *command(const payload &trans)
{
    return trans.is_read() ? "read" : trans.is_write() ? "write" : "ignore";
}

/* The number of the access that the current call passes to the called module. */
inline unsigned passed = 0;

/* Begins an access at the current time plus @p delay. @p parent: the access that the module serves
 * by this one; 0: none. @p has_same_payload: with the payload of the parent. Returns its number. */
inline unsigned begin(const std::string &link, const payload &trans, const sc_core::sc_time &delay,
                      unsigned parent = 0, bool has_same_payload = true)
{
    static unsigned number = 0;
    passed = ++number;
    std::cout << "begin " << number << " link=" << link << " command=" << command(trans)
              << " time=" << ticks(delay) << " delay=" << delay.value() << " parent=" << parent
              << " same=" << (has_same_payload && parent) << " address=" << trans.get_address()
              << " length=" << trans.get_data_length() << " width=" << trans.get_streaming_width()
              << " option=" << trans.get_gp_option()
              << " extended=" << (trans.get_extension<marker>() != nullptr) << " mask="
              << hexadecimal(trans.get_byte_enable_ptr(), trans.get_byte_enable_length())
              << " data=" << hexadecimal(trans.get_data_ptr(), trans.get_data_length()) << '\n';
    return number;
}

/* Reports a phase. @p address: of the payload now */
inline void phase(unsigned number, const tlm::tlm_phase &of, const payload &trans,
                  const sc_core::sc_time &delay)
{
    std::cout << "phase " << number << " name=" << of << " time=" << ticks(delay)
              << " address=" << trans.get_address() << '\n';
}

/* Reports an extended phase that belongs to no access. */
inline void stray(const std::string &link, const tlm::tlm_phase &of, const payload &trans,
                  const sc_core::sc_time &delay)
{
    std::cout << "stray 0 link=" << link << " name=" << of << " time=" << ticks(delay)
              << " address=" << trans.get_address() << '\n';
}

/* Reports the response that the payload contains now. */
inline void answer(unsigned number, const payload &trans)
{
    std::cout << "answer " << number << " status=" << trans.get_response_string()
              << " allowed=" << trans.is_dmi_allowed()
              << " data=" << hexadecimal(trans.get_data_ptr(), trans.get_data_length()) << '\n';
}

/* Ends an access at the current time plus @p delay. */
inline void end(unsigned number, const sc_core::sc_time &delay)
{
    std::cout << "end " << number << " time=" << ticks(delay) << '\n';
}

/* Ends an access that an exception, or the end of its process, has interrupted. */
inline void abandon(unsigned number)
{
    std::cout << "abandon " << number << " time=" << ticks() << '\n';
}

/* Passes a payload on by b_transport. */
inline void transport(const std::string &link, tlm::tlm_fw_transport_if<> &target, payload &trans,
                      sc_core::sc_time &delay, unsigned parent = 0, bool has_same_payload = true)
{
    const unsigned number = begin(link, trans, delay, parent, has_same_payload);
    try {
        target.b_transport(trans, delay);
    } catch (...) {
        abandon(number);
        throw;
    }
    answer(number, trans);
    end(number, delay);
}

/* A payload with its data. */
struct item {
    payload trans;
    std::array<unsigned char, 24> data{};
    std::array<unsigned char, 4> mask{{0xff, 0, 0xff, 0xff}};
    marker extension;

    explicit item(tlm::tlm_mm_interface *manager = nullptr) : trans(manager) {}
    ~item() { trans.clear_extension(&extension); }
    item(const item &) = delete;
    item &operator=(const item &) = delete;

    /* Fills in a random request. The lower 40 bits of each address are different from those of all
     * others; @p way: the upper ones. */
    void prepare(std::uint64_t way)
    {
        static std::uint64_t serial = 0;
        trans.set_address(way << 40U | ++serial * 64);
        trans.set_command(once_in(12)  ? tlm::TLM_IGNORE_COMMAND
                          : once_in(2) ? tlm::TLM_READ_COMMAND
                                       : tlm::TLM_WRITE_COMMAND);
        for (unsigned char &byte : data)
            byte = static_cast<unsigned char>(some(256));
        trans.set_data_ptr(data.data());
        trans.set_data_length(once_in(3) ? 1 + some(24) : 8);
        trans.set_streaming_width(once_in(10) ? 1 : trans.get_data_length());
        trans.set_byte_enable_ptr(once_in(12) ? mask.data() : nullptr);
        trans.set_byte_enable_length(trans.get_byte_enable_ptr() ? 1 + some(4) : 0);
        trans.set_gp_option(once_in(20) ? tlm::TLM_FULL_PAYLOAD : tlm::TLM_MIN_PAYLOAD);
        trans.set_dmi_allowed(false);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (once_in(15))
            trans.set_extension(&extension);
        else
            trans.clear_extension(&extension);
    }
};

/* Fills in a random response. */
inline void respond(payload &trans)
{
    static const tlm::tlm_response_status errors[] = {
        tlm::TLM_GENERIC_ERROR_RESPONSE,     tlm::TLM_ADDRESS_ERROR_RESPONSE,
        tlm::TLM_COMMAND_ERROR_RESPONSE,     tlm::TLM_BURST_ERROR_RESPONSE,
        tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE};
    trans.set_response_status(once_in(8) ? errors[some(6)] : tlm::TLM_OK_RESPONSE);
    trans.set_dmi_allowed(once_in(6));
    for (unsigned i = 0; trans.is_read() && i < trans.get_data_length(); ++i)
        trans.get_data_ptr()[i] = static_cast<unsigned char>(some(256));
}

} // namespace account

#endif
