/* The part of SCV's transaction recording that back ends and their users see: the same names,
 * signatures and order of callbacks, with the simplest implementation. */
#ifndef SCV_DOUBLE_RECORDING_H
#define SCV_DOUBLE_RECORDING_H

#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "introspection.h"

SCV_DOUBLE_BEGIN

struct _scv_tr_generator_default_data {
    int _default_field_ = 0;
};
SCV_EXTENSIONS(_scv_tr_generator_default_data)
{
  public:
    scv_extensions<int> _default_field_;
    SCV_EXTENSIONS_CTOR(_scv_tr_generator_default_data)
    {
        SCV_FIELD(_default_field_);
    }
};

typedef long scv_tr_relation_handle_t;

/* The registered functions of one kind. */
template <class Function> std::vector<Function *> &scv_double_callbacks()
{
    static std::vector<Function *> all;
    return all;
}

class scv_tr_db
{
  public:
    enum callback_reason { CREATE, DELETE, SUSPEND, RESUME };
    typedef int callback_h;
    typedef void callback_function(const scv_tr_db &, callback_reason, void *);

    explicit scv_tr_db(const char *name, const sc_core::sc_time_unit & = sc_core::SC_FS)
        : name_(name ? name : "")
    {
        if (!get_default_db())
            set_default_db(this);
        call(CREATE);
    }
    virtual ~scv_tr_db()
    {
        if (get_default_db() == this)
            set_default_db(nullptr);
        call(DELETE);
    }
    static void set_default_db(scv_tr_db *database) { default_db() = database; }
    static scv_tr_db *get_default_db() { return default_db(); }
    static callback_h register_class_cb(callback_function *function, void * = nullptr)
    {
        scv_double_callbacks<callback_function>().push_back(function);
        return 0;
    }
    void set_recording(bool on) const { is_recording_ = on; }
    bool get_recording() const { return is_recording_; }
    const char *get_name() const { return name_.c_str(); }
    scv_tr_relation_handle_t create_relation(const char *name) const
    {
        for (std::size_t i = 0; i < relations_.size(); ++i) {
            if (relations_[i] == name)
                return static_cast<long>(i + 1);
        }
        relations_.push_back(name);
        return static_cast<long>(relations_.size());
    }
    const char *get_relation_name(scv_tr_relation_handle_t relation) const
    {
        const auto number = static_cast<std::size_t>(relation);
        return number && number <= relations_.size() ? relations_[number - 1].c_str() : nullptr;
    }
    sc_dt::uint64 double_next_object() const { return ++objects_; }
    sc_dt::uint64 double_next_transaction() const { return ++transactions_; }

  private:
    static scv_tr_db *&default_db()
    {
        static scv_tr_db *current = nullptr;
        return current;
    }
    void call(callback_reason reason) const
    {
        for (callback_function *each : scv_double_callbacks<callback_function>())
            each(*this, reason, nullptr);
    }
    std::string name_;
    mutable bool is_recording_ = true;
    mutable std::vector<std::string> relations_;
    mutable sc_dt::uint64 objects_ = 0;
    mutable sc_dt::uint64 transactions_ = 0;
};

class scv_tr_stream
{
  public:
    enum callback_reason { CREATE, DELETE };
    typedef int callback_h;
    typedef void callback_function(const scv_tr_stream &, callback_reason, void *);

    scv_tr_stream(const char *name, const char *kind,
                  scv_tr_db *database = scv_tr_db::get_default_db())
        : name_(name), kind_(kind ? kind : ""), has_kind_(kind != nullptr), database_(database),
          id_(database->double_next_object())
    {
        call(CREATE);
    }
    virtual ~scv_tr_stream() { call(DELETE); }
    static callback_h register_class_cb(callback_function *function, void * = nullptr)
    {
        scv_double_callbacks<callback_function>().push_back(function);
        return 0;
    }
    const char *get_name() const { return name_.c_str(); }
    const char *get_stream_kind() const { return has_kind_ ? kind_.c_str() : nullptr; }
    sc_dt::uint64 get_id() const { return id_; }
    const scv_tr_db *get_scv_tr_db() const { return database_; }

  private:
    void call(callback_reason reason) const
    {
        for (callback_function *each : scv_double_callbacks<callback_function>())
            each(*this, reason, nullptr);
    }
    std::string name_;
    std::string kind_;
    bool has_kind_;
    scv_tr_db *database_;
    sc_dt::uint64 id_;
};

