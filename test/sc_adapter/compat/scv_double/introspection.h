/* The part of SCV's introspection that back ends and their users see: the same names and
 * signatures, with the simplest implementation. Function bodies that SCV does not support end the
 * program, as in SCV. */
#ifndef SCV_DOUBLE_INTROSPECTION_H
#define SCV_DOUBLE_INTROSPECTION_H

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

SCV_DOUBLE_BEGIN

class scv_extensions_if
{
  public:
    enum data_type {
        BOOLEAN,
        ENUMERATION,
        INTEGER,
        UNSIGNED,
        FLOATING_POINT_NUMBER,
        BIT_VECTOR,
        LOGIC_VECTOR,
        FIXED_POINT_INTEGER,
        UNSIGNED_FIXED_POINT_INTEGER,
        RECORD,
        POINTER,
        ARRAY,
        STRING
    };
    virtual ~scv_extensions_if() = default;
    virtual const char *get_name() const = 0;
    virtual const char *get_type_name() const = 0;
    virtual data_type get_type() const = 0;
    virtual const char *get_enum_string(int) const = 0;
    virtual int get_num_fields() const = 0;
    virtual const scv_extensions_if *get_field(unsigned) const = 0;
    virtual const scv_extensions_if *get_pointer() const = 0;
    virtual int get_array_size() const = 0;
    virtual const scv_extensions_if *get_array_elt(int) const = 0;
    virtual int get_bitwidth() const = 0;
    virtual bool get_bool() const = 0;
    virtual long long get_integer() const = 0;
    virtual unsigned long long get_unsigned() const = 0;
    virtual double get_double() const = 0;
    virtual std::string get_string() const = 0;
    virtual void get_value(sc_dt::sc_bv_base &) const = 0;
    virtual void get_value(sc_dt::sc_lv_base &) const = 0;
};

/* A value of some type, with nothing supported. */
class scv_double_value : public scv_extensions_if
{
  public:
    const char *get_name() const override { return name_.c_str(); }
    const char *get_type_name() const override { return ""; }
    const char *get_enum_string(int) const override { std::abort(); }
    int get_num_fields() const override { std::abort(); }
    const scv_extensions_if *get_field(unsigned) const override { std::abort(); }
    const scv_extensions_if *get_pointer() const override { std::abort(); }
    int get_array_size() const override { std::abort(); }
    const scv_extensions_if *get_array_elt(int) const override { std::abort(); }
    int get_bitwidth() const override { std::abort(); }
    bool get_bool() const override { std::abort(); }
    long long get_integer() const override { std::abort(); }
    unsigned long long get_unsigned() const override { std::abort(); }
    double get_double() const override { std::abort(); }
    std::string get_string() const override { std::abort(); }
    void get_value(sc_dt::sc_bv_base &) const override { std::abort(); }
    void get_value(sc_dt::sc_lv_base &) const override { std::abort(); }

    virtual void double_set_name(const std::string &name) { name_ = name; }

  private:
    std::string name_;
};

/* A value with the object that it describes; NULL for a type. */
template <class T> class scv_double_object : public scv_double_value
{
  public:
    virtual void double_set(const T *object) { object_ = object; }
    const T *get_instance() const { return object_; }

  protected:
    const T *object_ = nullptr;
};

/* A struct, with its fields. */
template <class T> class scv_extensions_base : public scv_double_object<T>
{
  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override { return scv_extensions_if::RECORD; }
    int get_num_fields() const override { return static_cast<int>(fields_.size()); }
    const scv_extensions_if *get_field(unsigned i) const override { return fields_.at(i).value; }
    void double_set(const T *object) override
    {
        this->object_ = object;
        fields_.clear();
        double_list(object);
    }
    void double_set_name(const std::string &name) override
    {
        scv_double_object<T>::double_set_name(name);
        for (const field &each : fields_)
            each.value->double_set_name(name.empty() ? each.name : name + "." + each.name);
    }

  protected:
    virtual void double_list(const T *object) = 0;
    template <class Value, class F> void double_add(const char *name, Value &value, const F *object)
    {
        value.double_set(object);
        fields_.push_back({name, &value});
        this->double_set_name(this->get_name());
    }

  private:
    struct field {
        std::string name;
        scv_double_value *value;
    };
    std::vector<field> fields_;
};

/* An enum, with the names of its values. */
template <class T> class scv_enum_base : public scv_double_object<T>
{
  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override { return scv_extensions_if::ENUMERATION; }
    int get_bitwidth() const override { return 8 * sizeof(T); }
    long long get_integer() const override { return static_cast<long long>(*this->object_); }
    const char *get_enum_string(int value) const override
    {
        const auto found = names_.find(value);
        return found != names_.end() ? found->second.c_str() : "unknown";
    }

  protected:
    void _set_enum(int value, const char *name) { names_[value] = name; }

  private:
    std::map<int, std::string> names_;
};

