// A payload extension that contains the recorded transaction of the request.
//
// Relations connect transactions of different modules: the request of an initiator is the parent of
// the transactions that the bus and the memory record for it. The extension contains the parent as
// an ftr_tx. An ftr_tx is a small value, which remains valid for relations after the transaction
// has ended.
#ifndef RECORDED_CALLER_HPP
#define RECORDED_CALLER_HPP

#include <ftr/systemc.hpp>

#include <tlm>

class recorded_caller : public tlm::tlm_extension<recorded_caller>
{
  public:
    ftr_tx tx{};

    tlm::tlm_extension_base *clone() const override { return new recorded_caller(*this); }
    void copy_from(const tlm::tlm_extension_base &other) override
    {
        tx = static_cast<const recorded_caller &>(other).tx;
    }
};

/** While this object exists, @p tx is the parent of all transactions that are recorded for @p
 * payload. */
class calling_as
{
  public:
    calling_as(tlm::tlm_generic_payload &payload, ftr_tx tx)
        : payload_(payload), before_(payload.get_extension<recorded_caller>())
    {
        own_.tx = tx;
        payload_.set_extension(&own_);
    }
    calling_as(const calling_as &) = delete;
    calling_as &operator=(const calling_as &) = delete;
    ~calling_as() { payload_.set_extension(before_); }

  private:
    tlm::tlm_generic_payload &payload_;
    recorded_caller *before_;
    recorded_caller own_;
};

/** Returns the transaction for which @p payload was sent. If the sender records nothing, returns a
 * transaction that is not recorded; relations from it have no effect. */
inline ftr_tx caller_of(const tlm::tlm_generic_payload &payload)
{
    const recorded_caller *caller = payload.get_extension<recorded_caller>();
    return caller ? caller->tx : ftr_tx{FTR_TX_NOT_RECORDED, 0};
}

#endif
