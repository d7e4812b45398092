/** @file
 *  Records transactions of a SystemC model, as RAII over <ftr/recorder.h>. docs/systemc.md is the
 *  guide; in short:
 *
 *      ftr::stream stream{"top.bus", "tlm"};
 *      ftr::generator<ftr::at_begin<uint64_t>, ftr::at_end<tlm::tlm_response_status>> read{
 *          stream, "read", "address", "response"};
 *      ...
 *      auto tx = read.begin(address);
 *      wait(10, SC_NS);
 *      tx.end(status);
 *
 *  Nothing here needs a recorder to exist: streams of the default recorder cost a test and a branch
 *  a call when FTR_TRACE is unset, and streams, generators and transactions may be destroyed before
 *  or after their recorder. A call without a time takes the simulation's and belongs on the
 *  simulation's thread; all others may be made on any. Statuses may be ignored: the recorder counts
 *  misuse and tells of failure.
 *
 *  The header asks for C++14; SystemC's library often asks for more. */
#ifndef FTR_SYSTEMC_HPP
#define FTR_SYSTEMC_HPP

#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ftr/recorder.h>
#include <ftr/systemc_session.hpp>
#include <ftr/systemc_values.hpp>
#include <ftr/systemc_fields.hpp>

namespace ftr
{

/** How a recorder opened by code records; the members are those of ftr_recorder_options. The time
 *  scale is the kernel's resolution unless you set another, messages go to stderr. */
struct options : ftr_recorder_options {
    options() : ftr_recorder_options()
    {
        threads = 1;
        time_scale = FTR_TIME_SCALE_LATER;
    }
};

/** A file being recorded; closed when destroyed. */
class recorder
{
public:
    /** Opens @p path. When that fails, stderr is told why and nothing is recorded. */
    explicit recorder(const std::string &path, const options &how = options())
        : session_(detail::open_session(path.c_str(), how, status_))
    {
    }
    recorder(const recorder &) = delete;
    recorder &operator=(const recorder &) = delete;
    ~recorder()
    {
        if (session_ != &detail::off_session && !is_default_)
            static_cast<void>(detail::close_session(*session_));
    }

    /** The default recorder of this process (FTR_TRACE). It is closed when the process ends. */
    static recorder &standard()
    {
        static recorder &instance = *new recorder(); // not destroyed before its last user
        return instance;
    }

    /** Whether there is a file to record to. */
    bool is_open() const { return session_->recorder != nullptr; }
    /** How opening went. */
    ftr_status status() const { return status_; }
    /** Switches recording off or on again; transactions that are open go on. */
    ftr_status set_recording(bool on) { return detail::switch_session(*session_, on); }
    ftr_status flush() { return is_open() ? ftr_recorder_flush(session_->recorder) : FTR_OK; }
    /** Ends the file. @return the first failure of the recorder's life */
    ftr_status close() { return is_open() ? detail::close_session(*session_) : FTR_OK; }
    /** What was recorded so far; all 0 when nothing is. */
    ftr_statistics statistics() const
    {
        ftr_statistics counted{};
        if (is_open())
            static_cast<void>(ftr_recorder_get_statistics(session_->recorder, &counted));
        return counted;
    }
    /** The recorder for the functions of <ftr/recorder.h>, or NULL. */
    ftr_recorder *handle() const { return session_->recorder; }

private:
    friend class stream;
    friend class relation;

    recorder() : session_(detail::default_session()), is_default_(true) {}

    ftr_status status_ = FTR_OK;
    detail::session *session_;
    bool is_default_ = false;
};

/** A stream of transactions. A value: copies are the same stream. */
class stream
{
public:
    /** None: what is recorded into it is not. */
    stream() : session_(&detail::off_session), id_(0) {}
    /** A stream of the default recorder. */
    explicit stream(const std::string &name, const std::string &kind = std::string())
        : stream(recorder::standard(), name, kind)
    {
    }
    stream(recorder &rec, const std::string &name, const std::string &kind = std::string())
        : session_(rec.session_), id_(0)
    {
        if (!rec.is_open())
            return;
        const ftr_status status =
            ftr_stream_define(session_->recorder, name.c_str(), kind.c_str(), &id_);
        if (status != FTR_OK)
            detail::complain("stream", name.c_str(), status);
        if (status != FTR_OK || !ftr_stream_is_recorded(session_->recorder, id_))
            session_ = &detail::off_session;
    }