/* Built-in types. Specialised for structs and enums by the macros below. */
template <class T> class scv_extensions : public scv_double_object<T>
{
    static_assert(std::is_arithmetic<T>::value, "the type has no SCV extension");

  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override
    {
        if (std::is_same<T, bool>::value)
            return scv_extensions_if::BOOLEAN;
        if (std::is_floating_point<T>::value)
            return scv_extensions_if::FLOATING_POINT_NUMBER;
        return std::is_signed<T>::value ? scv_extensions_if::INTEGER : scv_extensions_if::UNSIGNED;
    }
    int get_bitwidth() const override { return 8 * sizeof(T); }
    bool get_bool() const override { return *this->object_ != T(); }
    long long get_integer() const override { return static_cast<long long>(*this->object_); }
    unsigned long long get_unsigned() const override
    {
        return static_cast<unsigned long long>(*this->object_);
    }
    double get_double() const override { return static_cast<double>(*this->object_); }
};

template <> class scv_extensions<std::string> : public scv_double_object<std::string>
{
  public:
    data_type get_type() const override { return STRING; }
    std::string get_string() const override { return *object_; }
};

/* SystemC's types: Kind as in SCV, W bits. */
template <class T, scv_extensions_if::data_type Kind, int W>
class scv_double_bits : public scv_double_object<T>
{
  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override { return Kind; }
    int get_bitwidth() const override { return W; }
    void get_value(sc_dt::sc_bv_base &value) const override { value = *this->object_; }
    void get_value(sc_dt::sc_lv_base &value) const override { value = *this->object_; }
};
template <class T, scv_extensions_if::data_type Kind, int W>
class scv_double_number : public scv_double_bits<T, Kind, W>
{
  public:
    long long get_integer() const override { return this->object_->to_int64(); }
    unsigned long long get_unsigned() const override { return this->object_->to_uint64(); }
};
#define SCV_DOUBLE_WIDE(type, base, kind)                                                          \
    template <int W>                                                                               \
    class scv_extensions<sc_dt::type<W>> : public base<sc_dt::type<W>, scv_extensions_if::kind, W> \
    {                                                                                              \
    }
SCV_DOUBLE_WIDE(sc_int, scv_double_number, INTEGER);
SCV_DOUBLE_WIDE(sc_uint, scv_double_number, UNSIGNED);
SCV_DOUBLE_WIDE(sc_bigint, scv_double_number, INTEGER);
SCV_DOUBLE_WIDE(sc_biguint, scv_double_number, UNSIGNED);
SCV_DOUBLE_WIDE(sc_bv, scv_double_bits, BIT_VECTOR);
SCV_DOUBLE_WIDE(sc_lv, scv_double_bits, LOGIC_VECTOR);
#undef SCV_DOUBLE_WIDE

template <class T> class scv_extensions<T *> : public scv_double_object<T *>
{
  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override { return scv_extensions_if::POINTER; }
    const scv_extensions_if *get_pointer() const override
    {
        return this->object_ && *this->object_ ? this : nullptr;
    }
};

template <class T, int N> class scv_extensions<T[N]> : public scv_double_object<T[N]>
{
  public:
    using data_type = scv_extensions_if::data_type;
    data_type get_type() const override { return scv_extensions_if::ARRAY; }
    int get_array_size() const override { return N; }
    const scv_extensions_if *get_array_elt(int i) const override { return &elements_[i]; }
    void double_set(const T (*object)[N]) override
    {
        this->object_ = object;
        for (int i = 0; i < N; ++i)
            elements_[i].double_set(object ? &(*object)[i] : nullptr);
    }
    void double_set_name(const std::string &name) override
    {
        scv_double_object<T[N]>::double_set_name(name);
        for (int i = 0; i < N; ++i)
            elements_[i].double_set_name(name + "[" + std::to_string(i) + "]");
    }

  private:
    scv_extensions<T> elements_[N];
};

template <class T> scv_extensions<T> scv_get_const_extensions(const T &object)
{
    scv_extensions<T> described;
    described.double_set(&object);
    return described;
}

#define SCV_EXTENSIONS(type) \
    template <> class scv_extensions<type> : public scv_extensions_base<type>
#define SCV_EXTENSIONS_CTOR(type)                                             \
    const char *get_type_name() const override                                \
    {                                                                         \
        return #type;                                                         \
    }                                                                         \
    scv_extensions()                                                          \
    {                                                                         \
        double_list(nullptr);                                                 \
    }                                                                         \
    scv_extensions(const scv_extensions &other) : scv_extensions_base<type>() \
    {                                                                         \
        double_set(other.get_instance());                                     \
    }                                                                         \
    void double_list(const type *_double_object) override
#define SCV_FIELD(field) \
    double_add(#field, field, _double_object ? &_double_object->field : nullptr)
#define SCV_ENUM_EXTENSIONS(type) \
    template <> class scv_extensions<type> : public scv_enum_base<type>
#define SCV_ENUM_CTOR(type)                    \
    const char *get_type_name() const override \
    {                                          \
        return #type;                          \
    }                                          \
    scv_extensions()                           \
    {                                          \
        double_names();                        \
    }                                          \
    void double_names()
#define SCV_ENUM(element) _set_enum(static_cast<int>(element), #element)

SCV_DOUBLE_END

#endif
