// The meaning of the FTR_ variables, and the messages about invalid values.
#include <ftr/environment.h>

#include "recording.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
const char *const variables[] = {
    "FTR_TRACE",    "FTR_COMPRESS",    "FTR_INCLUDE",      "FTR_EXCLUDE",  "FTR_START",
    "FTR_STOP",     "FTR_FLOAT",       "FTR_TYPES",        "FTR_STRICT",   "FTR_VERBOSE",
    "FTR_RUN_INFO", "FTR_MAX_SIZE",    "FTR_MAX_FILES",    "FTR_KEEP",     "FTR_MODE",
    "FTR_INDEX",    "FTR_FLIGHT_SIZE", "FTR_FLIGHT_AFTER", "FTR_MIN_FREE", "FTR_BUFFERS"};

class Environment : public testing::Test
{
  protected:
    Environment() { clear(); }
    ~Environment() override { clear(); }

    static void clear()
    {
        for (const char *variable : variables)
            unsetenv(variable);
    }

    ftr_status read()
    {
        reports_ = std::make_unique<report_list>();
        return ftr_environment_read(&environment_, report_list::report, reports_.get());
    }

    void expect_read()
    {
        EXPECT_EQ(read(), FTR_OK);
        EXPECT_TRUE(reports_->all().empty());
    }

    // Expects that exactly this variable is rejected, with this message.
    void expect_refused(const char *variable, const char *value, const std::string &expected)
    {
        setenv(variable, value, 1);
        EXPECT_EQ(read(), FTR_ERR_ARGUMENT) << variable << "=" << value;
        ASSERT_EQ(reports_->all().size(), 1u) << variable << "=" << value;
        EXPECT_EQ(reports_->all()[0].message,
                  std::string(variable) + "=" + value + " is invalid: expected " + expected);
        EXPECT_EQ(reports_->all()[0].severity, FTR_SEVERITY_ERROR);
        unsetenv(variable);
        expect_read();
    }

    ftr_environment environment_;
    std::unique_ptr<report_list> reports_;
};

TEST_F(Environment, WithoutVariablesSetsTheDefaults)
{
    std::memset(&environment_, 0x5a, sizeof environment_);
    expect_read();
    EXPECT_STREQ(environment_.path, "");
    EXPECT_FALSE(environment_.strict);
    EXPECT_FALSE(environment_.verbose);
    EXPECT_TRUE(environment_.run_info);
    const ftr_recorder_options &options = environment_.options;
    EXPECT_EQ(options.threads, 1);
    EXPECT_EQ(options.compression, FTR_COMPRESSION_LZ4);
    EXPECT_EQ(options.floats, FTR_FLOATS_SINGLE);
    EXPECT_EQ(options.numbering, FTR_NUMBERING_DEPLOYED);
    EXPECT_EQ(options.include, nullptr);
    EXPECT_EQ(options.exclude, nullptr);
    EXPECT_EQ(options.start, nullptr);
    EXPECT_EQ(options.stop, nullptr);
    EXPECT_EQ(options.when_full, FTR_WHEN_FULL_WAIT);
    EXPECT_TRUE(options.report == report_list::report);
    EXPECT_EQ(options.report_user, reports_.get());
}

TEST_F(Environment, TreatsEmptyVariablesAsUnset)
{
    for (const char *variable : variables)
        setenv(variable, "", 1);
    expect_read();
    EXPECT_STREQ(environment_.path, "");
    EXPECT_TRUE(environment_.run_info);
    EXPECT_EQ(environment_.options.include, nullptr);
    EXPECT_EQ(environment_.options.start, nullptr);
}

TEST_F(Environment, TraceIsAPathPattern)
{
    setenv("FTR_TRACE", "out/100%%.ftr", 1);
    expect_read();
    EXPECT_STREQ(environment_.path, "out/100%.ftr");
    expect_refused("FTR_TRACE", "run%z.ftr",
                   "a path: %z.ftr is not a placeholder (%p %h %e %t %q{VAR} %%)");
    EXPECT_STREQ(environment_.path, "");
}

