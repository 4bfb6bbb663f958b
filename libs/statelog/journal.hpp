// Group commit: appends lines to the log and makes them durable according to the policy, without blocking the
// event loop. A helper thread writes. Handles bytes, not records.
#pragma once

#include "base/error.hpp"
#include "statelog/log_file.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace statelog {

// --fsync
enum class Fsync {
    always,    // every commit is synced to the disk before it returns
    interval,  // written when it returns; synced a second later
    never,     // written when it returns; synced whenever the kernel does it
};

// To be used from the executor's thread only. Create it after everything that forks, because it has a thread.
// The thread handles no signals. The executor has work only while a commit or close is pending.
class Journal {
  public:
    // `on_failure` is called on the executor's thread, at most once, for a failure that no commit() reports
    // at that time: that of a sync in the background.
    Journal(boost::asio::any_io_executor executor, LogFile file, Fsync policy,
            std::function<void(base::Error)> on_failure);
    // Does not sync, unless close() was called before. No call of the functions below may be pending.
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // Appends lines. Only one call at a time. A cancellation neither stops the call nor changes its result;
    // the caller's next co_await throws. (If the caller was cancelled before and has not reset its
    // cancellation state, this co_await throws, and nothing is written.) After the first error, every call
    // returns that error and writes nothing: a failed sync is never retried.
    boost::asio::awaitable<base::Result<void>> commit(std::string lines);

    // Syncs (not with `never`) and ends the thread. No commit() may follow. Returns the first error of the
    // journal, if any.
    boost::asio::awaitable<base::Result<void>> close();

  private:
    class Writer;
    std::shared_ptr<Writer> writer_;  // shared with the functions that it has posted
};

}  // namespace statelog
