// A request as it is sent over the socket. One with large content names a file that holds it, in the pool's
// scratch directory: as part of a frame it would be quoted, sent, checked and unquoted first.
#pragma once

#include "io/directory.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <string>

namespace pool_client {

// Owns the file, and removes it in the end: keep it until there is an answer, or none can come.
class StagedRequest {
  public:
    static constexpr bool wants_agent = true;

    // Where the file can't be written, the content is sent in the frame after all.
    // `agent_wanted`: the answer is to tell who had the task.
    StagedRequest(const pool_protocol::PoolDirectory& pool, const pool_protocol::Request& request,
                  bool agent_wanted = false);
    ~StagedRequest();
    StagedRequest(const StagedRequest&) = delete;
    StagedRequest& operator=(const StagedRequest&) = delete;

    // The text of the frame. Once.
    std::string take_json() { return std::move(json_); }

  private:
    bool write_content(const pool_protocol::PoolDirectory& pool, const std::string& content);

    io::Directory scratch_;
    std::string name_;  // empty: no file
    std::string json_;
};

}  // namespace pool_client
