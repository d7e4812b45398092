// Runs that record at full speed until they are killed, and the transactions that must be in the
// recovered files.
#ifndef FTR_TEST_KILLED_RUN_HPP
#define FTR_TEST_KILLED_RUN_HPP

#include "decoded_file.hpp"
#include "scratch_directory.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

inline constexpr std::size_t ended_max = 1u << 20;
inline constexpr int open_at_once = 1000;

// Progress of a child in shared memory, so that reporting is fast and works up to the moment of the
// kill.
struct told {
    std::atomic<bool> is_ready;
    std::atomic<std::uint64_t> ended;
    struct {
        std::uint64_t id;
        std::uint64_t begin;
        std::uint64_t end;
    } transactions[ended_max];
};

class shared_told
{
  public:
    shared_told()
        : told_(static_cast<told *>(mmap(nullptr, sizeof(told), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
    }
    ~shared_told() { munmap(told_, sizeof(told)); }
    told *operator->() const { return told_; }
    told &operator*() const { return *told_; }

  private:
    told *told_;
};

// Runs @p body in a child; returns its pid.
inline pid_t in_child(const std::function<void()> &body)
{
    pid_t pid = fork();
    if (pid == 0) {
        body();
        _exit(0);
    }
    return pid;
}

inline int wait_for(pid_t pid)
{
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
}

inline std::uint64_t begin_of(std::uint64_t n)
{
    return n * 1000 + 7;
}

// Records endlessly: 1000 transactions are open at any time, each with its begin as an attribute
// and one unique text, ended out of order, related to the previous one.
inline void record_at_full_speed(const std::string &path, ftr_compression compression, told &told,
                                 std::uint64_t limit = UINT64_MAX)
{
    ftr_recorder_options options{};
    options.threads = 1;
    options.compression = compression;
    ftr_recorder *rec = nullptr;
    ftr_stream streams[4];
    ftr_generator generators[4];
    ftr_relation relation;
    const ftr_attribute attributes[] = {{"began", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
                                        {"text", FTR_TYPE_STRING, FTR_CLASS_END}};
    if (ftr_recorder_open(path.c_str(), &options, &rec) != FTR_OK ||
        ftr_relation_define(rec, "after", &relation) != FTR_OK)
        _exit(3);
    for (int i = 0; i < 4; ++i) {
        std::string name = "top.s" + std::to_string(i);
        if (ftr_stream_define(rec, name.c_str(), "kind", &streams[i]) != FTR_OK ||
            ftr_generator_define(rec, streams[i], "g", attributes, 2, &generators[i]) != FTR_OK)
            _exit(4);
    }
    static ftr_tx open[open_at_once];
    static std::uint64_t begins[open_at_once];
    ftr_tx last{};
    std::mt19937_64 random(42);
    for (std::uint64_t n = 0; n < limit; ++n) {
        std::size_t i = n < open_at_once ? n : random() % open_at_once;
        if (n >= open_at_once) {
            std::uint64_t end = begin_of(n);
            std::string text = "text " + std::to_string(open[i].id);
            ftr_tx_put_text(rec, open[i], 1, text.c_str(), FTR_NUL_TERMINATED);
            std::uint64_t id = open[i].id;
            if (ftr_tx_end(rec, open[i], end) != FTR_OK)
                _exit(5);
            std::uint64_t count = told.ended.load(std::memory_order_relaxed);
            if (count < ended_max) {
                told.transactions[count].id = id;
                told.transactions[count].begin = begins[i];
                told.transactions[count].end = end;
                told.ended.store(count + 1, std::memory_order_release);
            }
        }
        begins[i] = begin_of(n);
        if (ftr_tx_begin(rec, generators[n % 4], begins[i], &open[i]) != FTR_OK ||
            ftr_tx_put_number(rec, open[i], 0, begins[i]) != FTR_OK)
            _exit(6);
        if (n > 0 && n % 8 == 0)
            (void)ftr_relation_put(rec, relation, last, open[i]);
        last = open[i];
        if (n == open_at_once)
            told.is_ready.store(true, std::memory_order_release);
    }
    std::abort();
}

inline void expect_everything_that_ended(const told &told, const decoded_file &file)
{
    std::map<std::uint64_t, const decoded_transaction *> by_id;
    std::size_t unfinished = 0;
    for (const decoded_transaction &tx : file.transactions) {
        EXPECT_TRUE(by_id.emplace(tx.id, &tx).second) << tx.id << " is there twice";
        bool is_unfinished = false;
        for (const decoded_attribute &attribute : tx.attributes)
            is_unfinished |= attribute.name == "unfinished";
        unfinished += is_unfinished;
        if (!is_unfinished) {
            EXPECT_EQ(tx.value("text"), "text " + std::to_string(tx.id));
            EXPECT_EQ(tx.value("began"), tx.begin);
        }
    }
    std::uint64_t ended = told.ended.load();
    for (std::uint64_t i = 0; i < ended; ++i) {
        auto found = by_id.find(told.transactions[i].id);
        ASSERT_NE(found, by_id.end()) << told.transactions[i].id << " had ended and is missing";
        ASSERT_EQ(found->second->begin, told.transactions[i].begin);
        ASSERT_EQ(found->second->end, told.transactions[i].end);
    }
    // One may be between end and begin.
    EXPECT_GE(unfinished, std::size_t{open_at_once} - 1);
    EXPECT_LE(unfinished, std::size_t{open_at_once});
    // The call that the kill interrupted may have ended one transaction that was not reported yet.
    EXPECT_LE(file.transactions.size(), ended + open_at_once + 1);
}

// The directories of two file systems, if there are two.
inline std::vector<std::string> places()
{
    std::vector<std::string> found = {std::filesystem::temp_directory_path().string()};
    if (std::filesystem::is_directory("/dev/shm"))
        found.push_back("/dev/shm");
    return found;
}

// Recovers with several threads, and with one thread to the same bytes.
inline ftr_recovery recover(const std::string &trace, const std::string &out)
{
    const std::string journal = trace + ".journal";
    const std::string again = out + ".again";
    ftr_recovery found{};
    ftr_recovery_options options{};
    options.threads = 3;
    EXPECT_EQ(ftr_recovery_run_with(journal.c_str(), nullptr, out.c_str(), &options, &found),
              FTR_OK)
        << found.message;
    options.threads = 1;
    ftr_recovery alone{};
    EXPECT_EQ(ftr_recovery_run_with(journal.c_str(), nullptr, again.c_str(), &options, &alone),
              FTR_OK)
        << alone.message;
    EXPECT_TRUE(contents_of(out) == contents_of(again));
    EXPECT_EQ(found.transactions, alone.transactions);
    EXPECT_EQ(found.lost, alone.lost);
    std::filesystem::remove(again);
    return found;
}

// Returns the pid of a run that was killed after a while.
inline pid_t killed_run(const std::string &trace, told &told)
{
    pid_t pid = in_child([&] { record_at_full_speed(trace, FTR_COMPRESSION_LZ4, told); });
    while (told.ended.load(std::memory_order_acquire) < 3000)
        std::this_thread::yield();
    kill(pid, SIGKILL);
    wait_for(pid);
    return pid;
}

#endif