TEST_F(Environment, RefusesATracePathThatIsTooLong)
{
    setenv("FTR_TRACE", std::string(5000, 'x').c_str(), 1);
    EXPECT_EQ(read(), FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_->count("FTR_TRACE=xxx"), 1u);
    EXPECT_EQ(reports_->count("expected a path: it is longer than 4095 bytes"), 1u);
    EXPECT_STREQ(environment_.path, "");
}

TEST_F(Environment, SetsLimitsOfFiles)
{
    setenv("FTR_MAX_SIZE", "64K", 1);
    setenv("FTR_MAX_FILES", "10000", 1);
    setenv("FTR_MIN_FREE", "2G", 1);
    expect_read();
    EXPECT_EQ(environment_.options.max_size, 65536u);
    EXPECT_EQ(environment_.options.max_files, 10000u);
    EXPECT_EQ(environment_.options.min_free, std::uint64_t{2} << 30);
    setenv("FTR_MAX_SIZE", "100000", 1);
    setenv("FTR_MIN_FREE", "3M", 1);
    expect_read();
    EXPECT_EQ(environment_.options.max_size, 100000u);
    EXPECT_EQ(environment_.options.min_free, std::uint64_t{3} << 20);
}

TEST_F(Environment, KeepIsAlwaysOrOnError)
{
    expect_read();
    EXPECT_EQ(environment_.options.keep, FTR_KEEP_ALWAYS);
    setenv("FTR_KEEP", "on-error", 1);
    expect_read();
    EXPECT_EQ(environment_.options.keep, FTR_KEEP_ON_ERROR);
    expect_refused("FTR_KEEP", "never", "always or on-error");
}

TEST_F(Environment, IndexIsForLargeTracesAlwaysOrNever)
{
    expect_read();
    EXPECT_EQ(environment_.options.index, FTR_WRITE_INDEX_LARGE);
    setenv("FTR_INDEX", "auto", 1);
    expect_read();
    EXPECT_EQ(environment_.options.index, FTR_WRITE_INDEX_LARGE);
    setenv("FTR_INDEX", "always", 1);
    expect_read();
    EXPECT_EQ(environment_.options.index, FTR_WRITE_INDEX_ALWAYS);
    setenv("FTR_INDEX", "never", 1);
    expect_read();
    EXPECT_EQ(environment_.options.index, FTR_WRITE_INDEX_NEVER);
    expect_refused("FTR_INDEX", "0", "auto, always or never");
}

TEST_F(Environment, DefinesBuffers)
{
    expect_read();
    EXPECT_EQ(environment_.buffers, nullptr);
    setenv("FTR_BUFFERS", "irq=ring,1M,*.irq;bus=linear,8M,>file,bus.*", 1);
    expect_read();
    EXPECT_STREQ(environment_.buffers, "irq=ring,1M,*.irq;bus=linear,8M,>file,bus.*");
    setenv("FTR_BUFFERS", "irq=round,1M,*.irq", 1);
    EXPECT_EQ(read(), FTR_ERR_ARGUMENT);
    ASSERT_EQ(reports_->all().size(), 1u);
    EXPECT_EQ(reports_->all()[0].message,
              "FTR_BUFFERS=irq=round,1M,*.irq is invalid: buffer irq: its kind is 'round'; "
              "expected ring or linear");
}

TEST_F(Environment, RunInfoCanOmitTheArguments)
{
    const struct {
        const char *value;
        bool info;
        bool arguments;
    } cases[] = {
        {"", true, true}, {"1", true, true}, {"0", false, false}, {"no-arguments", true, false}};
    for (const auto &one : cases) {
        setenv("FTR_RUN_INFO", one.value, 1);
        expect_read();
        EXPECT_EQ(environment_.run_info, one.info) << one.value;
        EXPECT_EQ(environment_.run_arguments, one.arguments) << one.value;
    }
    expect_refused("FTR_RUN_INFO", "2", "0, 1 or no-arguments");
}