    /** False without a recorder and for a stream that FTR_INCLUDE or FTR_EXCLUDE leave out. */
    bool is_recorded() const { return session_->recorder != nullptr; }
    ftr_stream handle() const { return id_; }

private:
    template <class... A> friend class generator;

    detail::session *session_;
    ftr_stream id_;
};

/** A transaction that is open. Moves but does not copy; ends at the current time when destroyed.
 *  Converts to the ftr_tx that relations are made of, also after its end. */
class transaction
{
public:
    /** None: every call does nothing. */
    FTR_INLINE transaction() : recorder_(nullptr), tx_{FTR_TX_NOT_RECORDED, 0, 0} {}
    FTR_INLINE transaction(transaction &&other) noexcept
        : recorder_(other.recorder_), tx_(other.tx_)
    {
        other.recorder_ = nullptr;
    }
    transaction &operator=(transaction &&other) noexcept
    {
        if (this != &other) {
            end();
            recorder_ = other.recorder_;
            tx_ = other.tx_;
            other.recorder_ = nullptr;
        }
        return *this;
    }
    FTR_INLINE ~transaction()
    {
        if (recorder_)
            end_open(detail::now());
    }

    /** Whether it is open and recorded. */
    bool is_open() const { return recorder_ != nullptr; }
    operator ftr_tx() const { return tx_; }

    /** Put an attribute that the generator does not declare: with the transaction, its begin or its
     *  end. A struct becomes one attribute a field, `name.field`. */
    template <class T> FTR_INLINE ftr_status put(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_RECORD, name, value);
    }
    template <class T> FTR_INLINE ftr_status put_begin(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_BEGIN, name, value);
    }
    template <class T> FTR_INLINE ftr_status put_end(const char *name, const T &value)
    {
        return put_class(FTR_CLASS_END, name, value);
    }

    /** Ends it now. @return FTR_ERR_ORDER, and it stays open, when its begin is later */
    FTR_INLINE ftr_status end() { return recorder_ ? end_open(detail::now()) : FTR_OK; }
    /** Ends it at @p time, which may lie before or after now. */
    FTR_INLINE ftr_status end_at(const sc_core::sc_time &time)
    {
        return recorder_ ? end_open(time.value()) : FTR_OK;
    }

protected:
    template <class... A> friend class generator;

    template <class T>
    FTR_INLINE ftr_status put_class(ftr_attribute_class class_, const char *name, const T &value)
    {
        return recorder_ ? detail::put_undeclared(recorder_, tx_, class_, name, value) : FTR_OK;
    }

    FTR_INLINE ftr_status end_open(std::uint64_t ticks)
    {
        const ftr_status status = ftr_tx_end(recorder_, tx_, ticks);
        if (status != FTR_ERR_ORDER)
            recorder_ = nullptr;
        return status;
    }

    ftr_recorder *recorder_; /**< NULL: not open, or not recorded */
    ftr_tx tx_;
};

/** A transaction of a generator with the attributes A. */
template <class... A> class transaction_of : public transaction
{
public:
    /** The type of attribute I. */
    template <std::size_t I>
    using attribute = typename detail::declared<
        typename std::tuple_element<I, std::tuple<A...>>::type>::type;

    using transaction::put;
    using transaction::end;
    using transaction::end_at;

    /** Puts attribute I of the generator's list. */
    template <std::size_t I, class V> FTR_INLINE ftr_status put(const V &value)
    {
        static_assert(I < sizeof...(A), "the generator declares no attribute of this number");
        if (!recorder_)
            return FTR_OK;
        detail::field_putter putter{recorder_, tx_, detail::layout<A...>::template number<I>(),
                                    FTR_OK};
        putter.put(detail::as_declared<attribute<I>>(value));
        return putter.status;
    }

    /** Puts all at_end attributes, in their order, and ends it now. */
    template <class V, class... W> FTR_INLINE ftr_status end(const V &value, const W &...more)
    {
        if (!recorder_)
            return FTR_OK;
        put_all<FTR_CLASS_END>(std::index_sequence_for<V, W...>(), value, more...);
        return end_open(detail::now());
    }
    template <class V, class... W>
    FTR_INLINE ftr_status end_at(const sc_core::sc_time &time, const V &value, const W &...more)
    {
        if (!recorder_)
            return FTR_OK;
        put_all<FTR_CLASS_END>(std::index_sequence_for<V, W...>(), value, more...);
        return end_open(time.value());
    }

private:
    template <class...> friend class generator;

    template <ftr_attribute_class Class, std::size_t... N, class... V>
    FTR_INLINE void put_all(std::index_sequence<N...>, const V &...values)
    {
        static_assert(sizeof...(V) == detail::count_class<A...>(Class, sizeof...(A)),
                      "give one value for each attribute declared for this moment, or none");
        const ftr_status statuses[] = {
            FTR_OK, put<detail::place_of<A...>(Class, N)>(values)...};
        static_cast<void>(statuses);
    }
};

