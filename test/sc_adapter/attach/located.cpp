// A processor, two interconnects and a memory: a chain of three links. One of the modules breaks a
// rule in one transaction. Arguments: the transport (blocking, phases, debug or dmi), the change,
// the place of the change (or "none"), and optionally the number of transactions and the number of
// the one with the change ("always" after it: and in all later ones). protocol_test.py compares the
// place with the link that is reported.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace
{

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/* Called with the place that a transaction has reached. */
using passing = std::function<void(tlm_generic_payload &, const std::string &place)>;

struct pool : tlm::tlm_mm_interface {
    void free(tlm_generic_payload *) override {}
};

struct note : tlm::tlm_extension<note> {
    tlm_extension_base *clone() const override { return new note; }
    void copy_from(const tlm_extension_base &) override {}
};

/* An extension of a type that does not exist before it is registered. */
struct late_note : tlm::tlm_extension_base {
    tlm_extension_base *clone() const override { return new late_note; }
    void copy_from(const tlm_extension_base &) override {}
    void free() override {}
    /* Registers three types, or seven. Returns the number of the first. */
    static unsigned register_types(bool is_many)
    {
        const unsigned first = register_extension(typeid(char[1]));
        for (const std::type_info *type : {&typeid(char[2]), &typeid(char[3])})
            register_extension(*type);
        if (is_many)
            for (const std::type_info *type :
                 {&typeid(char[4]), &typeid(char[5]), &typeid(char[6]), &typeid(char[7])})
                register_extension(*type);
        return first;
    }
};

struct interconnect : sc_core::sc_module {
    tlm_utils::simple_target_socket<interconnect> in;
    tlm_utils::simple_initiator_socket<interconnect> out;
    const passing pass;

    interconnect(const sc_core::sc_module_name &name, passing passes)
        : sc_module(name), in("in"), out("out"), pass(std::move(passes))
    {
        in.register_b_transport(this, &interconnect::b_transport);
        in.register_nb_transport_fw(this, &interconnect::nb_transport_fw);
        in.register_get_direct_mem_ptr(this, &interconnect::get_direct_mem_ptr);
        in.register_transport_dbg(this, &interconnect::transport_dbg);
        out.register_nb_transport_bw(this, &interconnect::nb_transport_bw);
    }
    void before(tlm_generic_payload &trans) { pass(trans, std::string(name()) + "-before"); }
    void after(tlm_generic_payload &trans) { pass(trans, std::string(name()) + "-after"); }

    void b_transport(tlm_generic_payload &trans, sc_time &delay)
    {
        before(trans);
        try {
            out->b_transport(trans, delay);
        } catch (const std::runtime_error &) {
            if (std::string(name()) != "first")
                throw;
            trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        }
        after(trans);
    }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::BEGIN_REQ)
            before(trans);
        return out->nb_transport_fw(trans, phase, delay);
    }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &trans, tlm_phase &phase, sc_time &delay)
    {
        if (phase == tlm::BEGIN_RESP)
            after(trans);
        return in->nb_transport_bw(trans, phase, delay);
    }
    bool get_direct_mem_ptr(tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        before(trans);
        const bool granted = out->get_direct_mem_ptr(trans, dmi);
        after(trans);
        return granted;
    }
    unsigned transport_dbg(tlm_generic_payload &trans)
    {
        before(trans);
        const unsigned transported = out->transport_dbg(trans);
        after(trans);
        return transported;
    }
};

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket;
    const passing pass;
    unsigned char bytes[256]{};

    memory(const sc_core::sc_module_name &name, passing passes)
        : sc_module(name), socket("socket"), pass(std::move(passes))
    {
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_nb_transport_fw(this, &memory::nb_transport_fw);
        socket.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
        socket.register_transport_dbg(this, &memory::transport_dbg);
    }
    void serve(tlm_generic_payload &trans)
    {
        if (trans.is_read())
            trans.get_data_ptr()[0] += 3;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        pass(trans, name());
    }
    void b_transport(tlm_generic_payload &trans, sc_time &) { serve(trans); }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload &, tlm_phase &, sc_time &)
    {
        return tlm::TLM_ACCEPTED;
    }
    bool get_direct_mem_ptr(tlm_generic_payload &trans, tlm::tlm_dmi &dmi)
    {
        dmi.set_dmi_ptr(bytes);
        dmi.set_start_address(0);
        dmi.set_end_address(255);
        dmi.allow_read_write();
        pass(trans, name());
        return true;
    }
    unsigned transport_dbg(tlm_generic_payload &trans)
    {
        pass(trans, name());
        return 16;
    }
};

struct processor : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<processor> socket;
    const std::function<void()> script;

    SC_HAS_PROCESS(processor);
    processor(const sc_core::sc_module_name &name, std::function<void()> of)
        : sc_module(name), socket("socket"), script(std::move(of))
    {
        socket.register_nb_transport_bw(this, &processor::nb_transport_bw);
        SC_THREAD(run);
    }
    void run() { script(); }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &, tlm_phase &, sc_time &)
    {
        return tlm::TLM_ACCEPTED;
    }
};

struct model {
    const std::string transport;
    const std::string change;
    const std::string place;
    const unsigned count;
    const unsigned mistaken; /* the transaction with the mistake */
    const bool is_repeated;  /* all later transactions have it, too */

