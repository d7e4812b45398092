/** @file
 *  A TLM-2.0 link: records the calls of an initiator socket at one place. Observers (<ftr/tlm.hpp>)
 *  pass the calls to the link. A link with the name `N` owns these streams:
 *
 *      N_bl        b_transport, from call to return
 *      N_bl_timed  the same, including annotated delays
 *      N_nb        each nb_transport call
 *      N_nb_timed  requests and responses, by phase, including annotated delays
 *      N_dmi       get_direct_mem_ptr and invalidate_direct_mem_ptr
 *      N_dbg       transport_dbg, if enabled
 *
 *  A stream is defined by the first call that it records. Links must be used on the simulation
 *  thread. */
#ifndef FTR_TLM_LINK_HPP
#define FTR_TLM_LINK_HPP

#include <cstdint>
#include <string>

#include <ftr/detail/observed_calls.h>
#include <ftr/detail/tlm_callable.hpp>
#include <ftr/recorder.h>
#include <ftr/systemc_recorder.hpp>

#include <tlm>

namespace ftr
{

/** Determines whether the rules of the base protocol are checked, and how violations are
 * reported. */
enum class tlm_protocol_check : unsigned char {
    off,
    check,  /**< on stderr: the first violation of each rule on each link, and counts at the end */
    report, /**< as SystemC warnings */
    /** as SystemC errors, which end the run; rules with severity warning: as SystemC warnings */
    error
};

/** Settings of a link: the data to record, and changes to the calls. */
struct tlm_settings {
    /** maximum number of data bytes to record for each transaction */
    std::uint64_t payload = 8;
    bool denies_dmi = false;      /**< refuse DMI, so that all accesses are recorded */
    bool debug_transport = false; /**< also record transport_dbg */
    /** applies to links with the base protocol */
    tlm_protocol_check protocol = tlm_protocol_check::off;
};

/** Returns the settings from FTR_PAYLOAD, FTR_DMI, FTR_DEBUG_TRANSPORT and FTR_PROTOCOL, which are
 *  read once. If a value is invalid, prints a message to stderr and uses the default. */
FTR_SC_API const tlm_settings &tlm_environment();

/** The meaning of a phase for recorded requests and responses. */
enum class tlm_step : unsigned char {
    other,
    begin_request,
    end_request,
    begin_response,
    end_response
};

/** A phase of any protocol, in its recorded form. */
struct tlm_phase_view {
    tlm_step step;
    const char *name; /**< for example "BEGIN_REQ"; must be valid during the call */
};

namespace detail
{

class reported_link;
class payload_holders;
struct carried_items;
struct payload_life;
enum class checked_path : unsigned char;
struct phase_hop;
class tlm_calls;
struct tlm_call;
struct tlm_hop;
struct tlm_payload_hops;

/** Indices of the attributes of a payload, in the order in which they are declared. */
enum tlm_word : unsigned {
    word_command,
    word_address,
    word_data_length,
    word_streaming_width,
    word_byte_enable_length,
    word_gp_option,
    request_words,
    word_dmi_allowed = request_words,
    word_response_status,
    word_data, /**< the last word, because it may be missing */
    payload_words
};

/** Indices of the attributes of an nb_transport call, which precede those of the payload. */
enum tlm_nb_word : unsigned {
    word_phase,
    word_delay,
    word_sync,
    word_phase_after,
    word_delay_after,
    nb_words
};

enum class tlm_path : unsigned char { forward, backward };

/** A call to be forwarded. Derived structures contain the arguments that forward() needs. */
struct tlm_forwarding {
    void (*forward)(const tlm_forwarding &call);
};

} // namespace detail

/** Records the calls on one link. */
class FTR_SC_API tlm_link
{
  public:
    /** @param name     name of the streams; duplicates get `#2` appended
     *  @param protocol name of the protocol, for the kind of the streams */
    tlm_link(recorder &rec, std::string name, std::string protocol = "base-protocol",
             const tlm_settings &settings = tlm_environment());
    ~tlm_link();
    tlm_link(const tlm_link &) = delete;
    tlm_link &operator=(const tlm_link &) = delete;

    const std::string &name() const { return name_; }
    const tlm_settings &settings() const { return settings_; }

