// A task to be submitted, and its request as it is sent over the socket. Large content is written to a file
// in the pool's scratch directory, which the request names: this saves quoting, sending, checking and
// unquoting it.
#pragma once

#include "base/spliced_text.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"
#include "pool_client/submit_traits.hpp"
#include "pool_protocol/ids.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <optional>
#include <string>
#include <variant>

namespace pool_client {

// Not an aggregate, because it travels through coroutines (see pool_protocol::Request).
struct OutgoingTask {
    OutgoingTask(pool_protocol::SubmissionId own_id,
                 std::variant<base::SplicedText, pool_protocol::FileReference> what, SubmitTraits wanted)
        : id(std::move(own_id)), content(std::move(what)), traits(std::move(wanted)) {}

    pool_protocol::SubmissionId id;
    std::variant<base::SplicedText, pool_protocol::FileReference> content;
    SubmitTraits traits;
};

// What this project's submitters ask for besides the answer.
struct RequestOptions {
    bool details = false;    // who had the task, and how it failed
    bool may_host = false;   // to be asked to host the pool
    bool unmatched = false;  // to be told when no agent has the labels
};

// The request with all of the content in it.
pool_protocol::Request whole_request(const OutgoingTask& submission, RequestOptions options);

// Owns the file and removes it: keep it until there is an answer, or there can't be one any more.
class StagedRequest {
  public:
    // If the file can't be written, the content is part of the frame. `id` is the submission's, or none for a
    // daemon whose answers have no ids.
    StagedRequest(const pool_protocol::PoolDirectory& pool, const OutgoingTask& submission,
                  std::optional<std::string> id, RequestOptions options);
    ~StagedRequest();
    StagedRequest(const StagedRequest&) = delete;
    StagedRequest& operator=(const StagedRequest&) = delete;

    // The text of the frame. Call it once.
    std::string take_json() { return std::move(json_); }

  private:
    bool write_content(const pool_protocol::PoolDirectory& pool, const base::SplicedText& content);

    io::Directory scratch_;
    std::string name_;   // empty: no file
    io::UniqueFd lock_;  // on the file: the daemon removes it if its owner has ended
    std::string json_;
};

}  // namespace pool_client
