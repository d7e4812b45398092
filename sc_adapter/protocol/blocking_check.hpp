/* The rules of b_transport on one link. Every call runs the inline code, which has as few branches
 * as possible: begins_well() before the call is forwarded, compare(), ends_well(), keeps_contents()
 * and finish() after it has returned. If begins_well() returns false, the caller must call
 * report_begin(). If a rule may be broken at the return, the caller must call report_end() instead
 * of finish(). These two functions search for violations, and may find none. leave() must be called
 * last, even if the call throws. */
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

/* How a call on a link returns. `unusual`: a rule may be broken, so the caller must call
 * report_end(). `answered`: the target of this link has answered the transaction. `passed_back`:
 * the target has passed the payload on, and its answer back. */
enum class checked_return : unsigned char { unusual, answered, passed_back };

struct blocking_check {
    /* Returns false if a rule about the caller may be broken. @p delay: ticks */
    static FTR_SC_INLINE bool is_called_well(sc_core::sc_simcontext &context, std::uint64_t delay)
    {
        return FTR_SC_EXPECTED(context.get_curr_proc_info()->kind != sc_core::SC_METHOD_PROC_) &&
               is_delayed_well(delay);
    }
    static FTR_SC_INLINE bool is_delayed_well(std::uint64_t delay)
    {
        return FTR_SC_EXPECTED(static_cast<std::int64_t>(delay) >= 0);
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

/* Returns whether the attributes of a payload, after payload_snapshot::capture(), are as required
 * when a life begins. Needed only if some of the attributes are unusual. Returns false for a
 * payload with byte enables or with a streaming width below its length, because the recording of
 * these attributes is not on the fast path either. */
bool begins_unusually_well(payload_life &life, const tlm::tlm_generic_payload &trans);

/* Usual payloads have a usual array of extensions (has_usual_array()), and 8 bytes of their data
 * are recorded as one word. */
enum class checked_payload : unsigned char { usual, any };

/* The functions that calls on all links have in common. */
template <checked_payload Payload> struct checked_place : blocking_check {
    static constexpr bool is_checked = true;
    static constexpr bool is_usual = Payload == checked_payload::usual;

    /* Classifies the return of a call by the attributes that must not change. ends_well() compares
     * the option, the memory manager and the extensions. */
    static FTR_SC_INLINE checked_return compare(const payload_life &life,
                                                const tlm::tlm_generic_payload &trans)
    {
        const unsigned words = life.snapshot.unchanged_words(trans);
        if (FTR_SC_EXPECTED(payload_snapshot::is_only_answered(words)))
            return checked_return::answered;
        return FTR_SC_EXPECTED(payload_snapshot::is_answered_alike(words))
                   ? checked_return::passed_back
                   : checked_return::unusual;
    }
};

/* A call on the first link. The life of the payload lasts as long as this call. */
template <checked_payload Payload> struct first_link : checked_place<Payload> {
    static constexpr bool is_first = true;
    static constexpr bool is_further = false;

    static FTR_SC_INLINE void enter(payload_life &life)
    {
        begin_life(life);
        life.links.blocked = 1;
    }

    /* The caller must also call capture_contents(). */
    static FTR_SC_INLINE bool begins_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        life.snapshot.capture(trans);
        const unsigned length = trans.get_data_length();
        if (FTR_SC_EXPECTED(trans.get_data_ptr() && length != 0 &&
                            trans.get_streaming_width() >= length)) {
            const std::uintptr_t unusual = payload_snapshot::unusual_bits(trans);
            if (FTR_SC_EXPECTED(!manager_of(trans))) {
                if (FTR_SC_EXPECTED(extensions(trans, unusual) == 0))
                    return true;
            } else if (unusual == 0 && trans.get_ref_count() >= 1) {
                life.carried = life.identity;
                return true;
            }
        }
        return begins_unusually_well(life, trans);
    }

    static FTR_SC_INLINE bool ends_well(const payload_life &life,
                                        const tlm::tlm_generic_payload &trans,
                                        checked_return /*from*/)
    {
        const auto option = static_cast<unsigned>(trans.get_gp_option());
        if (FTR_SC_EXPECTED(!manager_of(trans))) {
            if (FTR_SC_EXPECTED(extensions(trans, option) == 0))
                return true;
        } else if (option == 0 && life.began_with_manager()) {
            return true;
        }
        return ends_unusually_well(life, trans);
    }

    /* Returns whether the contents are as required at the return, and stores their checksum if
     * necessary. */
    static bool keeps_contents(payload_life &life, const tlm::tlm_generic_payload & /*trans*/,
                               checked_return from)
    {
        return !are_contents_changed(life) &&
               (from == checked_return::answered || !is_read_data_changed(life));
    }
    static FTR_SC_INLINE void finish(payload_life & /*life*/,
                                     const tlm::tlm_generic_payload & /*trans*/,
                                     checked_return /*from*/)
    {
    }

  private:
    static FTR_SC_INLINE std::uintptr_t extensions(const tlm::tlm_generic_payload &trans,
                                                   std::uintptr_t bits)
    {
        return checked_place<Payload>::is_usual ? usual_extension_bits(trans, bits)
                                                : extension_bits(trans, bits);
    }
};

/* A call on a link that the payload has reached through another link. */
template <checked_payload Payload> struct further_link : checked_place<Payload> {
    static constexpr bool is_first = false;
    static constexpr bool is_further = true;

    static FTR_SC_INLINE void enter(payload_life &life) { ++life.links.blocked; }

    static FTR_SC_INLINE bool begins_well(payload_life &life, const tlm::tlm_generic_payload &trans)
    {
        return life.snapshot.recapture(trans) && FTR_SC_EXPECTED(life.links.phased == 0);
    }

    static FTR_SC_INLINE bool ends_well(const payload_life & /*life*/,
                                        const tlm::tlm_generic_payload &trans,
                                        checked_return /*from*/)
    {
        return FTR_SC_EXPECTED(trans.get_gp_option() == tlm::TLM_MIN_PAYLOAD);
    }

    static bool keeps_contents(payload_life &life, const tlm::tlm_generic_payload &trans,
                               checked_return from)
    {
        if (from != checked_return::answered)
            return true;
        if (are_contents_changed(life))
            return false;
        if (trans.is_read() && trans.get_data_ptr() && trans.is_response_ok())
            life.contents = contents_of(trans.get_data_ptr(), trans.get_data_length());
        return true;
    }
    /* Stores the answer. */
    static FTR_SC_INLINE void finish(payload_life &life, const tlm::tlm_generic_payload &trans,
                                     checked_return from)
    {
        if (from != checked_return::answered)
            return;
        life.snapshot.answer = trans.get_response_status();
        life.snapshot.mark_answered();
    }
};

} // namespace detail
} // namespace ftr

#endif