    /** Return true if calls of one kind are recorded now. The first call of each function defines
     * the streams. */
    bool records_blocking()
    {
        return detail::passes(*session_) && (blocking_ >= family::recorded || define_blocking());
    }
    /** Returns true in the most frequent case: b_transport calls are recorded, not checked and not
     * changed. */
    bool simply_records_blocking() const
    {
        return session_->state.load(std::memory_order_relaxed) == detail::valve::on &&
               is_blocking_simple_;
    }
    /** Returns true if b_transport calls are only forwarded. */
    bool ignores_blocking() const { return is_blocking_ignored_; }
    /** Returns true if all calls will only be forwarded, because the names of all streams of this
     * link are excluded. */
    bool ignores_all() const;
    bool records_nonblocking()
    {
        return detail::passes(*session_) &&
               (nonblocking_ >= family::recorded || define_nonblocking());
    }
    /** Returns true in the most frequent case: nb_transport calls are recorded and not checked. */
    bool simply_records_nonblocking() const
    {
        return session_->state.load(std::memory_order_relaxed) == detail::valve::on &&
               nonblocking_ == family::recorded;
    }
    bool records_dmi()
    {
        return detail::passes(*session_) && (dmi_ == family::recorded || define_dmi());
    }
    bool records_debug()
    {
        return settings_.debug_transport && detail::passes(*session_) &&
               (debug_ == family::recorded || define_debug());
    }

    /** Forward a b_transport call and record it, even if it ends by an exception. The first
     *  function is for the base protocol, the second one for any protocol. */
    void pass_blocking(tlm::tlm_fw_transport_if<> &target, tlm::tlm_generic_payload &trans,
                       sc_core::sc_time &delay);
    void pass_blocking(const tlm::tlm_generic_payload &trans, const sc_core::sc_time &delay,
                       const detail::tlm_forwarding &forwarding);

    /** @param address address of the request; interconnects may have changed it in the payload */
    ftr_tx record_dmi(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                      const tlm::tlm_dmi &dmi, bool granted);
    void record_invalidation(std::uint64_t start, std::uint64_t end);
    ftr_tx record_debug(const tlm::tlm_generic_payload &trans, unsigned transported);

    /** Returns true if the rules of the base protocol are checked on this link (docs/protocol.md).
     */
    bool checks_protocol() const { return check_ != nullptr; }
    /** Backward calls are observed: from now on, the order of phases is checked. */
    void expect_answers();
    /** Informs the link that some of its calls are not observed, so that its phases are not
     * checked. */
    void expect_unseen_calls();
    /** Sets the name of the target socket for reports. */
    void set_target(const std::string &name);

    /** Forward a call, check it, and record it if its stream is recorded. These functions may throw
     *  if a rule is violated.
     *  @param forward forwards the call and records it
     *  @param tx      set by @p forward to the recorded transaction */
    void pass_checked(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay,
                      tlm::tlm_fw_transport_if<> &target);
    tlm::tlm_sync_enum pass_checked(tlm::tlm_fw_transport_if<> &target,
                                    tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                    sc_core::sc_time &delay);
    tlm::tlm_sync_enum pass_checked(tlm::tlm_bw_transport_if<> &initiator,
                                    tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                    sc_core::sc_time &delay);
    bool pass_checked(const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi &dmi,
                      const ftr_tx &tx, detail::tlm_callable<bool()> forward);
    unsigned pass_checked(const tlm::tlm_generic_payload &trans, const ftr_tx &tx,
                          detail::tlm_callable<unsigned()> forward);
    void check_invalidation(std::uint64_t start, std::uint64_t end);

  private:
    friend class tlm_nonblocking_call;
    friend class detail::tlm_calls;
    friend class detail::payload_holders;
    using payload_type = tlm::tlm_generic_payload;
    /** State of the calls of one kind. `unknown`: the streams are not defined yet. `checked`: the
     * calls are recorded and checked. */
    enum class family : unsigned char { unknown, not_recorded, recorded, checked };

    /** Generators for the commands. Index: tlm::tlm_command; 0: not recorded. */
    struct generators {
        ftr_generator of[3];
    };

