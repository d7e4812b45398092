// A sink that stores the bytes written to it, and can be made to fail.
#ifndef FTR_TEST_MEMORY_SINK_HPP
#define FTR_TEST_MEMORY_SINK_HPP

#include <ftr/recorder.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

class memory_sink
{
  public:
    const ftr_sink *sink() const { return &sink_; }

    std::string bytes() const
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        return bytes_;
    }
    // Returns the number of bytes of each write.
    std::vector<std::size_t> writes() const
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        return writes_;
    }
    int closed() const { return closed_; }

    // The write with this number, from 1, returns @p error (a negated errno, or 0); if @p for_good,
    // all later ones, too. With @p taken it accepts this many bytes first, and the next write
    // fails.
    void fail_at(std::size_t number, std::int64_t error, bool for_good, std::size_t taken = 0)
    {
        fail_at_ = number;
        error_ = error;
        for_good_ = for_good;
        taken_ = taken;
    }
    // Maximum number of bytes accepted in one write; 0: no limit.
    void take_at_most(std::size_t size) { at_most_ = size; }
    // Every second write is interrupted.
    void interrupt() { interrupts_ = true; }
    void fail_close(int error) { close_error_ = error; }

  private:
    std::int64_t write(const char *data, std::size_t size)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        ++calls_;
        if (interrupts_ && calls_ % 2 == 1)
            return -EINTR;
        if (calls_ == fail_at_ && taken_ > 0 && taken_ < size) {
            size = taken_;
            ++fail_at_;
            taken_ = 0;
        } else if (calls_ == fail_at_ || (for_good_ && calls_ > fail_at_)) {
            return error_;
        }
        if (at_most_ && size > at_most_)
            size = at_most_;
        bytes_.append(data, size);
        writes_.push_back(size);
        return std::int64_t(size);
    }

    ftr_sink sink_ = {this,
                      [](void *user, const void *data, std::size_t size) {
                          return static_cast<memory_sink *>(user)->write(
                              static_cast<const char *>(data), size);
                      },
                      [](void *user) {
                          auto *self = static_cast<memory_sink *>(user);
                          ++self->closed_;
                          return self->close_error_;
                      }};
    mutable std::mutex mutex_;
    std::string bytes_;
    std::vector<std::size_t> writes_;
    std::size_t calls_ = 0;
    std::size_t fail_at_ = 0;
    std::int64_t error_ = 0;
    bool for_good_ = false;
    std::size_t taken_ = 0;
    std::size_t at_most_ = 0;
    bool interrupts_ = false;
    int close_error_ = 0;
    int closed_ = 0;
};

#endif
