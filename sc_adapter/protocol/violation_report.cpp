/* Reports violations as text, as transactions and as counts. */
#include "violation_report.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "messages.hpp"
#include "tlm_names.hpp"
#include "adapter_process.hpp"

namespace ftr
{
namespace detail
{

namespace
{

constexpr const char *commands[] = {"read", "write", "ignore"};

const char *command_name(tlm::tlm_command command)
{
    const auto index = static_cast<unsigned>(command);
    return index < 3 ? commands[index] : "(no such command)";
}

std::string hexadecimal(std::uint64_t number)
{
    char text[24];
    static_cast<void>(
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number)));
    return text;
}

/* Returns a number and its noun, in the plural if needed. */
std::string counted(std::uint64_t number, const char *noun)
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/* Returns the line that reports a violation, without the severity. */
std::string text_of(const violation &broken)
{
    const protocol_rule_text &rule = text_of(broken.rule);
    std::string text = "protocol: " + broken.link.name;
    if (!broken.link.target.empty())
        text += " -> " + broken.link.target;
    text += " at " + (sc_core::sc_curr_simcontext ? sc_core::sc_time_stamp().to_string() : "0 s") +
            ", " + broken.call;
    if (*broken.phase)
        text += std::string(" ") + broken.phase;
    text += ": " + broken.found;
    if (broken.payload)
        text += std::string(" (") + command_name(broken.payload->get_command()) + " of " +
                counted(broken.payload->get_data_length(), "byte") + " at " +
                hexadecimal(broken.address) + ")";
    return text + " [" + rule.name + ", IEEE 1666-2011 " + rule.clause + "]";
}

/* The names of attributes that the transactions of the link have as well. Viewers store one class
 * for each attribute name in a whole file, so these attributes have the classes of the link's
 * transactions. */
struct payload_names {
    const char *identity, *address, *command, *length, *streaming_width, *enable_length, *response;
    bool is_phase_at_end;
};

const payload_names &names_of(tlm_form form)
{
    static const payload_names of_accesses = {"payload_id", "address",         "command",
                                              "length",     "streaming_width", "byte_enable_length",
                                              "response",   /* at end: */ true};
    static const payload_names of_calls = {"trans.id",
                                           "trans.address",
                                           "trans.command",
                                           "trans.data_length",
                                           "trans.streaming_width",
                                           "trans.byte_enable_length",
                                           "trans.response_status",
                                           false};
    return form == tlm_form::calls ? of_calls : of_accesses;
}

/* Puts the attributes of a violation by name, because violations are rare. */
class violation_attributes
{
  public:
    violation_attributes(ftr_recorder *rec, ftr_tx tx) : rec_(rec), tx_(tx) {}

    void text(const char *name, const std::string &text,
              ftr_attribute_class class_ = FTR_CLASS_BEGIN) const
    {
        if (text.empty())
            return;
        ftr_value value{};
        value.type = FTR_TYPE_STRING;
        value.text_length = text.size();
        value.as.text = text.data();
        static_cast<void>(ftr_tx_put_named(rec_, tx_, class_, name, &value));
    }
    void number(const char *name, std::uint64_t number) const
    {
        ftr_value value{};
        value.type = FTR_TYPE_UNSIGNED;
        value.as.number = number;
        static_cast<void>(ftr_tx_put_named(rec_, tx_, FTR_CLASS_BEGIN, name, &value));
    }

  private:
    ftr_recorder *rec_;
    ftr_tx tx_;
};

void put_payload(const violation_attributes &to, const tlm::tlm_generic_payload &trans,
                 tlm_form form)
{
    const payload_names &names = names_of(form);
    const auto name = [form](std::string of) {
        return form == tlm_form::calls ? of : short_name(std::move(of));
    };
    to.text(names.command,
            name(tlm_name<tlm::tlm_command>(trans.get_command(), "(unknown value)")));
    to.number(names.length, trans.get_data_length());
    to.number(names.streaming_width, trans.get_streaming_width());
    to.number(names.enable_length, trans.get_byte_enable_length());
    to.text(names.response, name(std::string("tlm::") + response_name(trans.get_response_status())),
            FTR_CLASS_END);
}

} // namespace

/* ---- the report of the process --------------------------------------------------------------- */

violation_report::violation_report(tlm_protocol_check mode)
    : mode_(mode), owner_(getpid()), state_(*this)
{
}

violation_report &violation_report::of(tlm_protocol_check mode)
{
    static violation_report *only = nullptr;
    if (!only) {
        only = new violation_report(mode); // never destroyed, so usable until the process ends
        std::atexit(at_exit);
    }
    return *only;
}

void violation_report::add(reported_link &link)
{
    links_.push_back(&link);
    static_cast<void>(stream_of(link.recording()));
}