class scv_tr_generator_base;

class scv_tr_handle
{
  public:
    enum callback_reason { BEGIN, END, DELETE };
    typedef int callback_h;
    typedef void callback_function(const scv_tr_handle &, callback_reason, void *);
    typedef void callback_record_attribute_function(const scv_tr_handle &, const char *,
                                                    const scv_extensions_if *, void *);
    typedef void callback_relation_function(const scv_tr_handle &, const scv_tr_handle &, void *,
                                            scv_tr_relation_handle_t);

    scv_tr_handle() = default;
    scv_tr_handle(const scv_tr_handle &) = default;
    scv_tr_handle &operator=(const scv_tr_handle &other)
    {
        if (this != &other) {
            drop();
            core_ = other.core_;
        }
        return *this;
    }
    virtual ~scv_tr_handle() { drop(); }

    void end_transaction() { end_at(nullptr, sc_core::sc_time_stamp()); }
    template <class T> void record_attribute(const char *name, const T &value)
    {
        const scv_extensions<T> described = scv_get_const_extensions(value);
        call_attribute(name ? name : "<anonymous>", &described);
    }
    template <class T> void record_attribute(const T &value)
    {
        record_attribute(static_cast<const char *>(nullptr), value);
    }
    bool add_relation(scv_tr_relation_handle_t relation, const scv_tr_handle &other)
    {
        for (auto *each : scv_double_callbacks<callback_relation_function>())
            each(*this, other, nullptr, relation);
        return true;
    }
    bool add_relation(const char *relation, const scv_tr_handle &other)
    {
        return add_relation(get_scv_tr_stream().get_scv_tr_db()->create_relation(relation), other);
    }
    static callback_h register_class_cb(callback_function *function, void * = nullptr)
    {
        scv_double_callbacks<callback_function>().push_back(function);
        return 0;
    }
    static callback_h register_record_attribute_cb(callback_record_attribute_function *function,
                                                   void * = nullptr)
    {
        scv_double_callbacks<callback_record_attribute_function>().push_back(function);
        return 0;
    }
    static callback_h register_relation_cb(callback_relation_function *function, void * = nullptr)
    {
        scv_double_callbacks<callback_relation_function>().push_back(function);
        return 0;
    }
    bool is_valid() const { return core_ != nullptr; }
    bool is_active() const { return core_ && core_->is_active; }
    const scv_extensions_if *get_begin_exts_p() const { return core_ ? core_->begin : nullptr; }
    const scv_extensions_if *get_end_exts_p() const { return core_ ? core_->end : nullptr; }
    sc_dt::uint64 get_id() const { return core_ ? core_->id : 0; }
    const sc_core::sc_time &get_begin_sc_time() const { return core_->begin_time; }
    const sc_core::sc_time &get_end_sc_time() const { return core_->end_time; }
    const scv_tr_stream &get_scv_tr_stream() const;
    const scv_tr_generator_base &get_scv_tr_generator_base() const { return *core_->of; }

  private:
    friend class scv_tr_generator_base;
    struct core {
        const scv_tr_generator_base *of;
        sc_dt::uint64 id;
        bool is_active;
        const scv_extensions_if *begin;
        const scv_extensions_if *end;
        sc_core::sc_time begin_time;
        sc_core::sc_time end_time;
    };
    void call(callback_reason reason) const
    {
        for (callback_function *each : scv_double_callbacks<callback_function>())
            each(*this, reason, nullptr);
    }
    void call_attribute(const char *name, const scv_extensions_if *value) const
    {
        for (auto *each : scv_double_callbacks<callback_record_attribute_function>())
            each(*this, name, value, nullptr);
    }
    void end_at(const scv_extensions_if *values, const sc_core::sc_time &time) const
    {
        if (!is_active())
            return;
        core_->end = values;
        core_->end_time = time;
        call(END);
        core_->is_active = false;
        core_->end = nullptr;
    }
    void drop()
    {
        if (core_.use_count() == 1)
            call(DELETE);
        core_.reset();
    }
    std::shared_ptr<core> core_;
};

class scv_tr_generator_base
{
  public:
    enum callback_reason { CREATE, DELETE };
    typedef int callback_h;
    typedef void callback_function(const scv_tr_generator_base &, callback_reason, void *);

