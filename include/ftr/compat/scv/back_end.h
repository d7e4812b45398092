/** @file
 *  The back end for SCV. SCV informs its back ends by callbacks; this back end records the reported
 *  transactions. Included by <ftr/scv.h>, after SCV's headers. */
#ifndef FTR_COMPAT_SCV_BACK_END_H
#define FTR_COMPAT_SCV_BACK_END_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <ftr/compat/scv/values.h>
#include <ftr/detail/named_database.hpp>
#include <ftr/detail/systemc_session.hpp>
#include <ftr/recorder.h>

namespace ftr
{
namespace detail
{
namespace scv
{

/** A generator with its declared attributes. */
struct generator {
    ftr_generator id;
    std::string begin_name;
    std::string end_name;
    /** types of the attributes at the begin, then of those at the end */
    std::vector<ftr_type> types;
    unsigned first_end; /**< index in `types` of the first attribute at the end */
};

/** A transaction to which the program still has an SCV handle. */
struct transaction {
    ftr_tx tx;
    generator *of;
    bool is_active;
};

/** An open database. The keys of its tables are ids of SCV. */
struct database {
    const scv_tr_db *of;
    session *recorded;
    std::unordered_map<std::uint64_t, ftr_stream> streams; /**< recorded streams only */
    std::unordered_map<std::uint64_t, std::unique_ptr<generator>> generators;
    std::unordered_map<std::uint64_t, transaction> transactions;
    std::unordered_map<long, ftr_relation> relations;
};

/** Receives the callbacks of SCV. Never destroyed, because databases may be static objects. */
class back_end
{
  public:
    static back_end &of_process()
    {
        static auto *const only = new back_end;
        return *only;
    }

    /** Registers the callbacks. Repeated calls do nothing. */
    void start()
    {
        if (is_started_)
            return;
        is_started_ = true;
        scv_tr_db::register_class_cb(pass_database);
        scv_tr_stream::register_class_cb(pass_stream);
        scv_tr_generator_base::register_class_cb(pass_generator);
        scv_tr_handle::register_class_cb(pass_transaction);
        scv_tr_handle::register_record_attribute_cb(pass_attribute);
        scv_tr_handle::register_relation_cb(pass_relation);
    }

  private:
    static void pass_database(const scv_tr_db &from, scv_tr_db::callback_reason reason, void *)
    {
        if (reason == scv_tr_db::CREATE)
            of_process().open(from);
        else if (reason == scv_tr_db::DELETE)
            of_process().close(from);
    }
    static void pass_stream(const scv_tr_stream &from, scv_tr_stream::callback_reason reason,
                            void *)
    {
        database *const in = of_process().find(from.get_scv_tr_db());
        if (reason == scv_tr_stream::CREATE && in)
            define_stream(*in, from);
    }
    static void pass_generator(const scv_tr_generator_base &from,
                               scv_tr_generator_base::callback_reason reason, void *)
    {
        if (reason != scv_tr_generator_base::CREATE)
            return;
        if (database *const in = of_process().find(from.get_scv_tr_stream().get_scv_tr_db()))
            define_generator(*in, from);
    }
    static void pass_transaction(const scv_tr_handle &from, scv_tr_handle::callback_reason reason,
                                 void *)
    {
        if (reason == scv_tr_handle::BEGIN)
            of_process().begin(from);
        else if (reason == scv_tr_handle::END)
            of_process().end(from);
        else
            of_process().forget(from);
    }
    static void pass_attribute(const scv_tr_handle &from, const char *name,
                               const scv_extensions_if *value, void *)
    {
        database *const in = of_process().find(from);
        transaction *const to = in ? find_active(*in, from) : nullptr;
        if (to && value)
            put_named(*in, *to, FTR_CLASS_RECORD, name ? name : "", *value);
    }
    static void pass_relation(const scv_tr_handle &from, const scv_tr_handle &other, void *,
                              scv_tr_relation_handle_t relation)
    {
        if (database *const in = of_process().find(from))
            relate(*in, from, other, relation);
    }

    void open(const scv_tr_db &from)
    {
        const char *const given = from.get_name();
        std::string name = given && *given ? given : "DEFAULT_scv_tr";
        const std::size_t end = name.size();
        if (end > 4 && name.compare(end - 4, 4, ".ftr") == 0)
            name.resize(end - 4); // open_database() appends the suffix again
        databases_.emplace_back(new database{&from, open_database(name), {}, {}, {}, {}});
    }

