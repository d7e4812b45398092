/** @file
 *  Relates the transactions of all recorders that a payload passes, with the names of SCC. Included
 *  by <tlm/scc/lwtr/tlm2_lwtr.h>. */
#ifndef FTR_COMPAT_SCC_LINK_PRED_EXT_H
#define FTR_COMPAT_SCC_LINK_PRED_EXT_H

#include <utility>

#include <ftr/compat/lwtr/lwtr.h>

#include <tlm>

namespace tlm
{
namespace scc
{
namespace lwtr
{

/** Marks a payload with its newest transaction. The recorder that has created this extension
 * removes it. */
struct link_pred_ext : tlm::tlm_extension<link_pred_ext> {
    link_pred_ext(::lwtr::tx_handle handle, const void *of)
        : txHandle(std::move(handle)), creator(of)
    {
    }
    tlm::tlm_extension_base *clone() const override { return new link_pred_ext(txHandle, creator); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        const auto &other = static_cast<const link_pred_ext &>(from);
        txHandle = other.txHandle;
        creator = other.creator;
    }

    ::lwtr::tx_handle txHandle;
    const void *creator;
};

namespace detail
{

/** Relates @p call to the payload's newest transaction, and then makes @p call the newest one. Does
 *  nothing if the payload has no mark.
 *  @return the transaction that was the newest one before; invalid: none */
inline ::lwtr::tx_handle follow(tlm::tlm_generic_payload &trans, ::lwtr::tx_handle &call,
                                ::lwtr::tx_relation_handle predecessor)
{
    auto *const mark = trans.get_extension<link_pred_ext>();
    if (!mark)
        return ::lwtr::tx_handle();
    call.add_relation(predecessor, mark->txHandle);
    ::lwtr::tx_handle before = call;
    std::swap(before, mark->txHandle);
    return before;
}

/** Same as follow(), for a request. Marks the payload if it has no mark. */
inline ::lwtr::tx_handle follow_or_mark(tlm::tlm_generic_payload &trans, ::lwtr::tx_handle &call,
                                        ::lwtr::tx_relation_handle predecessor, const void *creator)
{
    if (trans.get_extension<link_pred_ext>())
        return follow(trans, call, predecessor);
    auto *const mark = new link_pred_ext(call, creator);
    if (trans.has_mm())
        trans.set_auto_extension(mark);
    else
        trans.set_extension(mark);
    return ::lwtr::tx_handle();
}

/** Removes the payload's mark if @p creator created it. Returns a mark that another recorder
 * created, or NULL. */
inline link_pred_ext *unmark(tlm::tlm_generic_payload &trans, const void *creator)
{
    auto *const mark = trans.get_extension<link_pred_ext>();
    if (!mark || mark->creator != creator)
        return mark;
    trans.clear_extension(mark);
    mark->free();
    return nullptr;
}

} // namespace detail
} // namespace lwtr
} // namespace scc
} // namespace tlm

#endif