    unsigned number = 0; /* of the present transaction */
    unsigned ended = 0;
    pool manager;
    note extension;
    late_note late_extension;
    unsigned late_type = 0;
    unsigned char data[2][16]{};
    unsigned char enables[16]{};
    const passing passes = [this](tlm_generic_payload &trans, const std::string &reached) {
        reach(trans, reached);
    };

    processor cpu{"cpu", [this] { run(); }};
    interconnect first{"first", passes};
    interconnect second{"second", passes};
    memory ram{"ram", passes};

    model(char *argv[], unsigned transactions, unsigned with_mistake, bool repeats)
        : transport(argv[1]), change(argv[2]), place(argv[3]), count(transactions),
          mistaken(with_mistake), is_repeated(repeats)
    {
        cpu.socket.bind(first.in);
        first.out.bind(second.in);
        second.out.bind(ram.socket);
    }

    /* An extension, or a memory manager, that is set by a module is removed by it, unless this is
     * the mistake. */
    void reach(tlm_generic_payload &trans, const std::string &reached)
    {
        const bool is_wrong = is_repeated ? number >= mistaken : number == mistaken;
        if (change == "restored" && is_wrong && reached == "first-after")
            trans.set_gp_option(tlm::TLM_MIN_PAYLOAD);
        if (change == "thrown" && place == "ram" && is_wrong && reached == "first-before")
            trans.set_address(0x20);
        if (change == "extension" || change == "manager") {
            const bool is_target = place == "ram" && reached == "ram";
            if (is_target || reached == place + "-before")
                carry(trans);
            if ((is_target || reached == place + "-after") && !is_wrong)
                unload(trans);
        } else if (is_wrong && reached == place) {
            alter(trans);
        }
    }
    void carry(tlm_generic_payload &trans)
    {
        if (change == "extension") {
            trans.set_extension(&extension);
        } else {
            trans.set_mm(&manager);
            trans.acquire();
        }
    }
    void unload(tlm_generic_payload &trans)
    {
        if (change == "extension")
            trans.clear_extension(&extension);
        else
            trans.set_mm(nullptr);
    }
    void alter(tlm_generic_payload &trans)
    {
        if (change == "data" || change == "read")
            ++data[0][3];
        else if (change == "enables")
            enables[9] = 0;
        else if (change == "command")
            trans.set_command(trans.is_read() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        else if (change == "pointer")
            trans.set_data_ptr(data[1]);
        else if (change == "late" || change == "many-late")
            trans.set_extension(late_type, &late_extension);
        else if (change == "carried")
            trans.set_streaming_width(8);
        else if (change == "thrown")
            throw std::runtime_error("no answer");
        else if (change == "option" || change == "restored")
            trans.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
    }

    void run()
    {
        tlm_generic_payload trans;
        if (transport == "phases") {
            trans.set_mm(&manager);
            trans.acquire();
        }
        for (number = 0; number < count; ++number) {
            trans.set_gp_option(tlm::TLM_MIN_PAYLOAD);
            trans.set_command(change == "read" ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
            trans.set_address(0x10);
            trans.set_data_ptr(data[0]);
            trans.set_data_length(16);
            trans.set_streaming_width(16);
            trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            if (change == "enables") {
                std::fill_n(enables, 16, static_cast<unsigned char>(0xff));
                trans.set_byte_enable_ptr(enables);
                trans.set_byte_enable_length(16);
            }
            if (number == mistaken)
                register_late(trans);
            send(trans);
            if (change == "extension" || (change == "manager" && trans.has_mm()))
                unload(trans);
        }
    }
    /* Registers types of extensions after the payload was made. If "made-before", the payload is
     * not extended. */
    void register_late(tlm_generic_payload &trans)
    {
        if (change != "made-before" && change != "late" && change != "many-late" &&
            change != "carried")
            return;
        late_type = late_note::register_types(change == "many-late");
        if (change != "made-before")
            trans.resize_extensions();
        if (change == "carried")
            trans.set_extension(late_type, &late_extension);
    }
    void send(tlm_generic_payload &trans)
    {
        sc_time delay;
        if (transport == "blocking") {
            cpu.socket->b_transport(trans, delay);
            ended += trans.is_response_ok();
        } else if (transport == "phases") {
            tlm_phase phase = tlm::BEGIN_REQ;
            cpu.socket->nb_transport_fw(trans, phase, delay);
            sc_core::wait(5, SC_NS);
            ram.serve(trans);
            phase = tlm::BEGIN_RESP;
            ram.socket->nb_transport_bw(trans, phase, delay);
            sc_core::wait(5, SC_NS);
            phase = tlm::END_RESP;
            cpu.socket->nb_transport_fw(trans, phase, delay);
            ++ended;
        } else if (transport == "debug") {
            ended += cpu.socket->transport_dbg(trans) == 16;
        } else {
            tlm::tlm_dmi dmi;
            ended += cpu.socket->get_direct_mem_ptr(trans, dmi);
        }
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    if (argc < 4)
        return EXIT_FAILURE;
    const auto number = [&](int argument, unsigned otherwise) {
        return argc > argument ? static_cast<unsigned>(std::strtoul(argv[argument], nullptr, 10))
                               : otherwise;
    };
    const unsigned count = number(4, 3);
    model m(argv, count, std::string(argv[3]) == "none" ? count : number(5, 1), argc > 6);
    sc_core::sc_start();
    std::cout << m.ended << " at " << sc_core::sc_time_stamp() << std::endl;
    return EXIT_SUCCESS;
}
