// The request and response files in submissions/, and the answers that could not be written to the disk yet.
// Makes no decisions.
#pragma once

#include "pool/delivery.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/messages.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pool_daemon {

class SubmissionFiles {
  public:
    SubmissionFiles(const PoolFiles& files, std::size_t max_message_bytes)
        : files_(files), max_message_bytes_(max_message_bytes) {}

    bool has_request(const pool::SubmissionId& id) const;
    base::Result<pool_protocol::Request> read_request(const pool::SubmissionId& id) const;
    // The content of a request, moved out of it or read from the file that it names. The message of an error
    // is suitable for a submitter.
    base::Result<std::string> load_content(pool_protocol::Request& request) const;

    // Whether there is a valid response. A file that another program has put there does not count, and is
    // replaced.
    bool is_answered(const pool::SubmissionId& id) const;
    // The answer in the response file, if it may be given again.
    std::optional<pool_protocol::Answer> kept_answer(const pool::SubmissionId& id) const;
    // The time since the response was written; negative if the system clock was set back. 0 if there is no
    // response.
    std::chrono::nanoseconds response_age(const pool::SubmissionId& id) const;
    void remove_response(const pool::SubmissionId& id);

    // A request file with a response file.
    struct Unfetched {
        std::chrono::nanoseconds age{};  // since the later of the two was written; negative as above
        bool is_held = false;            // a process holds a lock on the request file
    };
    // Nothing if one of the two is not there.
    std::optional<Unfetched> unfetched(const pool::SubmissionId& id) const;
    // Removes both, the request first. No effect if the response is none, see is_answered().
    void remove_unfetched(const pool::SubmissionId& id);

    // Returns false and logs a warning if the write failed.
    bool write_response(const pool::SubmissionId& id, std::string_view answer_json) const;
    // Does what write_response() does; after a failure the answer is kept, and unwritten() returns it.
    bool write_or_keep(const pool::SubmissionId& id, std::string_view answer_json);
    // Retries the write of unwritten(); true if there is none left.
    bool retry_write(const pool::SubmissionId& id);
    // Null if there is none.
    const std::string* unwritten(const pool::SubmissionId& id) const;
    void forget_unwritten(const pool::SubmissionId& id) { unwritten_.erase(id); }

  private:
    const PoolFiles& files_;
    std::size_t max_message_bytes_;
    std::unordered_map<pool::SubmissionId, std::string> unwritten_;
};

}  // namespace pool_daemon
