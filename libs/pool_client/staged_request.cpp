#include "pool_client/staged_request.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_client/new_id.hpp"

#include <utility>
#include <variant>

namespace pool_client {

namespace {

constexpr std::size_t largest_in_frame = std::size_t{1} << 20;

}  // namespace

StagedRequest::StagedRequest(const pool_protocol::PoolDirectory& pool, const pool_protocol::Request& request,
                             bool agent_wanted) {
    const auto* content = std::get_if<pool_protocol::Inline>(&request.payload);
    if (content == nullptr || content->content.size() <= largest_in_frame ||
        !write_content(pool, content->content)) {
        json_ = to_json(request, agent_wanted);
        return;
    }
    pool_protocol::Request by_file{request.id, pool_protocol::FileReference{scratch_.path_of(name_)}};
    json_ = to_json(by_file, agent_wanted);
}

bool StagedRequest::write_content(const pool_protocol::PoolDirectory& pool, const std::string& content) {
    auto scratch = io::Directory::open(pool.scratch());
    std::string name = base::concat(new_id(), ".content");
    auto written =
        scratch.has_value() ? scratch->write_in_place(name, content) : base::Result<void>(scratch.error());
    if (written.has_error()) {
        io::log::debug(written.error().message, "; the request is sent whole");
        return false;
    }
    scratch_ = std::move(*scratch);
    name_ = std::move(name);
    return true;
}

StagedRequest::~StagedRequest() {
    if (name_.empty()) return;
    if (auto removed = scratch_.remove(name_); removed.has_error()) io::log::warn(removed.error().message);
}

}  // namespace pool_client
