#include "recording.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

void report_list::report(void *user, ftr_severity severity, const char *message)
{
    auto *list = static_cast<report_list *>(user);
    const std::lock_guard<std::mutex> guard(list->mutex_);
    list->reports_.push_back({severity, message});
}

std::vector<reported> report_list::all() const
{
    const std::lock_guard<std::mutex> guard(mutex_);
    return reports_;
}

std::size_t report_list::count(const std::string &text) const
{
    std::size_t found = 0;
    for (const reported &one : all())
        found += one.message.find(text) != std::string::npos;
    return found;
}

recording::recording(ftr_recorder_options options) : path_(directory_.path("run.ftr"))
{
    if (options.floats == FTR_FLOATS_DOUBLE)
        check_options_ += " --floats double";
    if (options.numbering == FTR_NUMBERING_SPEC)
        json_options_ = " --numbering spec";
    check_options_ += json_options_;
    options.report = report_list::report;
    options.report_user = &reports_;
    if (ftr_recorder_open(path_.c_str(), &options, &recorder_) != FTR_OK)
        throw std::runtime_error("the recorder does not open");
    is_open_ = true;
}

recording::~recording()
{
    if (is_open_)
        close();
}

ftr_statistics recording::statistics() const
{
    ftr_statistics statistics = {};
    EXPECT_EQ(ftr_recorder_get_statistics(recorder_, &statistics), FTR_OK);
    return statistics;
}

ftr_stream recording::stream(const char *name, const char *kind)
{
    ftr_stream stream = 0;
    EXPECT_EQ(ftr_stream_define(recorder_, name, kind, &stream), FTR_OK);
    return stream;
}

ftr_generator recording::generator(ftr_stream stream, const char *name,
                                   const std::vector<ftr_attribute> &attributes)
{
    ftr_generator generator = 0;
    EXPECT_EQ(ftr_generator_define(recorder_, stream, name, attributes.data(), attributes.size(),
                                   &generator),
              FTR_OK);
    return generator;
}

ftr_status recording::close()
{
    is_open_ = false;
    return ftr_recorder_close(recorder_);
}

decoded_file recording::decoded()
{
    if (is_open_) {
        EXPECT_EQ(close(), FTR_OK);
    }
    // Ends out of order, and numbers beyond the viewers' limits, are intended in some tests.
    EXPECT_EQ(findings(path_, check_options_ + " --allow end-order,time-range,unsigned-range"),
              std::vector<std::string>{});
    return decode(path_, json_options_);
}

ftr_value boolean_value(bool value)
{
    ftr_value made = {};
    made.type = FTR_TYPE_BOOLEAN;
    made.as.boolean = value;
    return made;
}

ftr_value integer_value(std::int64_t value)
{
    ftr_value made = {};
    made.type = FTR_TYPE_INTEGER;
    made.as.integer = value;
    return made;
}

ftr_value number_value(ftr_type type, std::uint64_t value)
{
    ftr_value made = {};
    made.type = type;
    made.as.number = value;
    return made;
}

ftr_value real_value(ftr_type type, double value)
{
    ftr_value made = {};
    made.type = type;
    made.as.real = value;
    return made;
}

ftr_value text_value(ftr_type type, const char *text, std::size_t length)
{
    ftr_value made = {};
    made.type = type;
    made.text_length = length;
    made.as.text = text;
    return made;
}

ftr_value defined_value(ftr_type type, ftr_text text)
{
    ftr_value made = {};
    made.type = type;
    made.defined = text;
    return made;
}

ftr_value bytes_value(ftr_type type, const void *bytes, std::size_t size)
{
    ftr_value made = defined_value(type, FTR_BYTES);
    made.text_length = size;
    made.as.bytes = bytes;
    return made;
}