    void close(const scv_tr_db &from)
    {
        for (std::size_t i = 0; i < databases_.size(); ++i) {
            if (databases_[i]->of != &from)
                continue;
            close_database(*databases_[i]->recorded);
            databases_.erase(databases_.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    }

    database *find(const scv_tr_db *of)
    {
        for (const auto &opened : databases_) {
            if (opened->of == of && opened->recorded->recorder)
                return opened.get();
        }
        return nullptr;
    }
    database *find(const scv_tr_handle &of)
    {
        return of.is_valid() ? find(of.get_scv_tr_stream().get_scv_tr_db()) : nullptr;
    }

    static void define_stream(database &in, const scv_tr_stream &from)
    {
        ftr_recorder *const rec = in.recorded->recorder;
        ftr_stream defined = 0;
        const ftr_status status =
            ftr_stream_define(rec, from.get_name(), from.get_stream_kind(), &defined);
        if (status != FTR_OK)
            report_failure("stream", from.get_name(), status);
        else if (ftr_stream_is_recorded(rec, defined))
            in.streams[from.get_id()] = defined;
    }

    static void define_generator(database &in, const scv_tr_generator_base &from)
    {
        const auto stream = in.streams.find(from.get_scv_tr_stream().get_id());
        if (stream == in.streams.end())
            return;
        const auto name_or_empty = [](const char *name) { return std::string(name ? name : ""); };
        std::unique_ptr<generator> made(
            new generator{0,
                          name_or_empty(from.get_begin_attribute_name()),
                          name_or_empty(from.get_end_attribute_name()),
                          {},
                          0});
        std::vector<std::string> names;
        std::vector<ftr_attribute> attributes;
        const auto declare = [&](const scv_extensions_if *values, const std::string &prefix,
                                 ftr_attribute_class class_) {
            if (!values)
                return;
            visit(*values, [&](const scv_extensions_if &value) {
                names.push_back(name_of(prefix, value));
                made->types.push_back(type_of(value));
                attributes.push_back({nullptr, made->types.back(), class_});
            });
        };
        declare(from.get_begin_exts_p(), made->begin_name, FTR_CLASS_BEGIN);
        made->first_end = static_cast<unsigned>(names.size());
        declare(from.get_end_exts_p(), made->end_name, FTR_CLASS_END);
        for (std::size_t i = 0; i < names.size(); ++i)
            attributes[i].name = names[i].c_str();
        const ftr_status status =
            ftr_generator_define(in.recorded->recorder, stream->second, from.get_name(),
                                 attributes.data(), attributes.size(), &made->id);
        if (status == FTR_OK)
            in.generators[from.get_id()] = std::move(made);
        else
            report_failure("generator", from.get_name(), status);
    }

    void begin(const scv_tr_handle &from)
    {
        database *const in = find(from);
        if (!in || !in->of->get_recording())
            return;
        const std::uint64_t ticks = from.get_begin_sc_time().value();
        const auto of = in->generators.find(from.get_scv_tr_generator_base().get_id());
        if (of == in->generators.end() || !passes(*in->recorded, ticks))
            return;
        ftr_tx tx;
        if (ftr_tx_begin(in->recorded->recorder, of->second->id, ticks, &tx) != FTR_OK)
            return;
        transaction &begun = in->transactions[from.get_id()];
        begun = {tx, of->second.get(), true};
        put_declared(*in, begun, FTR_CLASS_BEGIN, from.get_begin_exts_p());
    }

    void end(const scv_tr_handle &from)
    {
        database *const in = find(from);
        transaction *const ended = in ? find_active(*in, from) : nullptr;
        if (!ended)
            return;
        ended->is_active = false;
        put_declared(*in, *ended, FTR_CLASS_END, from.get_end_exts_p());
        const std::uint64_t begin = from.get_begin_sc_time().value();
        const std::uint64_t end = from.get_end_sc_time().value();
        static_cast<void>(ftr_tx_end(in->recorded->recorder, ended->tx, end < begin ? begin : end));
    }

    /* Called when the last handle of a transaction is destroyed. The stream of the transaction may
     * have been destroyed before, so the stream is used only if several databases have a
     * transaction with this id. */
    void forget(const scv_tr_handle &from)
    {
        database *in = nullptr;
        for (const auto &opened : databases_) {
            if (!opened->transactions.count(from.get_id()))
                continue;
            if (in) {
                in = find(from);
                break;
            }
            in = opened.get();
        }
        if (!in)
            return;
        if (const transaction *const open = find_active(*in, from)) {
            ftr_value unfinished{};
            unfinished.type = FTR_TYPE_BOOLEAN;
            unfinished.as.boolean = true;
            ftr_recorder *const rec = in->recorded->recorder;
            static_cast<void>(
                ftr_tx_put_named(rec, open->tx, FTR_CLASS_END, "unfinished", &unfinished));
            end_abandoned(rec, open->tx);
        }
        in->transactions.erase(from.get_id());
    }

    static transaction *find_active(database &in, const scv_tr_handle &of)
    {
        const auto found = in.transactions.find(of.get_id());
        return found != in.transactions.end() && found->second.is_active ? &found->second : nullptr;
    }

    static void put_named(database &in, const transaction &to, ftr_attribute_class class_,
                          const std::string &prefix, const scv_extensions_if &values)
    {
        visit(values, [&](const scv_extensions_if &each) {
            std::string room;
            const ftr_value value = value_of(each, room);
            static_cast<void>(ftr_tx_put_named(in.recorded->recorder, to.tx, class_,
                                               name_of(prefix, each).c_str(), &value));
        });
    }

    /* Puts the attributes of the begin or of the end. An attribute that differs from the
     * declaration of the generator is put by name, not by number. */
    static void put_declared(database &in, const transaction &to, ftr_attribute_class class_,
                             const scv_extensions_if *values)
    {
        if (!values)
            return;
        const generator &of = *to.of;
        const bool is_end = class_ == FTR_CLASS_END;
        const std::string &prefix = is_end ? of.end_name : of.begin_name;
        const std::size_t last = is_end ? of.types.size() : of.first_end;
        unsigned number = is_end ? of.first_end : 0;
        std::string room;
        visit(*values, [&](const scv_extensions_if &each) {
            const ftr_value value = value_of(each, room);
            if (number < last && of.types[number] == value.type)
                put_numbered(in.recorded->recorder, to.tx, number, value);
            else
                static_cast<void>(ftr_tx_put_named(in.recorded->recorder, to.tx, class_,
                                                   name_of(prefix, each).c_str(), &value));
            ++number;
        });
    }

    static void put_numbered(ftr_recorder *rec, ftr_tx tx, unsigned number, const ftr_value &value)
    {
        switch (value.type) {
        case FTR_TYPE_BOOLEAN:
            static_cast<void>(ftr_tx_put_bool(rec, tx, number, value.as.boolean));
            break;
        case FTR_TYPE_INTEGER:
            static_cast<void>(ftr_tx_put_int(rec, tx, number, value.as.integer));
            break;
        case FTR_TYPE_UNSIGNED:
        case FTR_TYPE_POINTER:
            static_cast<void>(ftr_tx_put_number(rec, tx, number, value.as.number));
            break;
        case FTR_TYPE_FLOATING_POINT:
        case FTR_TYPE_FIXED_POINT_INTEGER:
        case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
            static_cast<void>(ftr_tx_put_real(rec, tx, number, value.as.real));
            break;
        default:
            static_cast<void>(ftr_tx_put_text(rec, tx, number, value.as.text, value.text_length));
        }
    }

    /* In SCV's text format, this relation is `tx_relation NAME from other`. Viewers and `ftr
     * convert` read this line as a relation from `other` to `from`. */
    static void relate(database &in, const scv_tr_handle &from, const scv_tr_handle &other,
                       scv_tr_relation_handle_t relation)
    {
        const auto to = in.transactions.find(from.get_id());
        const auto source = in.transactions.find(other.get_id());
        const char *const name = in.of->get_relation_name(relation);
        if (to == in.transactions.end() || source == in.transactions.end() || !name ||
            other.get_scv_tr_stream().get_scv_tr_db() != in.of)
            return;
        ftr_recorder *const rec = in.recorded->recorder;
        ftr_relation &defined = in.relations[relation];
        if (!defined) {
            const ftr_status status = ftr_relation_define(rec, name, &defined);
            if (status != FTR_OK) {
                report_failure("relation", name, status);
                return;
            }
        }
        static_cast<void>(ftr_relation_put(rec, defined, source->second.tx, to->second.tx));
    }

    bool is_started_ = false;
    std::vector<std::unique_ptr<database>> databases_;
};

} // namespace scv
} // namespace detail
} // namespace ftr

#endif