TEST_F(Environment, WarnsOfAMisspeltVariable)
{
    setenv("FTR_INCLUD", "x", 1);
    EXPECT_EQ(read(), FTR_OK);
    ASSERT_EQ(reports_->all().size(), 1u);
    EXPECT_EQ(reports_->all()[0].message,
              "FTR_INCLUD is not a variable of ftr and has no effect; FTR_INCLUDE is one");
    EXPECT_EQ(reports_->all()[0].severity, FTR_SEVERITY_WARNING);
    unsetenv("FTR_INCLUD");
    setenv("FTR_OF_ANOTHER_PROGRAM", "x", 1);
    expect_read();
    unsetenv("FTR_OF_ANOTHER_PROGRAM");
}

TEST_F(Environment, WarnsOfAMisspeltVariableWithoutTrace)
{
    const auto warn = [this] {
        ftr_environment_warn_of_misspelt_trace(report_list::report, reports_.get());
    };
    reports_ = std::make_unique<report_list>();
    setenv("FTR_INCLUD", "x", 1);
    setenv("FTR_OF_ANOTHER_PROGRAM", "x", 1);
    warn();
    EXPECT_EQ(reports_->all().size(), 0u);
    setenv("FTR_TRACES", "run.ftr", 1);
    warn();
    ASSERT_EQ(reports_->all().size(), 1u);
    EXPECT_EQ(reports_->all()[0].message,
              "FTR_TRACES is not a variable of ftr and has no effect; FTR_TRACE is one");
    EXPECT_EQ(ftr_default_recorder(0, report_list::report, reports_.get()), nullptr);
    EXPECT_EQ(reports_->all().size(), 2u);
    unsetenv("FTR_TRACES");
    setenv("FTR_SUMARY", "run.fts", 1);
    warn();
    ASSERT_EQ(reports_->all().size(), 3u);
    EXPECT_EQ(reports_->all()[2].message,
              "FTR_SUMARY is not a variable of ftr and has no effect; FTR_SUMMARY is one");
    for (const char *variable : {"FTR_INCLUD", "FTR_OF_ANOTHER_PROGRAM", "FTR_SUMARY"})
        unsetenv(variable);
}

TEST_F(Environment, RefusesAHyphenAsTrace)
{
    expect_refused("FTR_TRACE", "-",
                   "a path: stdout is the program's, and ./- is a file with this name");
    EXPECT_STREQ(environment_.path, "");
}

// Run by the next test, in a copy of this program with another group than its caller.
TEST_F(Environment, DISABLED_InASetuidProgram)
{
    if (getauxval(AT_SECURE) == 0)
        _exit(77);
    // gtest's own variables are removed, too, so the value must be set here.
    setenv("FTR_TRACE", "never.ftr", 1);
    const bool is_read = read() == FTR_OK && environment_.path[0];
    _exit(is_read || ftr_default_recorder(0, nullptr, nullptr) ? 1 : 0);
}