/** What begins transactions of one kind on a stream: `read`, `write`. A is its attributes, each a
 *  type, at_begin<type> or at_end<type>; the type is one of docs/types.md or a struct with
 *  ftr_fields(). A value: copies are the same generator. */
template <class... A> class generator
{
public:
    using transaction = transaction_of<A...>;

    /** None: what it begins is not recorded. */
    generator() : session_(&detail::off_session), id_(0) {}

    /** @param names one for each attribute; "" for a struct whose fields need no prefix */
    template <class... Name>
    generator(const stream &of, const std::string &name, const Name &...names)
        : session_(of.session_), id_(0)
    {
        static_assert(sizeof...(Name) == sizeof...(A), "give one name for each attribute");
        if (of.is_recorded())
            define(of, name, std::vector<std::string>{std::string(names)...});
    }

    /** Whether a transaction that begins now is recorded: what it costs to gather values for one
     *  that is not can be saved. */
    FTR_INLINE bool is_recording() const
    {
        return session_->state.load(std::memory_order_relaxed) != detail::gate::off;
    }

    /** Begins a transaction now. @param values all at_begin attributes, in their order, or none */
    template <class... V> FTR_INLINE transaction begin(const V &...values) const
    {
        transaction begun;
        if (detail::passes(*session_))
            begin_ticks(begun, detail::now(), values...);
        return begun;
    }
    /** Begins one at @p time, which may lie before or after now. */
    template <class... V>
    FTR_INLINE transaction begin_at(const sc_core::sc_time &time, const V &...values) const
    {
        transaction begun;
        if (detail::passes(*session_, time.value()))
            begin_ticks(begun, time.value(), values...);
        return begun;
    }

    /** Records a whole transaction in one call, which costs least.
     *  @param values of the first attributes, in their order, whatever their class */
    template <class... V>
    FTR_INLINE ftr_tx record(const sc_core::sc_time &from, const sc_core::sc_time &to,
                             const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0, 0};
        if (detail::passes(*session_, to.value()))
            record_ticks(tx, from.value(), to.value(), with_structs(),
                         std::index_sequence_for<V...>(), values...);
        return tx;
    }

    /** Records an event now: a transaction of no duration that belongs to @p parent. */
    template <class... V> FTR_INLINE ftr_tx event(ftr_tx parent, const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0, 0};
        if (detail::passes(*session_))
            event_ticks(tx, parent, detail::now(), with_structs(), std::index_sequence_for<V...>(),
                        values...);
        return tx;
    }
    template <class... V>
    FTR_INLINE ftr_tx event_at(ftr_tx parent, const sc_core::sc_time &time,
                               const V &...values) const
    {
        ftr_tx tx{FTR_TX_NOT_RECORDED, 0, 0};
        if (detail::passes(*session_, time.value()))
            event_ticks(tx, parent, time.value(), with_structs(), std::index_sequence_for<V...>(),
                        values...);
        return tx;
    }

    ftr_generator handle() const { return id_; }

