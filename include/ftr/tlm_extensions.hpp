/** @file
 *  Records extensions of payloads. Each type of extension that is to be recorded must be registered
 *  once, before simulation:
 *
 *      ftr::record_tlm_extension<burst_extension>(
 *          "burst", [](const burst_extension &burst, ftr::tlm_extension_sink &sink) {
 *              sink.put("length", burst.length);
 *              sink.put("kind", burst.kind_name());
 *          });
 *
 *  An access with this extension gets the attributes `burst.length` and `burst.kind`; with
 *  FTR_TLM=calls, `trans.burst.length` and `trans.burst.kind`. */
#ifndef FTR_TLM_EXTENSIONS_HPP
#define FTR_TLM_EXTENSIONS_HPP

#include <functional>
#include <string>
#include <utility>

#include <ftr/detail/systemc_session.hpp>
#include <ftr/systemc_fields.hpp>

#include <tlm>

namespace ftr
{

/** Receives the values of one extension. A value is of a type in docs/format.md, or a struct with
 *  ftr_fields(). */
class tlm_extension_sink
{
  public:
    tlm_extension_sink(ftr_recorder *rec, ftr_tx tx, std::string prefix)
        : rec_(rec), tx_(tx), prefix_(std::move(prefix))
    {
    }

    template <class T> void put(const char *field, const T &value)
    {
        static_cast<void>(
            detail::put_undeclared(rec_, tx_, FTR_CLASS_RECORD, (prefix_ + field).c_str(), value));
    }

  private:
    ftr_recorder *rec_;
    ftr_tx tx_;
    std::string prefix_;
};

/** The time at which an extension is recorded: with the request, or with the response. */
enum class tlm_extension_at : unsigned char { request, response };

namespace detail
{
FTR_SC_API void add_extension_recorder(
    unsigned id, const std::string &name, tlm_extension_at at,
    std::function<void(const tlm::tlm_extension_base &, tlm_extension_sink &)> put);
}

/** Records extensions of type @p Extension as attributes `NAME.FIELD`. */
template <class Extension, class Put>
void record_tlm_extension(const std::string &name, Put put,
                          tlm_extension_at at = tlm_extension_at::request)
{
    detail::add_extension_recorder(
        Extension::ID, name, at,
        [put](const tlm::tlm_extension_base &extension, tlm_extension_sink &sink) {
            put(static_cast<const Extension &>(extension), sink);
        });
}

} // namespace ftr

#endif