TEST_F(Environment, IsIgnoredInASetuidProgram)
{
    scratch_directory directory;
    const std::string copy = directory.path("copy");
    std::filesystem::copy_file("/proc/self/exe", copy);
    if (chown(copy.c_str(), static_cast<uid_t>(-1), getegid() + 1) != 0 ||
        chmod(copy.c_str(), 02755) != 0)
        GTEST_SKIP() << "needs a second group";
    const std::string command = copy + " --gtest_also_run_disabled_tests "
                                       "--gtest_filter='*DISABLED_InASetuidProgram' >/dev/null";
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        GTEST_SKIP() << "set-group-ID has no effect on this file system";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Environment, SetsSizeAndTimeOfTheFlightRecorder)
{
    setenv("FTR_MODE", "flight", 1);
    setenv("FTR_FLIGHT_SIZE", "16M", 1);
    setenv("FTR_FLIGHT_AFTER", "5 us", 1);
    expect_read();
    EXPECT_EQ(environment_.options.mode, FTR_MODE_FLIGHT);
    EXPECT_EQ(environment_.options.flight_size, std::uint64_t{16} << 20);
    EXPECT_STREQ(environment_.options.flight_after, "5 us");
    expect_refused("FTR_MODE", "ring", "file or flight");
    for (const char *value : {"1023K", "3G", "0"})
        expect_refused("FTR_FLIGHT_SIZE", value, "bytes, 1M to 2G; K, M, G and T may follow");
    expect_refused("FTR_FLIGHT_AFTER", "5 days", "a simulated time such as \"10 us\"");
}

TEST_F(Environment, RefusesInvalidLimits)
{
    const std::string size = "bytes, at least 64K; K, M, G and T may follow";
    for (const char *value :
         {"63K", "1MB", "M", "-1", "64KK", "18446744073709551616", "99999999999G"})
        expect_refused("FTR_MAX_SIZE", value, size);
    expect_refused("FTR_MIN_FREE", "0", "bytes, at least 1; K, M, G and T may follow");
    setenv("FTR_MAX_SIZE", "1M", 1);
    for (const char *value : {"1", "0", "10001", "two", "3x", "-2"})
        expect_refused("FTR_MAX_FILES", value, "a number of files, 2 to 10000");
    unsetenv("FTR_MAX_SIZE");
    expect_refused("FTR_MAX_FILES", "3", "FTR_MAX_SIZE, the maximum size of each file");
}

TEST_F(Environment, CompressSelectsMethodAndLevel)
{
    const struct {
        const char *value;
        ftr_compression compression;
        int level;
    } cases[] = {{"lz4", FTR_COMPRESSION_LZ4, 0},       {"lz4hc", FTR_COMPRESSION_LZ4HC, 0},
                 {"lz4hc:1", FTR_COMPRESSION_LZ4HC, 1}, {"lz4hc:12", FTR_COMPRESSION_LZ4HC, 12},
                 {"none", FTR_COMPRESSION_NONE, 0},     {"meta", FTR_COMPRESSION_META, 0}};
    for (const auto &one : cases) {
        setenv("FTR_COMPRESS", one.value, 1);
        expect_read();
        EXPECT_EQ(environment_.options.compression, one.compression) << one.value;
        EXPECT_EQ(environment_.options.compression_level, one.level) << one.value;
    }
    for (const char *value : {"zip", "LZ4", "lz4hc:", "lz4hc:0", "lz4hc:13", "lz4hc:9x", "lz4hc:-1",
                              "lz4hc: 9", "lz4hc:+9", "lz4:3", "lz4 "})
        expect_refused("FTR_COMPRESS", value, "lz4, lz4hc, lz4hc:LEVEL (1 to 12), none or meta");
}

TEST_F(Environment, FloatSelectsTheFormOfFloats)
{
    const struct {
        const char *value;
        ftr_floats floats;
    } cases[] = {
        {"single", FTR_FLOATS_SINGLE}, {"double", FTR_FLOATS_DOUBLE}, {"text", FTR_FLOATS_TEXT}};
    for (const auto &one : cases) {
        setenv("FTR_FLOAT", one.value, 1);
        expect_read();
        EXPECT_EQ(environment_.options.floats, one.floats);
    }
    expect_refused("FTR_FLOAT", "half", "single, double or text");
}

TEST_F(Environment, TypesSelectsTheNumbering)
{
    setenv("FTR_TYPES", "text", 1);
    expect_read();
    EXPECT_EQ(environment_.options.numbering, FTR_NUMBERING_SPEC);
    setenv("FTR_TYPES", "deployed", 1);
    expect_read();
    EXPECT_EQ(environment_.options.numbering, FTR_NUMBERING_DEPLOYED);
    expect_refused("FTR_TYPES", "Text", "deployed or spec");
}