const violation_stream &violation_report::stream_of(const session &recorded)
{
    const auto known = streams_.find(&recorded);
    if (known != streams_.end())
        return known->second;
    violation_stream &made = streams_[&recorded];
    ftr_recorder *const rec = recorded.recorder;
    ftr_stream stream = 0;
    if (!rec)
        return made;
    const ftr_status status = ftr_stream_define(rec, "ftr.protocol", "protocol", &stream);
    if (status != FTR_OK ||
        ftr_generator_define(rec, stream, "warning", nullptr, 0, &made.of[0]) != FTR_OK ||
        ftr_generator_define(rec, stream, "error", nullptr, 0, &made.of[1]) != FTR_OK ||
        ftr_relation_define(rec, "VIOLATION", &made.violation) != FTR_OK)
        report_failure("stream", "ftr.protocol", status == FTR_OK ? FTR_ERR_MEMORY : status);
    return made;
}

/* ---- one violation --------------------------------------------------------------------------- */

void violation_report::report(violation &broken)
{
    const protocol_rule_text &rule = text_of(broken.rule);
    const auto &link = static_cast<const reported_link &>(broken.link);
    const bool is_first = link.violations[static_cast<unsigned>(broken.rule)] == 1;
    record(broken);
    if (!is_first)
        return;
    const std::string text = text_of(broken);
    if (mode_ == tlm_protocol_check::check)
        say(rule.severity == rule_severity::error ? FTR_SEVERITY_ERROR : FTR_SEVERITY_WARNING,
            text);
    else
        due_.push_back({rule.severity, text});
    if (rule.severity == rule_severity::error && link.recording().recorder)
        triggered_ = &link.recording();
}

void violation_report::record(violation &broken)
{
    const auto &link = static_cast<const reported_link &>(broken.link);
    session &recorded = link.recording();
    const violation_stream &stream = stream_of(recorded);
    const protocol_rule_text &rule = text_of(broken.rule);
    const ftr_generator generator = stream.of[static_cast<unsigned>(rule.severity)];
    ftr_recorder *const rec = recorded.recorder;
    if (!generator || !passes(recorded) ||
        ftr_tx_begin(rec, generator, now(), &broken.recorded) != FTR_OK)
        return;
    const violation_attributes to(rec, broken.recorded);
    const payload_names &names = names_of(link.form());
    to.text("rule", rule.name);
    to.text("clause", rule.clause);
    to.text("found", broken.found);
    to.text("initiator", link.name);
    to.text("target", link.target);
    to.text("call", broken.call);
    to.text("phase", broken.phase, names.is_phase_at_end ? FTR_CLASS_END : FTR_CLASS_BEGIN);
    if (broken.identity)
        to.number(names.identity, broken.identity);
    to.number(names.address, broken.address);
    if (broken.payload)
        put_payload(to, *broken.payload, link.form());
    static_cast<void>(ftr_tx_end(rec, broken.recorded, now()));
    if (broken.broken_by.id)
        static_cast<void>(
            ftr_relation_put(rec, stream.violation, broken.broken_by, broken.recorded));
}

void violation_report::act()
{
    if (session *const failed = std::exchange(triggered_, nullptr)) {
        static_cast<void>(ftr_recorder_mark_failed(failed->recorder));
        static_cast<void>(ftr_recorder_trigger(failed->recorder));
    }
    for (const due_report &due : std::exchange(due_, {})) {
        const bool ends_run =
            mode_ == tlm_protocol_check::error && due.severity == rule_severity::error;
        /* Not the macro SC_REPORT_ERROR, because it prints the folder in which ftr was built. */
        sc_core::sc_report_handler::report(ends_run ? sc_core::SC_ERROR : sc_core::SC_WARNING,
                                           "/ftr/protocol", due.message.c_str(),
                                           "violation_report.cpp", __LINE__);
    }
}

void violation_report::inspect()
{
    for (reported_link *link : links_)
        link->inspect();
}

/* ---- the end of the run ---------------------------------------------------------------------- */

void violation_report::summarize() const
{
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;
    std::vector<std::string> lines;
    for (const reported_link *link : links_) {
        for (unsigned i = 0; i < protocol_rule_count; ++i) {
            const std::uint64_t count = link->violations[i];
            if (count == 0)
                continue;
            (protocol_rules[i].severity == rule_severity::error ? errors : warnings) += count;
            lines.push_back("protocol: " + link->name + ": " + std::to_string(count) + " " +
                            protocol_rules[i].name);
        }
    }
    const bool is_verbose = is_flag_set("FTR_VERBOSE");
    if (lines.empty() && state_.unchecked == 0 && !is_verbose)
        return;
    say(FTR_SEVERITY_NOTE, "protocol: " + counted(errors, "error") + " and " +
                               counted(warnings, "warning") + " on " +
                               counted(links_.size(), "link"));
    for (const std::string &line : lines)
        say(FTR_SEVERITY_NOTE, line);
    if (state_.unchecked > 0)
        say(FTR_SEVERITY_WARNING,
            "protocol: not checked because too many payloads are under way: " +
                counted(state_.unchecked, "call"));
    if (is_verbose)
        say(FTR_SEVERITY_NOTE, "protocol: not complete at the end: " +
                                   counted(state_.hops.count(), "transaction") + " in phases");
}

void violation_report::at_exit()
{
    violation_report &only = of(tlm_protocol_check::off);
    if (getpid() == only.owner_)
        only.summarize();
}

} // namespace detail
} // namespace ftr
