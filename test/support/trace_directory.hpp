// A directory with traces and journals of runs that ended or were killed.
#ifndef FTR_TEST_TRACE_DIRECTORY_HPP
#define FTR_TEST_TRACE_DIRECTORY_HPP

#include "fork_at_rest.hpp"
#include "killed_process.hpp"
#include "recording.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

class trace_directory : public testing::Test
{
  protected:
    trace_directory()
    {
        options_.report = report_list::report;
        options_.report_user = &reports_;
    }

    // Records transactions with begins from @p first on. The exit status is the result.
    int record(std::uint64_t first, std::uint64_t count, bool closes = true)
    {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        if (ftr_recorder_open(asked_.c_str(), &options_, &rec) != FTR_OK)
            return 2;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        if (ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK)
            return 3;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t n = first + i;
            const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
            const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
            if (ftr_tx_record(rec, generator, n, n, &value, 1, nullptr) != FTR_OK)
                return 4;
            if (i == count / 2)
                static_cast<void>(ftr_recorder_flush(rec));
        }
        return closes ? (ftr_recorder_close(rec) == FTR_OK ? 0 : 5) : 0;
    }

    pid_t crash(std::uint64_t first, std::uint64_t count)
    {
        return killed_process([&] {
            if (record(first, count, false) != 0)
                _exit(1);
        });
    }

    static pid_t in_child(const std::function<int()> &body)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0)
            _exit(body());
        return child;
    }

    static int status_of(pid_t child, int options = 0)
    {
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, options), child);
        return status;
    }

    // Returns the names in the directory of the trace, or in a directory inside it.
    std::set<std::string> names(const std::string &directory = "") const
    {
        std::set<std::string> found;
        for (const auto &entry : std::filesystem::directory_iterator(directory_.path(directory)))
            found.insert(entry.path().filename().string());
        return found;
    }

    // Returns the begins of the transactions in all traces of the directory; duplicates are
    // reported.
    std::multiset<std::uint64_t> recorded() const
    {
        std::vector<std::string> paths;
        for (const std::string &name : names()) {
            if (name.size() > 4 && name.substr(name.size() - 4) == ".ftr" &&
                std::filesystem::file_size(directory_.path(name)) > 0)
                paths.push_back(directory_.path(name));
        }
        std::multiset<std::uint64_t> begins;
        for (const auto &file : decode_all(paths)) {
            for (const decoded_transaction &tx : file.second.transactions)
                begins.insert(tx.begin);
        }
        return begins;
    }

    static std::multiset<std::uint64_t> range(std::uint64_t first, std::uint64_t count)
    {
        std::multiset<std::uint64_t> begins;
        for (std::uint64_t i = 0; i < count; ++i)
            begins.insert(begins.end(), first + i);
        return begins;
    }

    static mode_t mode_of(const std::string &path)
    {
        struct stat about = {};
        EXPECT_EQ(lstat(path.c_str(), &about), 0) << path;
        return about.st_mode & 07777;
    }

    std::string recovered_name(pid_t pid) const
    {
        return directory_.path("run-" + std::to_string(pid) + ".ftr");
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder_options options_{};
    const std::string path_ = directory_.path("run.ftr");
    std::string asked_ = path_; // the path passed to the recorder
};

#endif
