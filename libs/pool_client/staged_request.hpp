// What is submitted, and the request for it as it is sent over the socket. One with large content names a
// file that holds it, in the pool's scratch directory: as part of a frame it would be quoted, sent, checked
// and unquoted first.
#pragma once

#include "base/spliced_text.hpp"
#include "io/directory.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <optional>
#include <string>
#include <variant>

namespace pool_client {

// No aggregate, because it travels through coroutines (see pool_protocol::Request).
struct OutgoingTask {
    OutgoingTask(std::string own_id, std::variant<base::SplicedText, pool_protocol::FileReference> what)
        : id(std::move(own_id)), content(std::move(what)) {}

    std::string id;
    std::variant<base::SplicedText, pool_protocol::FileReference> content;
};

// What a submitter of ours asks for beside the answer.
struct RequestWishes {
    bool details = false;   // who had the task, and how it failed
    bool may_host = false;  // to be asked to host the pool
};

// With all of the content in it.
pool_protocol::Request whole_request(const OutgoingTask& submission, RequestWishes wishes);

// Owns the file, and removes it in the end: keep it until there is an answer, or none can come.
class StagedRequest {
  public:
    // Where the file can't be written, the content is sent in the frame after all. `id` is the submission's,
    // or none where it would not come back.
    StagedRequest(const pool_protocol::PoolDirectory& pool, const OutgoingTask& submission,
                  std::optional<std::string> id, RequestWishes wishes);
    ~StagedRequest();
    StagedRequest(const StagedRequest&) = delete;
    StagedRequest& operator=(const StagedRequest&) = delete;

    // The text of the frame. Once.
    std::string take_json() { return std::move(json_); }

  private:
    bool write_content(const pool_protocol::PoolDirectory& pool, const base::SplicedText& content);

    io::Directory scratch_;
    std::string name_;  // empty: no file
    std::string json_;
};

}  // namespace pool_client
