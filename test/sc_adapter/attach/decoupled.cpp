// Initiators of two byte orders that run ahead of time by a quantum, with the quantum keeper and
// the endianness conversion of TLM-2.0: 40 transfers each, of 1, 2, 4 and 8 bytes, to one memory
// through a bus.
#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;

/* Words in the opposite byte order of the host, on a bus of 32 bits, or in the host's byte
 * order. */
struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    tlm_utils::tlm_quantumkeeper time;
    const bool is_converted;
    std::uint64_t sum = 0;

    SC_HAS_PROCESS(initiator);
    initiator(const sc_core::sc_module_name &name, bool converted)
        : sc_module(name), socket("socket"), is_converted(converted)
    {
        SC_THREAD(run);
    }

    void run()
    {
        time.reset();
        for (unsigned i = 0; i < 40; ++i) {
            transfer(i);
            time.inc(sc_time(3, SC_NS));
            if (time.need_sync())
                time.sync();
        }
    }

    template <class Word> void send(tlm::tlm_generic_payload &trans)
    {
        if (is_converted)
            tlm::tlm_to_hostendian_generic<Word>(&trans, 4);
        sc_time local = time.get_local_time();
        socket->b_transport(trans, local);
        time.set(local);
        if (is_converted)
            tlm::tlm_from_hostendian_generic<Word>(&trans, 4);
    }

    void transfer(unsigned number)
    {
        std::uint8_t data[8];
        for (unsigned i = 0; i < 8; ++i)
            data[i] = static_cast<std::uint8_t>(number + i);
        const unsigned length = 1U << (number % 4);
        tlm::tlm_generic_payload trans;
        trans.set_command(number % 8 < 4 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        trans.set_address(8 * (number / 8));
        trans.set_data_ptr(data);
        trans.set_data_length(length);
        trans.set_streaming_width(length);
        switch (length) {
        case 1:
            send<std::uint8_t>(trans);
            break;
        case 2:
            send<std::uint16_t>(trans);
            break;
        default:
            send<std::uint32_t>(trans);
        }
        for (unsigned i = 0; i < length; ++i)
            sum = sum * 31 + data[i];
        sum += trans.is_response_ok();
    }
};

struct bus : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<bus> in;
    tlm_utils::multi_passthrough_initiator_socket<bus> out;
    explicit bus(const sc_core::sc_module_name &name) : sc_module(name), in("in"), out("out")
    {
        in.register_b_transport(this, &bus::b_transport);
    }
    void b_transport(int, tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        delay += sc_time(1, SC_NS);
        out[0]->b_transport(trans, delay);
    }
};

/* Supports byte enables, which the conversion uses. */
struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket;
    std::vector<unsigned char> bytes;
    explicit memory(const sc_core::sc_module_name &name)
        : sc_module(name), socket("socket"), bytes(256)
    {
        socket.register_b_transport(this, &memory::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_time &delay)
    {
        const unsigned char *const enabled = trans.get_byte_enable_ptr();
        for (unsigned i = 0; i < trans.get_data_length(); ++i) {
            if (enabled && enabled[i % trans.get_byte_enable_length()] == TLM_BYTE_DISABLED)
                continue;
            unsigned char &at = bytes[trans.get_address() + i];
            (trans.is_write() ? at : trans.get_data_ptr()[i]) =
                trans.is_write() ? trans.get_data_ptr()[i] : at;
        }
        delay += sc_time(7, SC_NS);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

} // namespace

int sc_main(int, char *[])
{
    tlm::tlm_global_quantum::instance().set(sc_time(100, SC_NS));
    initiator host("host", false);
    initiator other("other", true);
    bus middle("bus");
    memory ram("ram");
    host.socket.bind(middle.in);
    other.socket.bind(middle.in);
    middle.out.bind(ram.socket);
    sc_core::sc_start();
    std::cout << host.sum << " " << other.sum << " " << sc_core::sc_time_stamp() << std::endl;
    return 0;
}
