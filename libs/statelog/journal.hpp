// Group commit: lines go into the log, and are as durable as the policy says, without the event loop ever
// waiting for the disk. A helper thread does the writing. Knows bytes, not records.
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
    always,    // every commit is on the disk before it returns
    interval,  // written when it returns; on the disk a second later
    never,     // written when it returns; on the disk when the kernel sees fit
};

// All calls from the executor's thread. Start it after everything that forks: it has a thread, which takes no
// signals. Only a commit or a close under way is work for the executor.
class Journal {
  public:
    // `on_failure` is told, in the executor's thread and at most once, of a failure that no commit() reports
    // at the time: that of a sync in the background.
    Journal(boost::asio::any_io_executor executor, LogFile file, Fsync policy,
            std::function<void(base::Error)> on_failure);
    // Without close() before, nothing is synced here. None of the calls below may be under way.
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // One at a time: the next after this one has returned. Cancellation does not stop it, and takes no result
    // from it; it is the caller's next co_await that throws then. (Of a caller that was cancelled before, and
    // has not reset its cancellation state, the co_await of this one throws, and nothing is written.) After
    // the first error every call returns that error and writes nothing: a failed sync is never tried again.
    boost::asio::awaitable<base::Result<void>> commit(std::string lines);

    // The last sync (not with `never`) and the end of the thread. Nothing may be committed afterwards.
    // Returns the first error there ever was, if any.
    boost::asio::awaitable<base::Result<void>> close();

  private:
    class Writer;
    std::shared_ptr<Writer> writer_;  // shared with what it has posted to the executor
};

}  // namespace statelog