    scv_tr_generator_base(const char *name, scv_tr_stream &stream, const char *begin_name,
                          const char *end_name)
        : name_(name), stream_(stream), begin_name_(begin_name), end_name_(end_name),
          id_(stream.get_scv_tr_db()->double_next_object())
    {
    }
    virtual ~scv_tr_generator_base() { call(DELETE); }
    static callback_h register_class_cb(callback_function *function, void * = nullptr)
    {
        scv_double_callbacks<callback_function>().push_back(function);
        return 0;
    }
    const char *get_begin_attribute_name() const { return begin_name_; }
    const char *get_end_attribute_name() const { return end_name_; }
    const char *get_name() const { return name_.c_str(); }
    sc_dt::uint64 get_id() const { return id_; }
    const scv_tr_stream &get_scv_tr_stream() const { return stream_; }
    const scv_extensions_if *get_begin_exts_p() const { return begin_; }
    const scv_extensions_if *get_end_exts_p() const { return end_; }

  protected:
    void call(callback_reason reason) const
    {
        for (callback_function *each : scv_double_callbacks<callback_function>())
            each(*this, reason, nullptr);
    }
    scv_tr_handle begin(const scv_extensions_if *values, const sc_core::sc_time &time,
                        scv_tr_relation_handle_t relation, const scv_tr_handle *other) const
    {
        scv_tr_handle begun;
        begun.core_.reset(
            new scv_tr_handle::core{this, stream_.get_scv_tr_db()->double_next_transaction(), true,
                                    values, nullptr, time, sc_core::SC_ZERO_TIME});
        begun.call(scv_tr_handle::BEGIN);
        if (relation)
            begun.add_relation(relation, *other);
        begun.core_->begin = nullptr;
        return begun;
    }
    static void end(const scv_tr_handle &ended, const scv_extensions_if *values,
                    const sc_core::sc_time &time)
    {
        ended.end_at(values, time);
    }
    const scv_extensions_if *begin_ = nullptr;
    const scv_extensions_if *end_ = nullptr;

  private:
    std::string name_;
    scv_tr_stream &stream_;
    const char *begin_name_;
    const char *end_name_;
    sc_dt::uint64 id_;
};

inline const scv_tr_stream &scv_tr_handle::get_scv_tr_stream() const
{
    return core_->of->get_scv_tr_stream();
}

template <class T_begin = _scv_tr_generator_default_data,
          class T_end = _scv_tr_generator_default_data>
class scv_tr_generator : public scv_tr_generator_base
{
  public:
    scv_tr_generator(const char *name, scv_tr_stream &stream, const char *begin_name = nullptr,
                     const char *end_name = nullptr)
        : scv_tr_generator_base(name, stream, begin_name, end_name)
    {
        begin_ = &begin_type_;
        end_ = &end_type_;
        call(CREATE);
    }
    scv_tr_handle begin_transaction()
    {
        return begin(nullptr, sc_core::sc_time_stamp(), 0, nullptr);
    }
    scv_tr_handle begin_transaction(const T_begin &values)
    {
        return begin_transaction(values, sc_core::sc_time_stamp());
    }
    scv_tr_handle begin_transaction(const T_begin &values, const sc_core::sc_time &time)
    {
        const scv_extensions<T_begin> described = scv_get_const_extensions(values);
        return begin(&described, time, 0, nullptr);
    }
    scv_tr_handle begin_transaction(const T_begin &values, const char *relation,
                                    const scv_tr_handle &other)
    {
        const scv_extensions<T_begin> described = scv_get_const_extensions(values);
        return begin(&described, sc_core::sc_time_stamp(),
                     get_scv_tr_stream().get_scv_tr_db()->create_relation(relation), &other);
    }
    void end_transaction(const scv_tr_handle &ended)
    {
        end(ended, nullptr, sc_core::sc_time_stamp());
    }
    void end_transaction(const scv_tr_handle &ended, const T_end &values)
    {
        end_transaction(ended, values, sc_core::sc_time_stamp());
    }
    void end_transaction(const scv_tr_handle &ended, const T_end &values,
                         const sc_core::sc_time &time)
    {
        const scv_extensions<T_end> described = scv_get_const_extensions(values);
        end(ended, &described, time);
    }

  private:
    scv_extensions<T_begin> begin_type_;
    scv_extensions<T_end> end_type_;
};

SCV_DOUBLE_END

#endif
