/** @file
 *  The settings of TLM-2.0 links. Included by <ftr/tlm_link.hpp>. */
#ifndef FTR_TLM_SETTINGS_HPP
#define FTR_TLM_SETTINGS_HPP

#include <cstdint>

#include <ftr/detail/systemc_session.hpp>

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

/** What a transaction of a link is. */
enum class tlm_form : unsigned char {
    accesses, /**< the use of a payload on the link, from its begin to its completion */
    /** a call, from its begin to its return; in streams `_timed`, a call, a request or a response
     * with its delays */
    calls
};

/** Settings of a link: the data to record, and changes to the calls. */
struct tlm_settings {
    tlm_form form = tlm_form::accesses;
    /** phases of non-blocking accesses are events of these accesses; not for tlm_form::calls */
    bool phase_events = false;
    /** the delay that is passed with a call is an attribute; not for tlm_form::calls */
    bool delay = true;
    /** maximum number of data bytes to record for each transaction */
    std::uint64_t payload = 8;
    bool denies_dmi = false;      /**< refuse DMI, so that all accesses are recorded */
    bool debug_transport = false; /**< also record transport_dbg */
    /** check of the rules of the base protocol; other protocols are not checked */
    tlm_protocol_check protocol = tlm_protocol_check::off;
};

/** Returns the settings from FTR_TLM, FTR_PHASES, FTR_TLM_DELAY, FTR_PAYLOAD, FTR_DMI,
 *  FTR_DEBUG_TRANSPORT and FTR_PROTOCOL, which are read once. If a value is invalid, prints a
 * message to stderr and uses the default. */
FTR_SC_API const tlm_settings &tlm_environment();

} // namespace ftr

#endif
