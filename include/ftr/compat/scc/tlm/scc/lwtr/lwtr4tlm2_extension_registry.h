/** @file
 *  The registry of functions that record the extensions of payloads, with the names of SCC. */
#ifndef FTR_COMPAT_SCC_LWTR4TLM2_EXTENSION_REGISTRY_H
#define FTR_COMPAT_SCC_LWTR4TLM2_EXTENSION_REGISTRY_H

#include <cstddef>
#include <memory>
#include <vector>

#include <ftr/compat/scc/tlm/scc/lwtr/lwtr4tlm2.h>

namespace tlm
{
namespace scc
{
namespace lwtr
{

/** Records an extension of payloads. Users derive from this class. */
template <typename TYPES = tlm::tlm_base_protocol_types> class lwtr4tlm2_extension_registry_if
{
  public:
    virtual ~lwtr4tlm2_extension_registry_if() = default;
    /** Called when a transaction begins and when it ends. @p trans may be without the extension. */
    virtual void recordBeginTx(::lwtr::tx_handle &handle,
                               typename TYPES::tlm_payload_type &trans) = 0;
    virtual void recordEndTx(::lwtr::tx_handle &handle,
                             typename TYPES::tlm_payload_type &trans) = 0;
};

/** The registered objects. Index: id of the extension. */
template <typename TYPES = tlm::tlm_base_protocol_types> class lwtr4tlm2_extension_registry
{
  public:
    using recorder_type = lwtr4tlm2_extension_registry_if<TYPES>;
    using payload_type = typename TYPES::tlm_payload_type;

    static lwtr4tlm2_extension_registry &inst()
    {
        static lwtr4tlm2_extension_registry only;
        return only;
    }
    lwtr4tlm2_extension_registry(const lwtr4tlm2_extension_registry &) = delete;
    lwtr4tlm2_extension_registry &operator=(const lwtr4tlm2_extension_registry &) = delete;

    /** Takes ownership of @p recorder, and deletes the object that was registered for this id
     * before. */
    void register_ext_rec(std::size_t id, recorder_type *recorder)
    {
        if (id >= all_.size())
            all_.resize(id + 1);
        if (all_[id] != recorder)
            delete all_[id];
        all_[id] = recorder;
    }
    /** Returns all objects. Index: id of the extension; NULL: none. */
    const std::vector<recorder_type *> &get() { return all_; }

    void recordBeginTx(std::size_t id, ::lwtr::tx_handle &handle, payload_type &trans)
    {
        if (id < all_.size() && all_[id])
            all_[id]->recordBeginTx(handle, trans);
    }
    void recordEndTx(std::size_t id, ::lwtr::tx_handle &handle, payload_type &trans)
    {
        if (id < all_.size() && all_[id])
            all_[id]->recordEndTx(handle, trans);
    }

  private:
    lwtr4tlm2_extension_registry() = default;
    ~lwtr4tlm2_extension_registry()
    {
        for (recorder_type *each : all_)
            delete each;
    }
    std::vector<recorder_type *> all_;
};

} // namespace lwtr
} // namespace scc
} // namespace tlm

#endif
