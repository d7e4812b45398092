/* The rules of the TLM-2.0 base protocol, from the table in <ftr/detail/protocol_rules.h>. A rule
 * has a stable name, the clause of IEEE 1666-2011, a severity (a warning if the standard allows
 * exceptions) and a sentence with the requirement. */
#ifndef FTR_PROTOCOL_RULES_HPP
#define FTR_PROTOCOL_RULES_HPP

#include <ftr/detail/protocol_rules.h>

namespace ftr
{
namespace detail
{

enum class protocol_rule : unsigned char {
#define FTR_ENUMERATOR(identifier, name, clause, severity, demand) identifier,
    FTR_PROTOCOL_RULE_TABLE(FTR_ENUMERATOR)
#undef FTR_ENUMERATOR
        count
};

inline constexpr unsigned protocol_rule_count = static_cast<unsigned>(protocol_rule::count);

enum class rule_severity : unsigned char { warning, error };

struct protocol_rule_text {
    const char *name;
    const char *clause; /* of IEEE 1666-2011 */
    rule_severity severity;
    const char *demand;
};

inline constexpr protocol_rule_text protocol_rules[] = {
#define FTR_TEXTS(identifier, name, clause, severity, demand) \
    {name, clause, rule_severity::severity, demand},
    FTR_PROTOCOL_RULE_TABLE(FTR_TEXTS)
#undef FTR_TEXTS
};

inline const protocol_rule_text &text_of(protocol_rule rule)
{
    return protocol_rules[static_cast<unsigned>(rule)];
}

} // namespace detail
} // namespace ftr

#endif