private:
    template <std::size_t I> using attribute = typename transaction::template attribute<I>;

    /* A list without structs goes to the core in one call; one with structs piece by piece, as their
     * fields are met. */
    using with_structs = std::integral_constant<bool, detail::struct_before<A...>(sizeof...(A))>;

    void define(const stream &of, const std::string &name, const std::vector<std::string> &names)
    {
        detail::declaration list;
        std::size_t place = 0;
        const int expanded[] = {0, (declare<A>(list, names[place], place), ++place, 0)...};
        static_cast<void>(expanded);
        const ftr_status status =
            ftr_generator_define(session_->recorder, of.handle(), name.c_str(), list.attributes(),
                                 list.count(), &id_);
        if (status != FTR_OK) {
            detail::complain("generator", name.c_str(), status);
            session_ = &detail::off_session;
        }
    }
    template <class Attribute>
    static void declare(detail::declaration &list, const std::string &name, std::size_t place)
    {
        using what = detail::declared<Attribute>;
        detail::layout<A...>::first[place].store(list.count(), std::memory_order_relaxed);
        list.add(name, what::class_, static_cast<const typename what::type *>(nullptr));
    }

    FTR_INLINE bool begin_ticks(transaction &begun, std::uint64_t ticks) const
    {
        ftr_tx tx;
        if (ftr_tx_begin(session_->recorder, id_, ticks, &tx) != FTR_OK)
            return false;
        begun.recorder_ = session_->recorder;
        begun.tx_ = tx;
        return true;
    }
    template <class V, class... W>
    FTR_INLINE void begin_ticks(transaction &begun, std::uint64_t ticks, const V &value,
                                const W &...more) const
    {
        if (begin_ticks(begun, ticks))
            begun.template put_all<FTR_CLASS_BEGIN>(std::index_sequence_for<V, W...>(), value,
                                                    more...);
    }

    template <std::size_t... I, class... V>
    FTR_INLINE void record_ticks(ftr_tx &tx, std::uint64_t from, std::uint64_t to, std::false_type,
                                 std::index_sequence<I...>, const V &...values) const
    {
        record_list(tx, from, to,
                    {detail::declared_value(detail::as_declared<attribute<I>>(values))...});
    }
    template <std::size_t... I, class... V>
    FTR_INLINE void record_ticks(ftr_tx &tx, std::uint64_t from, std::uint64_t to, std::true_type,
                                 std::index_sequence<I...>, const V &...values) const
    {
        transaction begun;
        if (!begin_ticks(begun, from))
            return;
        const ftr_status statuses[] = {FTR_OK, begun.template put<I>(values)...};
        static_cast<void>(statuses);
        tx = begun;
        static_cast<void>(begun.end_open(to));
    }
    FTR_INLINE void record_list(ftr_tx &tx, std::uint64_t from, std::uint64_t to,
                                std::initializer_list<ftr_value> values) const
    {
        static_cast<void>(ftr_tx_record(session_->recorder, id_, from, to, values.begin(),
                                        values.size(), &tx));
    }

    template <std::size_t... I, class... V>
    void event_ticks(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks, std::false_type,
                     std::index_sequence<I...>, const V &...values) const
    {
        event_list(tx, parent, ticks,
                   {detail::declared_value(detail::as_declared<attribute<I>>(values))...});
    }
    template <std::size_t... I, class... V>
    void event_ticks(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks, std::true_type,
                     std::index_sequence<I...> places, const V &...values) const
    {
        record_ticks(tx, ticks, ticks, std::true_type(), places, values...);
        detail::relate_event(session_->recorder, parent, tx);
    }
    void event_list(ftr_tx &tx, ftr_tx parent, std::uint64_t ticks,
                    std::initializer_list<ftr_value> values) const
    {
        static_cast<void>(ftr_tx_event(session_->recorder, parent, id_, ticks, values.begin(),
                                       values.size(), &tx));
    }

    detail::session *session_;
    ftr_generator id_;
};

/** A kind of relation between transactions: `PREDECESSOR_SUCCESSOR`, `PARENT_CHILD`. */
class relation
{
public:
    /** None: what it relates is not recorded. */
    relation() : session_(&detail::off_session), id_(0) {}
    explicit relation(const std::string &name) : relation(recorder::standard(), name) {}
    relation(recorder &rec, const std::string &name) : session_(rec.session_), id_(0)
    {
        if (!rec.is_open())
            return;
        const ftr_status status = ftr_relation_define(session_->recorder, name.c_str(), &id_);
        if (status != FTR_OK) {
            detail::complain("relation", name.c_str(), status);
            session_ = &detail::off_session;
        }
    }

    /** Relates two transactions, each open or ended. */
    FTR_INLINE ftr_status put(ftr_tx from, ftr_tx to) const
    {
        return session_->recorder ? ftr_relation_put(session_->recorder, id_, from, to) : FTR_OK;
    }

private:
    detail::session *session_;
    ftr_relation id_;
};

/** A text that is put often. For STRING attributes of the same recorder, at the cost of an integer. */
class known_text
{
public:
    explicit known_text(const std::string &value) : known_text(recorder::standard(), value) {}
    known_text(recorder &rec, const std::string &value) : id_(0)
    {
        if (!rec.is_open())
            return;
        const ftr_status status =
            ftr_text_define(rec.handle(), value.data(), value.size(), &id_);
        if (status != FTR_OK)
            detail::complain("text", value.c_str(), status);
    }

    ftr_text handle() const { return id_; }

private:
    ftr_text id_;
};

template <> struct value_traits<known_text> {
    static constexpr ftr_type type = FTR_TYPE_STRING;
    using storage = detail::no_storage;
    static detail::known_text get(const known_text &value, storage &&) { return {value.handle()}; }
};

} // namespace ftr

#endif
