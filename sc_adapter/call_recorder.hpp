/* Records the calls on one link in the form tlm_form::calls: each call of b_transport and of
 * nb_transport, and the same with annotated delays. The streams of a link with the name N are N_bl,
 * N_bl_timed, N_nb, N_nb_timed, N_dmi and N_dbg. */
#ifndef FTR_CALL_RECORDER_HPP
#define FTR_CALL_RECORDER_HPP

#include <cstdint>

#include "call_attributes.hpp"
#include "tlm_calls.hpp"

namespace ftr
{
namespace detail
{

class call_recorder
{
  public:
    using payload_type = tlm::tlm_generic_payload;

    explicit call_recorder(tlm_link &link) : link_(link), calls_(*link.calls_) {}

    /* Define the streams of one kind of calls. Return true if at least one of them is recorded. */
    bool define_blocking();
    bool define_nonblocking();
    bool define_dmi();
    bool define_debug();

    /* A b_transport call: before it is forwarded, after it has returned, and if an exception or the
     * end of its process has ended it. `call.command` is valid. */
    void begin(tlm_call &call, const payload_type &trans, std::uint64_t delay);
    void end(tlm_call &call, const payload_type &trans, std::uint64_t delay);
    void abandon(tlm_call &call);

    /* An nb_transport call: before it is forwarded, after it has returned, and if an exception or
     * the end of its process has ended it. */
    void begin(tlm_nonblocking_call &call, const payload_type &trans, const tlm_phase_view &phase,
               std::uint64_t delay, std::uint64_t identity);
    void end(tlm_nonblocking_call &call, const payload_type &trans, tlm::tlm_sync_enum sync,
             const tlm_phase_view &phase, std::uint64_t delay);
    void abandon(tlm_nonblocking_call &call) { record(call, true); }

    ftr_tx record_dmi(const payload_type &trans, std::uint64_t address, const tlm::tlm_dmi &dmi,
                      bool granted) const;
    void record_invalidation(std::uint64_t start, std::uint64_t end) const;
    ftr_tx record_debug(const payload_type &trans, unsigned transported) const;

  private:
    /* Generators for the commands. Index: tlm::tlm_command; 0: not recorded. */
    struct generators {
        ftr_generator of[3];
    };

    ftr_recorder *recorder() const { return link_.session_->recorder; }
    unsigned identity_words() const { return link_.identity_words(); }
    bool define_stream(const char *suffix, const char *kind, ftr_stream &stream) const;
    bool define_commands(const char *suffix, const char *kind, const ftr_attribute *attributes,
                         std::size_t count, generators &defined) const;

    void take_request(const payload_type &trans, std::uint64_t *words) const;
    void take_response(const payload_type &trans, std::uint64_t *words) const;
    bool take_data(const payload_type &trans, std::uint64_t &word) const;
    bool captures_more(const payload_type &trans) const;
    void put_more(const payload_type &trans, ftr_tx tx, bool is_response) const;
    void put_words(ftr_tx tx, const ftr_attribute *attributes, const std::uint64_t *words,
                   std::size_t first, std::size_t last) const;
    void put_identity(ftr_tx tx, std::uint64_t identity) const;
    void relate(ftr_tx outer, ftr_tx inner) const;

    void begin_call(tlm_call &call, std::uint64_t delay, const tlm_call *outer) const;
    ftr_tx begin_timed(const tlm_call &call) const;
    void end_timed(tlm_call &call, std::uint64_t end, bool has_read);
    void record_timed(const tlm_call &call, std::uint64_t end, bool has_read);

    void record(tlm_nonblocking_call &call, bool is_unfinished);
    void step(const payload_type &trans, tlm_step step, std::uint64_t time, std::uint64_t identity,
              tlm_payload_hops *known);
    void begin_request(const payload_type &trans, std::uint64_t time, std::uint64_t identity,
                       tlm_payload_hops *known);
    void begin_response(const payload_type &trans, std::uint64_t time, std::uint64_t identity,
                        tlm_payload_hops *known);
    void end_open(tlm_hop &hop, std::uint64_t time, bool has_read = false);
    void end_response(const void *payload, std::uint64_t time, tlm_payload_hops *known);
    void complete(const payload_type &trans, std::uint64_t time, tlm_payload_hops *known);
    void relate_calls(const void *payload, ftr_tx call, tlm_payload_hops *known);

    tlm_link &link_;
    tlm_calls &calls_;
    generators bl_{};
    generators bl_timed_{};
    generators dbg_{};
    ftr_generator nb_[2]{}; /* index: tlm_path */
    ftr_generator request_ = 0;
    ftr_generator response_ = 0;
    ftr_generator get_ = 0;
    ftr_generator invalidate_ = 0;
};

} // namespace detail
} // namespace ftr

#endif