TEST_F(Environment, SetsFiltersAndTimeWindow)
{
    setenv("FTR_INCLUDE", "top.cpu*", 1);
    setenv("FTR_EXCLUDE", "*_dmi", 1);
    setenv("FTR_START", "10 us", 1);
    setenv("FTR_STOP", "1.5ms", 1);
    expect_read();
    EXPECT_STREQ(environment_.options.include, "top.cpu*");
    EXPECT_STREQ(environment_.options.exclude, "*_dmi");
    EXPECT_STREQ(environment_.options.start, "10 us");
    EXPECT_STREQ(environment_.options.stop, "1.5ms");
}

TEST_F(Environment, StartAndStopAreSimulatedTimes)
{
    expect_refused("FTR_START", "1.5", "a simulated time such as \"10 us\"");
    EXPECT_EQ(environment_.options.start, nullptr);
    expect_refused("FTR_STOP", "later", "a simulated time such as \"10 us\"");
}

TEST_F(Environment, WarnsOfTimesWithoutAUnit)
{
    for (const char *variable : {"FTR_START", "FTR_STOP", "FTR_FLIGHT_AFTER"}) {
        setenv(variable, "10", 1);
        EXPECT_EQ(read(), FTR_OK);
        EXPECT_EQ(reports_->all().size(), 1u);
        EXPECT_EQ(reports_->count(std::string(variable) + "=10 has no unit: taken as ticks"), 1u);
        setenv(variable, "0", 1);
        expect_read();
        unsetenv(variable);
    }
}

TEST_F(Environment, TypesSpecIsThePublishedNumbering)
{
    for (const char *name : {"spec", "text"}) {
        setenv("FTR_TYPES", name, 1);
        expect_read();
        EXPECT_EQ(environment_.options.numbering, FTR_NUMBERING_SPEC);
    }
    expect_refused("FTR_TYPES", "published", "deployed or spec");
}

TEST_F(Environment, SwitchesAre0Or1)
{
    const struct {
        const char *variable;
        bool ftr_environment::*member;
    } cases[] = {{"FTR_STRICT", &ftr_environment::strict},
                 {"FTR_VERBOSE", &ftr_environment::verbose}};
    for (const auto &one : cases) {
        setenv(one.variable, "1", 1);
        expect_read();
        EXPECT_TRUE(environment_.*one.member) << one.variable;
        setenv(one.variable, "0", 1);
        expect_read();
        EXPECT_FALSE(environment_.*one.member) << one.variable;
        for (const char *value : {"yes", "2", "true", "01"})
            expect_refused(one.variable, value, "0 or 1");
    }
}

TEST_F(Environment, ReportsEachInvalidValueOnce)
{
    setenv("FTR_FLOAT", "half", 1);
    setenv("FTR_COMPRESS", "zip", 1);
    setenv("FTR_STOP", "soon", 1);
    EXPECT_EQ(read(), FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_->all().size(), 3u);
    for (const char *start : {"FTR_FLOAT=half ", "FTR_COMPRESS=zip ", "FTR_STOP=soon "})
        EXPECT_EQ(reports_->count(start), 1u) << start;
}

TEST_F(Environment, ReportsInvalidValuesOfAnyLength)
{
    setenv("FTR_FLOAT", std::string(100000, 'f').c_str(), 1);
    EXPECT_EQ(read(), FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_->count("expected single, double or text"), 1u);
}

TEST_F(Environment, ReportCallbackIsOptional)
{
    setenv("FTR_FLOAT", "half", 1);
    EXPECT_EQ(ftr_environment_read(&environment_, nullptr, nullptr), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_environment_read(nullptr, nullptr, nullptr), FTR_ERR_ARGUMENT);
}
} // namespace
