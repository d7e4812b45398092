/** @file
 *  A TLM-2.0 link: records the accesses of an initiator socket at one place. Observers
 *  (<ftr/tlm.hpp>) pass the calls to the link. A link with the name `N` owns these streams
 *  (docs/attach.md):
 *
 *      N         one transaction for each access, by b_transport or by nb_transport
 *      N.dmi     get_direct_mem_ptr and invalidate_direct_mem_ptr
 *      N.debug   transport_dbg, if enabled
 *      N.phases  phases that are not phases of the base protocol
 *
 *  With FTR_TLM=calls, the streams N_bl, N_bl_timed, N_nb, N_nb_timed, N_dmi and N_dbg contain the
 *  single calls instead.
 *
 *  A stream is defined by the first call that it records. Links must be used on the simulation
 *  thread. */
#ifndef FTR_TLM_LINK_HPP
#define FTR_TLM_LINK_HPP

#include <cstdint>
#include <map>
#include <string>

#include <ftr/detail/observed_calls.h>
#include <ftr/detail/tlm_callable.hpp>
#include <ftr/recorder.h>
#include <ftr/systemc_recorder.hpp>
#include <ftr/tlm_settings.hpp>

#include <tlm>

namespace ftr
{

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
struct link_paths;
class payload_holders;
struct carried_items;
struct payload_life;
struct access_request;
class call_recorder;
class tlm_calls;
struct open_access;
struct passed_phase;
struct phased_access;
struct tlm_call;
struct tlm_payload_hops;

/** Number of the attributes of a call in the form tlm_form::calls. */
enum : unsigned { most_call_words = 16 };

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
    /** Return true if calls will only be forwarded, because the names of their streams are
     * excluded: b_transport and nb_transport calls, or all calls. */
    bool ignores_transport() const;
    bool ignores_all() const;
    bool records_nonblocking()
    {
        return detail::passes(*session_) &&
               (nonblocking_ >= family::recorded || define_nonblocking());
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

    using payload_type = tlm::tlm_generic_payload;
    using phase_type = tlm::tlm_phase;
    using blocking_if = tlm::tlm_blocking_transport_if<payload_type>;
    using forward_if = tlm::tlm_fw_nonblocking_transport_if<payload_type, phase_type>;
    using backward_if = tlm::tlm_bw_nonblocking_transport_if<payload_type, phase_type>;

    /** Forward a call of the base protocol, record it and check it, if the settings and the filters
     *  demand it, even if it ends by an exception. May throw if a rule is violated. */
    void pass_blocking(payload_type &trans, sc_core::sc_time &delay, blocking_if &target)
    {
        blocking_path_(*this, trans, delay, target);
    }
    tlm::tlm_sync_enum pass_forward(payload_type &trans, phase_type &phase, sc_core::sc_time &delay,
                                    forward_if &target)
    {
        return forward_path_(*this, trans, phase, delay, target);
    }
    tlm::tlm_sync_enum pass_backward(payload_type &trans, phase_type &phase,
                                     sc_core::sc_time &delay, backward_if &initiator)
    {
        return backward_path_(*this, trans, phase, delay, initiator);
    }

    /** Forwards a b_transport call of any protocol and records it, if records_blocking(). */
    void pass_blocking(const payload_type &trans, const sc_core::sc_time &delay,
                       const detail::tlm_forwarding &forwarding);

    /** @param address address of the request; interconnects may have changed it in the payload; the
     *  same for record_debug() */
    ftr_tx record_dmi(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                      const tlm::tlm_dmi &dmi, bool granted);
    void record_invalidation(std::uint64_t start, std::uint64_t end);
    ftr_tx record_debug(const tlm::tlm_generic_payload &trans, std::uint64_t address,
                        unsigned transported);

    /** Returns true if the rules of the base protocol are checked on this link (docs/protocol.md).
     */
    bool checks_protocol() const { return check_ != nullptr; }
    /** Starts checking the order of phases: the caller will pass the backward calls, too. */
    void expect_answers();
    /** Informs the link that some of its calls are not observed, so that its phases are not
     * checked. */
    void expect_unseen_calls();
    /** Sets the name of the target socket for reports. */
    void set_target(const std::string &name);

    /** Forward a call and check it. May throw if a rule is violated.
     *  @param forward forwards the call and records it
     *  @param tx      set by @p forward to the recorded transaction */
    bool pass_checked(const tlm::tlm_generic_payload &trans, const tlm::tlm_dmi &dmi,
                      const ftr_tx &tx, detail::tlm_callable<bool()> forward);
    unsigned pass_checked(const tlm::tlm_generic_payload &trans, const ftr_tx &tx,
                          detail::tlm_callable<unsigned()> forward);
    void check_invalidation(std::uint64_t start, std::uint64_t end);

  private:
    friend class tlm_nonblocking_call;
    friend class detail::call_recorder;
    friend class detail::tlm_calls;
    friend class detail::payload_holders;
    friend class detail::reported_link;
    friend struct detail::link_paths;
    /** State of the calls of one kind. `unknown`: the streams are not defined yet. `checked`: the
     * calls are recorded and checked. */
    enum class family : unsigned char { unknown, not_recorded, recorded, checked };
    /** Number of values of tlm::tlm_command. */
    static constexpr unsigned commands = 3;

    /** The functions that pass on the calls of one kind (link_paths.hpp). */
    using blocking_path = void (*)(tlm_link &, payload_type &, sc_core::sc_time &, blocking_if &);
    template <class Interface>
    using nonblocking_path = tlm::tlm_sync_enum (*)(tlm_link &, payload_type &, phase_type &,
                                                    sc_core::sc_time &, Interface &);

    void set_blocking_path(blocking_path path);

    family family_of(bool is_recorded) const;
    bool define_blocking();
    bool define_nonblocking();
    bool define_accesses();
    bool define_dmi();
    bool define_debug();
    bool define_stream(const char *suffix, const char *kind, ftr_stream &stream) const;
    ftr_generator define_generator(ftr_stream stream, const char *name,
                                   const ftr_attribute *attributes, std::size_t count) const;
    void define_events(ftr_generator accesses, const char *name, ftr_generator &events) const;
    bool ignores(const char *suffix) const;
    /** Returns the number of attributes that precede the other attributes: 1 if the payload's
     * identity is recorded, otherwise 0. */
    unsigned identity_words() const { return check_ ? 1 : 0; }
    unsigned data_size(const payload_type &trans) const;
    static bool is_unusual(const payload_type &trans);
    void put_hexadecimal(ftr_tx tx, ftr_attribute_class class_, const char *name,
                         const unsigned char *bytes, std::uint64_t length) const;
    void put_flag(ftr_tx tx, const char *name) const;
    void put_time(ftr_tx tx, const char *name, std::uint64_t ticks) const;
    void end_unfinished(ftr_tx tx, std::uint64_t time) const;

    struct unchecked_link;
    detail::tlm_call &enter_blocking(const sc_core::sc_simcontext &context,
                                     const payload_type &trans, std::uint64_t delay,
                                     const detail::open_access *&parent);
    template <bool MustBeNested>
    detail::tlm_call *enter_usual(sc_core::sc_simcontext &context, const payload_type &trans,
                                  std::uint64_t delay, const detail::open_access *&parent);
    template <class Place>
    bool begin_usual(detail::tlm_call &call, const payload_type &trans, std::uint64_t delay,
                     const detail::open_access *parent, detail::payload_life *life);
    template <class Place>
    std::uint8_t *put_written(const ftr_observed_generator &of, const payload_type &trans,
                              detail::payload_life *life, const ftr_slot *slot,
                              std::uint8_t *to) const;
    template <class Place, class Return>
    std::uint8_t *put_read(const ftr_observed_generator &of, const payload_type &trans,
                           detail::payload_life *life, Return from,
                           const ftr_observed_record &record) const;
    std::uint8_t *put_answer(const ftr_observed_generator &of, const payload_type &trans,
                             std::uint8_t *to) const;
    template <class Place, class Return>
    bool end_usual(const detail::tlm_call &call, const payload_type &trans, std::uint64_t end,
                   detail::payload_life *life, Return from) const;
    void begin_unusual(detail::tlm_call &call, const payload_type &trans, std::uint64_t delay,
                       const detail::open_access *parent);
    void end_unusual(detail::tlm_call &call, const payload_type &trans, std::uint64_t delay);
    ftr_tx begin_access(const payload_type &trans, const detail::access_request &request,
                        const detail::open_access *parent);
    void put_request(ftr_tx tx, const payload_type &trans);
    bool finds_new_extension(const payload_type &trans);
    void put_extensions(ftr_tx tx, const payload_type &trans, bool is_response);
    void put_response(ftr_tx tx, const payload_type &trans, bool has_read_data);
    void abandon_blocking(detail::tlm_call &call);
    void leave_unusual(detail::tlm_call &call, const payload_type &trans, std::uint64_t delay);
    void leave_by_exception(detail::tlm_call &call);
    template <class Forward>
    void pass_unusually(detail::tlm_call &call, const payload_type &trans,
                        const sc_core::sc_time &delay, const detail::open_access *parent,
                        Forward forward);
    void pass_entered(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                      detail::tlm_call &call, const detail::open_access *parent);

    void record_uninspected(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                            detail::payload_life &life);
    template <class Place>
    void record_checked(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                        detail::payload_life &life);
    void record_inspected(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                          detail::payload_life &life);
    void enter_unusual(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                       detail::payload_life &life);
    void pass_unusual(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                      detail::payload_life &life, detail::tlm_call &call,
                      const detail::open_access *parent);
    void count_inspection();
    void end_inspected(const payload_type &trans, const sc_core::sc_time &delay,
                       detail::payload_life &life, detail::tlm_call &call,
                       const detail::carried_items *passed);
    void leave_inspected(detail::tlm_call &call, const sc_core::sc_time &delay);
    void leave_checked(detail::payload_life &life, detail::tlm_call &call);
    template <class Place>
    bool end_checked(const detail::tlm_call &call, std::uint64_t delay) const;
    void check_alone(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                     detail::payload_life &found);
    template <class Place>
    void check_alone(payload_type &trans, sc_core::sc_time &delay, blocking_if &target,
                     detail::payload_life &life, detail::tlm_call &call, std::string &shared);

    detail::phased_access *find_phased(const void *payload) const;
    template <bool Checked>
    detail::phased_access *begin_usual_phases(const payload_type &trans, std::uint64_t begin,
                                              std::uint64_t delay);
    bool end_usual_request(detail::phased_access &access, std::uint64_t time);
    bool begin_usual_response(detail::phased_access &access, const payload_type &trans,
                              std::uint64_t time);
    template <bool Checked>
    bool end_usual_response(detail::phased_access &access, std::uint64_t time);
    template <bool Checked>
    bool complete_usual(detail::phased_access &access, const payload_type &trans,
                        std::uint64_t time);
    template <bool Checked>
    bool take_usual_phase(detail::phased_access &access, const payload_type &trans, unsigned number,
                          std::uint64_t time);
    void leave_usual(detail::phased_access &access, const ftr_observed_record &record);
    detail::passed_phase take_phase(const payload_type &trans, unsigned number,
                                    const phase_type &phase, std::uint64_t time,
                                    std::uint64_t delay);
    void take_return(const detail::passed_phase &passed, const payload_type &trans,
                     tlm::tlm_sync_enum sync, unsigned number, const phase_type &phase,
                     std::uint64_t delay);
    void put_event(const detail::phased_access &access, ftr_text phase, std::uint64_t time) const;
    void store_phase(const detail::phased_access &access, std::uint64_t phase) const;
    void enter_phase(detail::phased_access &access, unsigned phase, std::uint64_t time) const;
    void put_phase_time(const detail::phased_access &access, unsigned attribute,
                        std::uint64_t begin, std::uint64_t end) const;
    detail::phased_access &begin_phased(const payload_type &trans, detail::phased_access *open,
                                        std::uint64_t begin, std::uint64_t delay);
    void end_request(detail::phased_access &access, std::uint64_t time) const;
    void begin_response(detail::phased_access &access, const payload_type &trans,
                        std::uint64_t time);
    void end_response(detail::phased_access &access, std::uint64_t time);
    void complete(detail::phased_access &access, const payload_type &trans, std::uint64_t time);
    void end_phased(detail::phased_access &access, std::uint64_t time);
    void leave_phased(detail::phased_access &access);
    void give_up(detail::phased_access &access);
    void give_up_chain(detail::phased_access &access);
    ftr_tx record_other_phase(const payload_type &trans, const char *name, std::uint64_t time,
                              const detail::phased_access *access);

    detail::session *session_;
    detail::tlm_calls *calls_;
    detail::reported_link *check_ = nullptr;     /**< NULL: the protocol is not checked */
    detail::call_recorder *call_form_ = nullptr; /**< NULL: the form is tlm_form::accesses. Owned */
    std::string name_;
    std::string protocol_;
    tlm_settings settings_;
    ftr_recorder *recorder_; /**< of the session; NULL: nothing is recorded */
    blocking_path blocking_path_;
    blocking_path recording_path_; /**< the same, without the step that denies DMI */
    nonblocking_path<forward_if> forward_path_;
    nonblocking_path<backward_if> backward_path_;
    bool is_prepared_ = false;      /**< all elements of `prepared_` can be used */
    bool has_usual_phases_ = false; /**< the usual steps of non-blocking accesses can be used */
    family blocking_ = family::unknown;
    family nonblocking_ = family::unknown;
    family dmi_ = family::unknown;
    family debug_ = family::unknown;
    ftr_observed_generator prepared_[commands]{}; /**< index: tlm::tlm_command */
    ftr_generator accesses_[commands]{};          /**< 0: not recorded */
    ftr_generator events_[commands]{};            /**< phases as events; 0: not recorded */
    ftr_generator debug_accesses_[commands]{};
    ftr_generator get_ = 0;
    ftr_generator invalidate_ = 0;
    /** one bit for each type of extension with a name that was recorded on this link */
    std::uint64_t named_extensions_ = 0;
    unsigned to_search_ = 256; /**< number of accesses to be searched for new extensions */
    ftr_stream phases_ = 0;    /**< stream of extended phases; 0: not defined yet */
    bool has_phases_ = false;  /**< `phases_` is recorded */
    detail::phased_access *latest_phased_; /**< the open access of the latest call; never NULL */
    std::map<std::string, ftr_generator> other_phases_;
};

/** Records an nb_transport call. Constructed before the call is forwarded; end() is called after
 * the call has returned. */
class FTR_SC_API tlm_nonblocking_call
{
  public:
    /** @param delay in ticks
     *  @param known known() of the previous call with this payload; NULL: unknown */
    tlm_nonblocking_call(tlm_link &link, detail::tlm_path path,
                         const tlm::tlm_generic_payload &trans, const tlm_phase_view &phase,
                         std::uint64_t delay, std::uint64_t identity = 0, void *known = nullptr);
    tlm_nonblocking_call(const tlm_nonblocking_call &) = delete;
    tlm_nonblocking_call &operator=(const tlm_nonblocking_call &) = delete;
    /** If end() was not called, an exception has ended the call. */
    ~tlm_nonblocking_call();

    void end(const tlm::tlm_generic_payload &trans, tlm::tlm_sync_enum sync,
             const tlm_phase_view &phase, std::uint64_t delay);
    /** Returns the state of the payload after the call, for the next call; NULL: unknown. */
    void *known() const { return known_; }
    /** Returns the transaction of the call or of its access; id 0: not recorded. */
    ftr_tx transaction() const { return tx_; }

  private:
    friend class detail::call_recorder;

    tlm_link &link_;
    detail::tlm_path path_;
    tlm_step step_;
    bool has_data_ = false;
    bool has_ended_ = false;
    const void *payload_;
    void *known_;
    std::uint64_t begin_;
    std::uint64_t serial_ = 0; /**< number of the access; 0: the call belongs to no access */
    detail::phased_access *enclosing_ = nullptr; /**< access whose BEGIN_REQ this call forwards */
    ftr_tx tx_{};
    std::uint64_t words_[1 + detail::most_call_words]; /**< for tlm_form::calls; identity first */
};

} // namespace ftr

#endif
