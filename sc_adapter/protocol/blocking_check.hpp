/* The rules of b_transport on one link. Every call runs the inline code, which has as few branches
 * as possible: begins_well() before the call is forwarded, ends_well() after it has returned. If
 * begins_well() returns false, the caller must call report_begin(); if ends_well() returns false,
 * report_end(). These two functions search for violations; there may be none. leave() must be
 * called last, even if the call throws. */
#ifndef FTR_BLOCKING_CHECK_HPP
#define FTR_BLOCKING_CHECK_HPP

#include "link_check.hpp"

namespace ftr
{
namespace detail
{

/* The extensions and the memory manager of a payload when it is passed to a link. A payload without
 * a memory manager must not have more extensions, or a manager, when it is returned. */
struct carried_items {
    std::uint64_t extensions = 0; /* one bit for each extension that is set */
    bool has_manager = false;

    explicit carried_items(const tlm::tlm_generic_payload &trans)
        : extensions(extensions_of(trans)), has_manager(trans.has_mm())
    {
    }
    /* Takes the items that the payload had when its life began. */
    explicit carried_items(const payload_life &life)
        : extensions(life.extensions_at_begin()), has_manager(life.began_with_manager())
    {
    }
};

struct blocking_check {
    /* Returns false if a rule about the caller may be broken. @p delay: ticks */
    static FTR_SC_INLINE bool is_called_well(sc_core::sc_simcontext &context, std::uint64_t delay)
    {
        return FTR_SC_EXPECTED(context.get_curr_proc_info()->kind != sc_core::SC_METHOD_PROC_) &&
               FTR_SC_EXPECTED(static_cast<std::int64_t>(delay) >= 0);
    }

    static FTR_SC_INLINE void leave(payload_life &life) { --life.links.blocked; }

    /* Report violations. May throw, because the sink may throw. @p tx: the recorded call; id 0:
     * none. @p is_lowered: the effective time at the return is before the effective time of the
     * call. @p passed: the items of the payload before the call was forwarded; NULL if the call is
     * not inspected. */
    FTR_SC_COLD static void report_begin(link_check &link, payload_life &life,
                                         const tlm::tlm_generic_payload &trans, std::uint64_t delay,
                                         const ftr_tx &tx);
    FTR_SC_COLD static void report_end(link_check &link, payload_life &life,
                                       const tlm::tlm_generic_payload &trans, std::uint64_t address,
                                       bool is_lowered, const ftr_tx &tx,
                                       const carried_items *passed);
};

/* A call on the first link. The life of the payload lasts as long as this call. */
struct first_link : blocking_check {
    static FTR_SC_INLINE void enter(payload_life &life)
    {
        begin_life(life);
        life.links.blocked = 1;
    }

    /* The caller must also call capture_contents(). */
    static FTR_SC_INLINE bool begins_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        return !capture_payload(life, trans);
    }

    static FTR_SC_INLINE bool ends_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        const payload_snapshot &was = life.snapshot;
        if (!FTR_SC_EXPECTED(was.answer == payload_snapshot::not_answered
                                 ? was.is_only_answered(trans)
                                 : was.is_answered_alike(trans) && !is_read_data_changed(life)))
            return false;
        const bool is_plain = (static_cast<unsigned>(trans.get_gp_option()) | carried_by(trans) |
                               reinterpret_cast<std::uintptr_t>(was.byte_enable)) == 0;
        return (FTR_SC_EXPECTED(is_plain) || ends_unusually_well(life, trans)) &&
               !is_written_data_changed(life);
    }
};

/* A call on a link that the payload has reached through another link. */
struct further_link : blocking_check {
    static FTR_SC_INLINE void enter(payload_life &life) { ++life.links.blocked; }

    static FTR_SC_INLINE bool begins_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        life.snapshot.answer = payload_snapshot::not_answered;
        life.snapshot.address = trans.get_address();
        return FTR_SC_EXPECTED(!life.snapshot.may_be_changed(trans)) &&
               FTR_SC_EXPECTED(life.links.phased == 0);
    }

    static FTR_SC_INLINE bool ends_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        payload_snapshot &was = life.snapshot;
        if (was.answer != payload_snapshot::not_answered)
            return FTR_SC_EXPECTED(was.is_answered_alike(trans));
        /* This link is the last one: its target did not forward the payload. */
        if (!FTR_SC_EXPECTED(was.is_only_answered(trans)) ||
            !FTR_SC_EXPECTED(trans.get_gp_option() == tlm::TLM_MIN_PAYLOAD) ||
            are_contents_changed(life))
            return false;
        was.answer = trans.get_response_status();
        capture_read_data(life);
        return true;
    }
};

} // namespace detail
} // namespace ftr

#endif
