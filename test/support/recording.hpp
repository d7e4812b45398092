// A recorder with a file of its own, and its messages.
#ifndef FTR_TEST_RECORDING_HPP
#define FTR_TEST_RECORDING_HPP

#include "decoded_file.hpp"
#include "scratch_directory.hpp"

#include <ftr/recorder.h>

#include <mutex>
#include <string>
#include <vector>

struct reported {
    ftr_severity severity;
    std::string message;
};

// Stores the messages of a recorder; pass report and this as report_user.
class report_list
{
  public:
    static void report(void *user, ftr_severity severity, const char *message);
    std::vector<reported> all() const;
    // Returns the number of messages that contain @p text.
    std::size_t count(const std::string &text) const;

  private:
    mutable std::mutex mutex_;
    std::vector<reported> reports_;
};

class recording
{
  public:
    // Opens the recorder; throws if that fails. Most tests use options without a clock and with
    // threads = 0, so that nothing depends on time.
    explicit recording(ftr_recorder_options options = {});
    ~recording();
    recording(const recording &) = delete;
    recording &operator=(const recording &) = delete;

    ftr_recorder *get() const { return recorder_; }
    operator ftr_recorder *() const { return recorder_; }
    const std::string &path() const { return path_; }
    const report_list &reports() const { return reports_; }
    ftr_statistics statistics() const;

    ftr_stream stream(const char *name, const char *kind = nullptr);
    ftr_generator generator(ftr_stream stream, const char *name,
                            const std::vector<ftr_attribute> &attributes = {});

    ftr_status close();

    // Closes the recorder, expects a file without findings, and decodes it.
    decoded_file decoded();

  private:
    scratch_directory directory_;
    std::string path_;
    report_list reports_;
    ftr_recorder *recorder_ = nullptr;
    std::string check_options_;
    std::string json_options_;
    bool is_open_ = false;
};

// Return values of every kind.
ftr_value boolean_value(bool value);
ftr_value integer_value(std::int64_t value);
ftr_value number_value(ftr_type type, std::uint64_t value);
ftr_value real_value(ftr_type type, double value);
ftr_value text_value(ftr_type type, const char *text, std::size_t length = FTR_NUL_TERMINATED);
ftr_value defined_value(ftr_type type, ftr_text text);
ftr_value bytes_value(ftr_type type, const void *bytes, std::size_t size);

#endif
