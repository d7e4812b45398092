/** @file
 *  Generators, with the names of LWTR4SC. Included by <lwtr/lwtr.h>. */
#ifndef FTR_COMPAT_LWTR_GENERATOR_H
#define FTR_COMPAT_LWTR_GENERATOR_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <systemc>

#include <ftr/compat/lwtr/handle.h>

namespace lwtr
{

/** The part of a generator that does not depend on the types of its attributes. */
class tx_generator_base
{
  public:
    using tx_generator_class_cb = std::function<void(const tx_generator_base &, callback_reason)>;

    tx_generator_base(const std::string &name, tx_fiber &fiber, const std::string &begin_name = "",
                      const std::string &end_name = "", bool with_events = false)
        : tx_generator_base(name, fiber, {begin_name, {false, FTR_TYPE_STRING}},
                            {end_name, {false, FTR_TYPE_STRING}}, with_events)
    {
    }
    tx_generator_base(const tx_generator_base &) = delete;
    tx_generator_base &operator=(const tx_generator_base &) = delete;
    virtual ~tx_generator_base()
    {
        detail::callbacks_of<tx_generator_class_cb>().call(*this, DELETE);
    }

    static std::uint64_t register_class_cb(tx_generator_class_cb callback)
    {
        return detail::callbacks_of<tx_generator_class_cb>().add(std::move(callback));
    }
    static void unregister_class_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_generator_class_cb>().remove(id);
    }

    const std::string &get_name() const { return name_; }
    const std::string &get_begin_attribute_name() const { return state_->begin_name; }
    const std::string &get_end_attribute_name() const { return state_->end_name; }
    std::uint64_t get_id() const { return id_; }
    const tx_fiber &get_tx_fiber() const { return *state_->fiber; }

  protected:
    struct typed_name {
        std::string name;
        detail::declared_attribute declared;
    };

    /** @p begins_with_object: the generator is defined with the first transaction */
    tx_generator_base(const std::string &name, const tx_fiber &fiber, const typed_name &begin,
                      const typed_name &end, bool with_events, bool begins_with_object = false)
        : name_(name), id_(ftr::detail::next_definition_id()),
          state_(new detail::generator_state{
              this, &fiber, &fiber.session(),
              detail::place(end.declared, begin.declared.is_declared ? 1 : 0), begin.name, end.name,
              0, 0, 0, nullptr}),
          begin_(begin.declared), end_(end.declared), with_events_(with_events)
    {
        keep(*state_);
        if (state_->session->recorder && begins_with_object)
            state_->is_defined = false;
        else if (state_->session->recorder)
            define();
        detail::callbacks_of<tx_generator_class_cb>().call(*this, CREATE);
    }

    /* Begins a transaction. BEGIN: the type of the attribute that the generator declares for the
     * begin */
    template <class BEGIN>
    FTR_SC_INLINE tx_handle begin(std::uint64_t ticks, const BEGIN &attribute) const
    {
        using declares = std::integral_constant<bool, detail::declare<BEGIN>().is_declared>;
        define_with(attribute, detail::begins_with_object<BEGIN>());
        return tx_handle(*state_, ticks, attribute, declares());
    }
    template <class BEGIN>
    FTR_SC_INLINE void define_with(const BEGIN &attribute, std::true_type) const
    {
        if (!FTR_SC_EXPECTED(state_->is_defined.load(std::memory_order_acquire)))
            define_once(attribute);
    }
    template <class BEGIN> FTR_SC_INLINE void define_with(const BEGIN &, std::false_type) const {}
    template <class BEGIN, class Relation>
    FTR_SC_INLINE tx_handle begin(std::uint64_t ticks, const BEGIN &attribute,
                                  const Relation &relation, const tx_handle &other) const
    {
        tx_handle begun = begin(ticks, attribute);
        begun.add_relation(relation, other);
        return begun;
    }

  private:
    /* Keeps the state reachable, so that leak checkers do not report it. */
    static void keep(detail::generator_state &state)
    {
        static std::atomic<detail::generator_state *> all{nullptr};
        state.next = all.load();
        while (!all.compare_exchange_weak(state.next, &state)) {
        }
    }

    /* Defines the generator with the fields of @p attribute, unless it is defined. */
    template <class BEGIN> __attribute__((noinline)) void define_once(const BEGIN &attribute) const
    {
        static std::mutex one_at_a_time;
        const std::lock_guard<std::mutex> lock(one_at_a_time);
        if (state_->is_defined)
            return;
        detail::collect_fields(state_->fields, state_->begin_name.c_str(), attribute);
        state_->declared = state_->fields.data();
        define();
        state_->is_defined.store(true, std::memory_order_release);
    }

