/** @file
 *  Databases and fibers, with the names of LWTR4SC. Included by <lwtr/lwtr.h>.
 *
 *  The database NAME is the FTR file NAME.ftr; a fiber is a stream. */
#ifndef FTR_COMPAT_LWTR_DATABASE_H
#define FTR_COMPAT_LWTR_DATABASE_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <systemc>

#include <ftr/compat/lwtr/callbacks.h>
#include <ftr/compat/lwtr/value.h>
#include <ftr/detail/named_database.hpp>
#include <ftr/detail/systemc_session.hpp>

namespace lwtr
{

/** A kind of relation; 0: none. */
using tx_relation_handle = std::uint64_t;

/** Select the file format. One of these functions must be called before the first database is
 *  created; a database that is created earlier records nothing. For a text format, an FTR file is
 *  written instead, and a message names the command that converts it. */
inline void tx_ftr_init(bool compressed)
{
    ftr::detail::select_database_format(compressed ? ftr::detail::database_format::compressed
                                                   : ftr::detail::database_format::plain);
}
inline void tx_text_init()
{
    ftr::detail::select_database_format(ftr::detail::database_format::text);
}
inline void tx_text_gz_init()
{
    ftr::detail::select_database_format(ftr::detail::database_format::text);
}
inline void tx_text_lz4_init()
{
    ftr::detail::select_database_format(ftr::detail::database_format::text);
}

/** A file that is being recorded, from construction to destruction or exit. */
class tx_db
{
  public:
    using tx_db_class_cb = std::function<void(const tx_db &, callback_reason)>;

    /** Opens the file @p name.ftr and makes this database the default. @p name may be a path. The
     *  time unit is ignored: times are recorded with the resolution of the simulation. */
    tx_db(const std::string &name, sc_core::sc_time_unit = sc_core::SC_FS)
        : name_(name), session_(ftr::detail::open_database(name))
    {
        set_default_db(this);
        detail::callbacks_of<tx_db_class_cb>().call(*this, CREATE);
    }
    tx_db(const tx_db &) = delete;
    tx_db &operator=(const tx_db &) = delete;
    virtual ~tx_db()
    {
        detail::callbacks_of<tx_db_class_cb>().call(*this, DELETE);
        if (get_default_db() == this)
            set_default_db(nullptr);
        ftr::detail::close_database(*session_);
    }

    /** Sets the default database: the one of all fibers that are created without a database. NULL:
     * these fibers record nothing. */
    static void set_default_db(tx_db *database) { ftr::detail::default_database() = database; }
    static tx_db *get_default_db() { return static_cast<tx_db *>(ftr::detail::default_database()); }

    static std::uint64_t register_class_cb(tx_db_class_cb callback)
    {
        return detail::callbacks_of<tx_db_class_cb>().add(std::move(callback));
    }
    static void unregister_class_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_db_class_cb>().remove(id);
    }

    const std::string &get_name() const { return name_; }

    /** Switches recording on or off. If off, transactions that begin are not recorded; open
     * transactions continue. */
    void set_recording(bool on)
    {
        is_recording_ = on;
        static_cast<void>(ftr::detail::switch_session(*session_, on));
    }
    bool get_recording() const { return is_recording_; }

    /** Returns the handle of a kind of relation; the same handle for the same name. */
    tx_relation_handle create_relation(const char *name) const
    {
        for (const auto &known : relations_) {
            if (known.second == name)
                return known.first;
        }
        ftr_relation defined = static_cast<ftr_relation>(relations_.size() + 1);
        if (session_->recorder) {
            const ftr_status status = ftr_relation_define(session_->recorder, name, &defined);
            if (status != FTR_OK) {
                ftr::detail::report_failure("relation", name, status);
                return 0;
            }
        }
        relations_[defined] = name;
        return defined;
    }
    tx_relation_handle create_relation(const std::string &name) const
    {
        return create_relation(name.c_str());
    }
    /** Returns the name of a relation of this database, or "". */
    const std::string &get_relation_name(tx_relation_handle relation) const
    {
        static const std::string none;
        const auto found = relations_.find(relation);
        return found != relations_.end() ? found->second : none;
    }

    /** Internal. */
    ftr::detail::session &session() const { return *session_; }

  private:
    const std::string name_;
    ftr::detail::session *const session_;
    bool is_recording_ = true;
    mutable std::map<tx_relation_handle, std::string> relations_;
};

/** A stream of transactions. */
class tx_fiber
{
  public:
    using tx_fiber_class_cb = std::function<void(const tx_fiber &, callback_reason)>;

    tx_fiber(const std::string &name, const std::string &kind,
             tx_db *database = tx_db::get_default_db())
        : name_(name), kind_(kind), database_(database), id_(ftr::detail::next_definition_id())
    {
        if (database && database->session().recorder) {
            session_ = &database->session();
            const ftr_status status =
                ftr_stream_define(session_->recorder, name.c_str(), kind.c_str(), &stream_);
            if (status != FTR_OK)
                ftr::detail::report_failure("stream", name.c_str(), status);
            if (status != FTR_OK || !ftr_stream_is_recorded(session_->recorder, stream_))
                session_ = &ftr::detail::off_session;
        }
        detail::callbacks_of<tx_fiber_class_cb>().call(*this, CREATE);
    }
    tx_fiber(const tx_fiber &) = delete;
    tx_fiber &operator=(const tx_fiber &) = delete;
    virtual ~tx_fiber() { detail::callbacks_of<tx_fiber_class_cb>().call(*this, DELETE); }

    static std::uint64_t register_class_cb(tx_fiber_class_cb callback)
    {
        return detail::callbacks_of<tx_fiber_class_cb>().add(std::move(callback));
    }
    static void unregister_class_cb(std::uint64_t id)
    {
        detail::callbacks_of<tx_fiber_class_cb>().remove(id);
    }

    const std::string &get_name() const { return name_; }
    const std::string &get_fiber_kind() const { return kind_; }
    std::uint64_t get_id() const { return id_; }
    const tx_db *get_tx_db() const { return database_; }

    /** Internal. If the stream is excluded, returns a session that records nothing. */
    ftr::detail::session &session() const { return *session_; }
    ftr_stream stream() const { return stream_; }

  private:
    const std::string name_;
    const std::string kind_;
    const tx_db *const database_;
    const std::uint64_t id_;
    ftr::detail::session *session_ = &ftr::detail::off_session;
    ftr_stream stream_ = 0;
};

} // namespace lwtr

#endif