    family family_of(bool is_recorded) const;
    bool define_blocking();
    bool define_nonblocking();
    bool define_dmi();
    bool define_debug();
    bool define_stream(const char *suffix, const char *kind, ftr_stream &stream);
    ftr_generator define_generator(ftr_stream stream, const char *name,
                                   const ftr_attribute *attributes, std::size_t count);
    bool define_commands(const char *suffix, const char *kind, const ftr_attribute *attributes,
                         std::size_t count, generators &defined);
    void take_request(const payload_type &trans, std::uint64_t *words) const;
    void take_response(const payload_type &trans, std::uint64_t *words) const;
    bool take_data(const payload_type &trans, std::uint64_t &word) const;
    bool captures_more(const payload_type &trans) const;
    bool captures_long(const payload_type &trans) const;
    void put_bytes(ftr_tx tx, ftr_attribute_class class_, const char *name,
                   const unsigned char *bytes, std::uint64_t length) const;
    void put_more(const payload_type &trans, ftr_tx tx, bool is_response) const;
    void put_words(ftr_tx tx, const ftr_attribute *attributes, const std::uint64_t *words,
                   std::size_t first, std::size_t last) const;
    /** Returns the number of attributes that precede the attributes of the call: 1 if the payload's
     * identity is recorded, otherwise 0. */
    unsigned identity_words() const { return check_ ? 1 : 0; }
    void put_identity(ftr_tx tx, std::uint64_t identity) const;
    void prepare_blocking();
    void end_unfinished(ftr_tx tx, std::uint64_t time) const;
    ftr_recorder *open_recorder() const;
    struct unchecked_link;
    detail::tlm_call &enter_blocking(sc_core::sc_simcontext &context, const payload_type &trans,
                                     std::uint64_t delay, const detail::tlm_call *&outer);
    template <class Place>
    bool begin_usual(detail::tlm_call &call, const payload_type &trans,
                     const sc_core::sc_simcontext &context, std::uint64_t delay,
                     const detail::tlm_call *outer, detail::payload_life *life) const;
    template <class Place>
    void capture_written(detail::tlm_call &call, detail::payload_life *life,
                         const payload_type &trans, std::uint64_t &data) const;
    template <class Place>
    bool capture_read(const payload_type &trans, std::uint64_t &data, std::uint64_t &sum) const;
    template <class Place, class Return>
    bool end_usual(const detail::tlm_call &call, const payload_type &trans, std::uint64_t end,
                   std::uint64_t delay, detail::payload_life *life, Return from) const;
    template <bool Checked>
    void begin_unusual(detail::tlm_call &call, const payload_type &trans, std::uint64_t begin,
                       std::uint64_t delay, const detail::tlm_call *outer);
    template <bool Checked>
    void end_unusual(detail::tlm_call &call, const payload_type &trans, std::uint64_t end,
                     std::uint64_t delay);
    bool restore_request(detail::tlm_call &call) const;
    template <bool Checked>
    void begin_call(detail::tlm_call &call, std::uint64_t begin, std::uint64_t delay,
                    const detail::tlm_call *outer) const;
    void begin_slow(detail::tlm_call &call, const payload_type &trans,
                    const detail::tlm_call *outer);
    bool end_slow(detail::tlm_call &call, const payload_type &trans, std::uint64_t end,
                  bool has_read);
    template <class Forward>
    void pass_on(const payload_type &trans, const sc_core::sc_time &delay, Forward forward);
    void pass_any(payload_type &trans, sc_core::sc_time &delay, tlm::tlm_fw_transport_if<> &target,
                  detail::payload_life &life);
    void search_and_pass(payload_type &trans, sc_core::sc_time &delay,
                         tlm::tlm_fw_transport_if<> &target);
    template <class Place>
    void record_checked(payload_type &trans, sc_core::sc_time &delay,
                        tlm::tlm_fw_transport_if<> &target, detail::payload_life &life);
    void record_inspected(payload_type &trans, sc_core::sc_time &delay,
                          tlm::tlm_fw_transport_if<> &target, detail::payload_life &life);
    void enter_unusual(payload_type &trans, sc_core::sc_time &delay,
                       tlm::tlm_fw_transport_if<> &target, detail::payload_life &life);
    void pass_unusual(payload_type &trans, sc_core::sc_time &delay,
                      tlm::tlm_fw_transport_if<> &target, detail::payload_life &life,
                      detail::tlm_call &call, const detail::tlm_call *outer);
    void count_inspection();
    void end_inspected(const payload_type &trans, const sc_core::sc_time &delay,
                       detail::payload_life &life, detail::tlm_call &call,
                       const detail::carried_items *passed);
    void leave_by_exception(detail::payload_life &life, detail::tlm_call &call);
    void check_alone(payload_type &trans, sc_core::sc_time &delay,
                     tlm::tlm_fw_transport_if<> &target, detail::payload_life &found);
    template <class Place>
    void check_alone(payload_type &trans, sc_core::sc_time &delay,
                     tlm::tlm_fw_transport_if<> &target, detail::payload_life &life,
                     detail::tlm_call &call, std::string &shared);
    template <bool IsRequest>
    tlm::tlm_sync_enum pass_forward(tlm::tlm_fw_transport_if<> &target, payload_type &trans,
                                    tlm::tlm_phase &phase, sc_core::sc_time &delay);
    template <class Call>
    tlm::tlm_sync_enum pass_phase(detail::tlm_path path, const payload_type &trans, unsigned passed,
                                  const tlm::tlm_phase &phase, const sc_core::sc_time &delay,
                                  Call call);
    void record_lowered(const detail::tlm_call &call, std::uint64_t timed_end, bool has_read) const;
    void put_lowered(ftr_tx tx, std::uint64_t ticks) const;
    void abandon_blocking(detail::tlm_call &call);
    ftr_tx begin_timed(const detail::tlm_call &call) const;
    void relate(ftr_tx outer, ftr_tx inner) const;
    void step(const payload_type &trans, tlm_step step, std::uint64_t time, std::uint64_t identity,
              detail::tlm_payload_hops *known);
    void begin_request(const payload_type &trans, std::uint64_t time, std::uint64_t identity,
                       detail::tlm_payload_hops *known);
    void begin_response(const payload_type &trans, std::uint64_t time, std::uint64_t identity,
                        detail::tlm_payload_hops *known);
    void end_open(detail::tlm_hop &hop, std::uint64_t time, bool has_read = false);
    void end_response(const void *payload, std::uint64_t time, detail::tlm_payload_hops *known);
    void complete(const payload_type &trans, std::uint64_t time, detail::tlm_payload_hops *known);
    void relate_calls(const void *payload, ftr_tx call, detail::tlm_payload_hops *known);
    detail::tlm_payload_hops *hops_of(const payload_type &trans, detail::phase_hop *hop) const;