    void define() const
    {
        ftr_recorder *const rec = state_->session->recorder;
        const auto named = [](const std::string &name) {
            return name.empty() ? "unnamed" : name.c_str();
        };
        std::vector<ftr_attribute> attributes;
        if (begin_.is_declared)
            attributes.push_back({named(state_->begin_name), begin_.type, FTR_CLASS_BEGIN});
        if (end_.is_declared)
            attributes.push_back({named(state_->end_name), end_.type, FTR_CLASS_END});
        for (detail::declared_field &field : state_->fields) {
            if (!field.key || field.is_object)
                continue;
            field.number = static_cast<unsigned>(attributes.size());
            attributes.push_back({named(field.name), field.type, FTR_CLASS_BEGIN});
        }
        const tx_fiber &fiber = *state_->fiber;
        ftr_status status = ftr_generator_define(rec, fiber.stream(), name_.c_str(),
                                                 attributes.data(), attributes.size(), &state_->id);
        if (status == FTR_OK && with_events_) {
            const ftr_attribute event = {"name", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
            status = ftr_generator_define(rec, fiber.stream(), (name_ + ".events").c_str(), &event,
                                          1, &state_->events);
            state_->parent_of =
                static_cast<ftr_relation>(fiber.get_tx_db()->create_relation("parent_of"));
        }
        if (status == FTR_OK)
            return;
        ftr::detail::report_failure("generator", name_.c_str(), status);
        state_->session = &ftr::detail::off_session;
    }

    const std::string name_;
    const std::uint64_t id_;
    detail::generator_state *const state_;
    const detail::declared_attribute begin_;
    const detail::declared_attribute end_;
    const bool with_events_;
};

/** A kind of transactions of a fiber. BEGIN and END are the types of the attribute at the begin and
 *  at the end of its transactions. */
template <typename BEGIN = no_data, typename END = no_data>
class tx_generator : public tx_generator_base
{
    using name_argument = detail::name_argument;
    /* Accepts only bool. A string literal must select the constructor with the name of an
     * attribute, and not be converted to bool. */
    template <class T>
    using when_bool = typename std::enable_if<std::is_same<T, bool>::value, int>::type;
    static constexpr bool has_begin = !std::is_same<BEGIN, no_data>::value;

  public:
    tx_generator(const name_argument &name, tx_fiber &fiber) : tx_generator(name, fiber, "", "") {}
    template <class Bool, when_bool<Bool> = 0>
    tx_generator(const name_argument &name, tx_fiber &fiber, Bool with_events)
        : tx_generator(name, fiber, "", "", with_events)
    {
    }
    /** @param attribute name of the attribute at the begin, or, if BEGIN is no_data, of the one at
     *   the end */
    tx_generator(const name_argument &name, tx_fiber &fiber, const name_argument &attribute)
        : tx_generator(name, fiber, attribute, false)
    {
    }
    template <class Bool, when_bool<Bool> = 0>
    tx_generator(const name_argument &name, tx_fiber &fiber, const name_argument &attribute,
                 Bool with_events)
        : tx_generator(name, fiber, has_begin ? attribute : name_argument(""),
                       has_begin ? name_argument("") : attribute, with_events)
    {
    }
    tx_generator(const name_argument &name, tx_fiber &fiber, const name_argument &begin_name,
                 const name_argument &end_name, bool with_events = false)
        : tx_generator_base(name.text, fiber, {begin_name.text, detail::declare<BEGIN>()},
                            {end_name.text, detail::declare<END>()}, with_events,
                            detail::begins_with_object<BEGIN>::value)
    {
    }

    FTR_SC_INLINE tx_handle begin_tx() { return begin(ftr::detail::now(), none()); }
    FTR_SC_INLINE tx_handle begin_tx(tx_relation_handle relation, const tx_handle &other)
    {
        return begin(ftr::detail::now(), none(), relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx(const char *relation, const tx_handle &other)
    {
        return begin(ftr::detail::now(), none(), relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx(const BEGIN &attribute)
    {
        return begin(ftr::detail::now(), attribute);
    }
    FTR_SC_INLINE tx_handle begin_tx(const BEGIN &attribute, tx_relation_handle relation,
                                     const tx_handle &other)
    {
        return begin(ftr::detail::now(), attribute, relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx(const BEGIN &attribute, const char *relation,
                                     const tx_handle &other)
    {
        return begin(ftr::detail::now(), attribute, relation, other);
    }

    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time)
    {
        return begin(time.value(), none());
    }
    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time,
                                             tx_relation_handle relation, const tx_handle &other)
    {
        return begin(time.value(), none(), relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time, const char *relation,
                                             const tx_handle &other)
    {
        return begin(time.value(), none(), relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time, const BEGIN &attribute)
    {
        return begin(time.value(), attribute);
    }
    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time, const BEGIN &attribute,
                                             tx_relation_handle relation, const tx_handle &other)
    {
        return begin(time.value(), attribute, relation, other);
    }
    FTR_SC_INLINE tx_handle begin_tx_delayed(const sc_core::sc_time &time, const BEGIN &attribute,
                                             const char *relation, const tx_handle &other)
    {
        return begin(time.value(), attribute, relation, other);
    }

    FTR_SC_INLINE void end_tx(tx_handle &ended) { ended.end_tx(); }
    FTR_SC_INLINE void end_tx(tx_handle &ended, const END &attribute) { ended.end_tx(attribute); }
    FTR_SC_INLINE void end_tx_delayed(tx_handle &ended, const sc_core::sc_time &time)
    {
        ended.end_tx_delayed(time);
    }
    FTR_SC_INLINE void end_tx_delayed(tx_handle &ended, const sc_core::sc_time &time,
                                      const END &attribute)
    {
        ended.end_tx_delayed(time, attribute);
    }

  private:
    /* Returns the attribute of a transaction that begins without one. Defines the generator before,
     * if needed. */
    FTR_SC_INLINE no_data none() const
    {
        this->define_with(no_data(), detail::begins_with_object<BEGIN>());
        return no_data();
    }
};

} // namespace lwtr

#endif
