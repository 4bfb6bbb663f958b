// Submits tasks to a pool and waits for the answers, over its socket or over files. Every submission has an
// id, so that asking again after a lost connection never makes it run twice. Does no retry of its own
// beyond that.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/directory_watch.hpp"
#include "pool_client/new_id.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace pool_client {

enum class Transport {
    automatic,  // socket; files if the sandbox denies the socket
    socket,
    file,
};

struct SubmitterOptions {
    Transport transport = Transport::automatic;
    // How long a pool that is not there (yet, or any more) is waited for, each time.
    std::chrono::milliseconds pool_wait{10'000};
    // Told once for each outage, for a line on stderr; may be empty.
    std::function<void(const std::string& message)> on_outage;
    // The pool's daemon is about to end, and asks this submitter's process to host the pool in its place;
    // empty: it can't.
    std::function<void()> on_host_request;
    // Whether a submission that the pool answers with `stopped` is kept and submitted again when the pool is
    // back, rather than answered `stopped`.
    bool outlive_pool = false;
};

// All calls from the executor's thread. Any number of submissions at once. End it with shutdown().
class Submitter {
  public:
    Submitter(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
              pool_protocol::PoolDirectory directory, SubmitterOptions options);
    ~Submitter();
    Submitter(const Submitter&) = delete;
    Submitter& operator=(const Submitter&) = delete;

    // `content` is JSON text: what the agent gets. Returns the daemon's answer; an error only when the pool
    // can't be reached within pool_wait (code errc::host_unreachable) or the request can't be written. A
    // terminal cancellation withdraws the submission and throws operation_aborted, as Asio's own operations
    // do.
    boost::asio::awaitable<base::Result<pool_protocol::Answer>> submit(std::string id,
                                                                       base::SplicedText content);

    // The same with `path` (absolute) for a file that the daemon reads itself.
    boost::asio::awaitable<base::Result<pool_protocol::Answer>> submit_file(std::string id, std::string path);

    // Whether the pool was there when it was last looked for, and has not gone away since.
    bool is_connected() const;

    // Ends all that still waits and closes the connection.
    boost::asio::awaitable<void> shutdown();

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace pool_client
