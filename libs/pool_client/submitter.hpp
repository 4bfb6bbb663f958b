// Submits tasks to a pool and waits for the answers, over its socket or by files. The shell around
// submit_connection, which decides. Every submission has an id, so that sending it again after a lost
// connection never makes it run twice. Does not retry tasks.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/directory_watch.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/submit_connection.hpp"
#include "pool_client/submit_traits.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/ids.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace pool_client {

using connection::Transport;

struct SubmitterOptions {
    Transport transport = Transport::automatic;
    // How long to look for a pool that is not served, in each search.
    std::chrono::milliseconds pool_wait{10'000};
    // Called once for each outage with a message for stderr; may be empty.
    std::function<void(const std::string& message)> on_outage;
    // Called when the pool's daemon is about to end and asks this process to host the pool in its place;
    // empty: this process can't.
    std::function<void()> on_host_request;
    // Called once for each set of labels that no agent of the pool has, or not all of them, so that
    // submissions wait; again after one of them was answered. The message is for stderr. Not called over
    // files. May be empty.
    std::function<void(const std::string& message)> on_unmatched;
    // Whether a submission that is answered `stopped` is sent to the next daemon; otherwise that is its
    // answer.
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

    // `content` is JSON text, which the agent gets. `id` must not be that of an open submission. Returns the
    // daemon's answer, or an error if the pool can't be reached within pool_wait (errc::host_unreachable), or
    // if the request file can't be written. If there are labels, and the daemon does not know labels, the
    // answer is Invalid. A terminal cancellation withdraws the submission and throws
    // operation_aborted, as Asio's own operations do.
    boost::asio::awaitable<base::Result<pool_protocol::Answer>> submit(pool_protocol::SubmissionId id,
                                                                       base::SplicedText content,
                                                                       SubmitTraits traits = {});

    // Does what submit() does, with a file that the daemon reads. `path` is absolute.
    boost::asio::awaitable<base::Result<pool_protocol::Answer>> submit_file(pool_protocol::SubmissionId id,
                                                                            std::string path,
                                                                            SubmitTraits traits = {});

    // Withdraws the submissions that no agent has: submit() returns errc::operation_canceled for them. Those
    // that no daemon has are withdrawn at once: they were not sent yet, or answered `stopped`. Of the others
    // the daemon tells, a moment later; but not over files, nor if it is a published one, and of what was
    // sent over a connection that was lost, nothing is known until there is another one. To be called when
    // nothing is submitted any more, and again from time to time: an agent may hand a task back.
    void withdraw_queued();

    // Whether the pool was there when it was last looked for, and has not been lost since.
    bool is_connected() const;

    // Waits until what was sent has left this process, at most 1 s, and closes the connection. No submission
    // may be open.
    boost::asio::awaitable<void> shutdown();

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace pool_client
