// Limits the number of local processes that run at once. Waiters are served by their priorities, and in the
// order in which they came.
// Starts no process itself.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace runner {

class Jobs;

// The right to run one local process. Its destructor releases it. Must not outlive its Jobs.
class Job {
  public:
    Job() = default;
    Job(Job&& other) noexcept : jobs_(std::exchange(other.jobs_, nullptr)) {}
    Job& operator=(Job&& other) noexcept {
        std::swap(jobs_, other.jobs_);
        return *this;
    }
    ~Job() { release(); }

    explicit operator bool() const { return jobs_ != nullptr; }
    void release();

  private:
    friend class Jobs;
    explicit Job(Jobs* jobs) : jobs_(jobs) {}
    Jobs* jobs_ = nullptr;
};

// All calls from the executor's thread.
class Jobs {
  public:
    // `on_free` is called when a job has become free and nobody waits for one.
    Jobs(boost::asio::any_io_executor executor, std::size_t limit, std::function<void()> on_free);
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    // `limit` is at least 1. If more are taken at the moment, none is given until enough of them are
    // released.
    void set_limit(std::size_t limit);

    // An empty Job if all are taken.
    Job try_acquire();

    // Waits until one is free; of those who wait, the highest `priority` gets it first. A terminal
    // cancellation throws operation_aborted.
    boost::asio::awaitable<Job> acquire(std::int32_t priority = 0);

  private:
    friend class Job;
    struct Waiter {
        boost::asio::steady_timer granted_timer;  // cancelled when granted
        bool granted = false;
    };

    void free_one();
    void give_free();

    boost::asio::any_io_executor executor_;
    std::size_t limit_;
    std::size_t taken_ = 0;
    std::function<void()> on_free_;
    std::multimap<std::int32_t, Waiter*, std::greater<>> waiters_;  // by priority
};

}  // namespace runner
