/** @file
 *  Recorders, streams, kinds of relations, and texts. Included by <ftr/systemc.hpp>. */
#ifndef FTR_SYSTEMC_RECORDER_HPP
#define FTR_SYSTEMC_RECORDER_HPP

#include <string>

#include <ftr/recorder.h>
#include <ftr/detail/systemc_session.hpp>
#include <ftr/systemc_values.hpp>

namespace ftr
{

/** Options of a recorder that the model opens. The members are those of ftr_recorder_options. By
 *  default, the time scale is the kernel's resolution, and messages go to stderr. */
struct options : ftr_recorder_options {
    options() : ftr_recorder_options()
    {
        size = sizeof(ftr_recorder_options); // the size in the program, not in the adapter
        threads = 1;
        time_scale = FTR_TIME_SCALE_LATER;
    }
};

/** A recorder, which writes one file. The destructor closes the file. */
class recorder
{
  public:
    /** Opens @p path. On an error, a message is printed to stderr and nothing is recorded. */
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

    /** Returns the default recorder of this process (FTR_TRACE). The recorder is closed when the
     * process ends. */
    static recorder &standard()
    {
        static recorder &instance = *new recorder(); // never destroyed: users may outlive it
        return instance;
    }

    /** Returns true if recording has started successfully. */
    bool is_open() const { return session_->recorder != nullptr; }
    /** Returns the result of opening. */
    ftr_status status() const { return status_; }
    /** Switches recording off or on again; open transactions continue. */
    ftr_status set_recording(bool on) { return detail::switch_session(*session_, on); }
    ftr_status flush() { return is_open() ? ftr_recorder_flush(session_->recorder) : FTR_OK; }
    /** Marks the run as failed, see ftr_recorder_mark_failed(). ERROR and FATAL reports also do
     * this; for the default recorder, a nonzero exit status does so, too. */
    void mark_failed()
    {
        if (is_open())
            static_cast<void>(ftr_recorder_mark_failed(session_->recorder));
    }
    /** Writes the content of a flight recorder, see ftr_recorder_trigger(). ERROR and FATAL reports
     * also do this; for the default recorder, a nonzero exit status does so, too. */
    ftr_status trigger() { return is_open() ? ftr_recorder_trigger(session_->recorder) : FTR_OK; }
    /** Closes the file. @return FTR_OK, or the first failure of the recorder */
    ftr_status close() { return is_open() ? detail::close_session(*session_) : FTR_OK; }
    /** Returns statistics; all members are 0 if nothing is recorded. */
    ftr_statistics statistics() const
    {
        ftr_statistics counted{};
        if (is_open()) {
            detail::count_filtered(*session_);
            static_cast<void>(ftr_recorder_get_statistics(session_->recorder, &counted));
        }
        return counted;
    }
    /** Returns the handle for the functions of <ftr/recorder.h>; NULL if nothing is recorded. */
    ftr_recorder *handle() const { return session_->recorder; }

  private:
    friend class stream;
    friend class relation;
    friend class tlm_link;

    recorder() : session_(detail::default_session()), is_default_(true) {}

    ftr_status status_ = FTR_OK;
    detail::session *session_;
    bool is_default_ = false;
};

/** A stream of transactions. Copies refer to the same stream. */
class stream
{
  public:
    /** Creates an invalid stream: its transactions are not recorded. */
    stream() : session_(&detail::off_session), id_(0) {}
    /** Defines a stream of the default recorder. */
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
            detail::report_failure("stream", name.c_str(), status);
        if (status != FTR_OK || !ftr_stream_is_recorded(session_->recorder, id_))
            session_ = &detail::off_session;
    }

    /** Returns false if there is no recorder, or if FTR_INCLUDE or FTR_EXCLUDE excludes the
     * stream. */
    bool is_recorded() const { return session_->recorder != nullptr; }
    ftr_stream handle() const { return id_; }

  private:
    template <class... A> friend class generator;

    detail::session *session_;
    ftr_stream id_;
};

/** A kind of relation between transactions, for example `PARENT_CHILD`. */
class relation
{
  public:
    /** Creates an invalid kind: relations of this kind are not recorded. */
    relation() : session_(&detail::off_session), id_(0) {}
    explicit relation(const std::string &name) : relation(recorder::standard(), name) {}
    relation(recorder &rec, const std::string &name) : session_(rec.session_), id_(0)
    {
        if (!rec.is_open())
            return;
        const ftr_status status = ftr_relation_define(session_->recorder, name.c_str(), &id_);
        if (status != FTR_OK) {
            detail::report_failure("relation", name.c_str(), status);
            session_ = &detail::off_session;
        }
    }

    /** Relates two transactions. Each may be open or ended. */
    FTR_SC_INLINE ftr_status put(ftr_tx from, ftr_tx to) const
    {
        return session_->recorder ? ftr_relation_put(session_->recorder, id_, from, to) : FTR_OK;
    }

  private:
    detail::session *session_;
    ftr_relation id_;
};

/** A text that is put frequently as a STRING attribute of the same recorder. Putting it costs as
 * much as putting an integer. */
class known_text
{
  public:
    explicit known_text(const std::string &value) : known_text(recorder::standard(), value) {}
    known_text(recorder &rec, const std::string &value) : id_(0)
    {
        if (!rec.is_open())
            return;
        const ftr_status status = ftr_text_define(rec.handle(), value.data(), value.size(), &id_);
        if (status != FTR_OK)
            detail::report_failure("text", value.c_str(), status);
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