    detail::session *session_;
    detail::tlm_calls *calls_;
    detail::reported_link *check_ = nullptr; /**< NULL: the protocol is not checked */
    std::string name_;
    std::string protocol_;
    tlm_settings settings_;
    bool is_blocking_ignored_ = false;    /**< not recorded, not checked, and DMI is not denied */
    bool is_blocking_simple_ = false;     /**< recorded, not checked, and DMI is not denied */
    detail::checked_path checked_path_{}; /**< of b_transport calls */
    family blocking_ = family::unknown;
    family nonblocking_ = family::unknown;
    family dmi_ = family::unknown;
    family debug_ = family::unknown;
    generators bl_{};
    generators bl_timed_{};
    ftr_observed_generator prepared_[3]{}; /**< for b_transport; index: command */
    generators dbg_{};
    ftr_generator nb_[2]{}; /**< index: detail::tlm_path */
    ftr_generator request_ = 0;
    ftr_generator response_ = 0;
    ftr_generator get_ = 0;
    ftr_generator invalidate_ = 0;
};

/** Records an nb_transport call. Constructed before the call is forwarded; end() is called after
 * the call has returned. */
class FTR_SC_API tlm_nonblocking_call
{
  public:
    /** @param delay in ticks
     *  @param known the recorded hops of the payload; NULL: unknown */
    tlm_nonblocking_call(tlm_link &link, detail::tlm_path path,
                         const tlm::tlm_generic_payload &trans, tlm_phase_view phase,
                         std::uint64_t delay, std::uint64_t identity = 0,
                         detail::tlm_payload_hops *known = nullptr);
    tlm_nonblocking_call(const tlm_nonblocking_call &) = delete;
    tlm_nonblocking_call &operator=(const tlm_nonblocking_call &) = delete;
    /** If end() was not called, an exception has ended the call. The call is then recorded as
     * unfinished. */
    ~tlm_nonblocking_call();

    void end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync, tlm_phase_view phase,
             std::uint64_t delay);
    /** Returns the transaction that end() recorded; id 0: not recorded. */
    ftr_tx transaction() const { return tx_; }

  private:
    void record(bool is_unfinished);
    std::uint64_t *words() { return words_ + 1; }

    tlm_link &link_;
    detail::tlm_path path_;
    tlm_step step_;
    bool has_data_ = false;
    bool has_ended_ = false;
    const void *payload_;
    detail::tlm_payload_hops *known_;
    std::uint64_t begin_;
    ftr_tx tx_{};
    std::uint64_t words_[1 + detail::nb_words + detail::payload_words]; /**< identity first */
};

} // namespace ftr

#endif
