// A submission by files: a request file, and the response file that answers it.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>

namespace pool_client {

// Not an aggregate, because it travels through coroutines (see pool_protocol::Request).
struct FileRequest {
    FileRequest(std::string own_id, std::string request) : id(std::move(own_id)), json(std::move(request)) {}

    std::string id;
    std::string json;
};

// Writes the request file and waits for the answer, as long as it takes; then both files are gone. An error
// if the request can't be written, or the response file holds no answer. A terminal cancellation removes the
// request file, which withdraws the submission, and throws operation_aborted.
boost::asio::awaitable<base::Result<pool_protocol::Answer>> ask_by_file(
    io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory, FileRequest request);

}  // namespace pool_client
