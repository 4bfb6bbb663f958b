#include "pool_client/staged_request.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_client/new_id.hpp"

#include <utility>
#include <variant>

namespace pool_client {

namespace {

constexpr std::size_t largest_in_frame = std::size_t{1} << 20;

}  // namespace

namespace {

void add_options(pool_protocol::Request& request, const SubmitTraits& traits, RequestOptions options) {
    request.labels = traits.labels;
    request.priority = traits.priority;
    request.response_schema = traits.response_schema;
    request.wants_unmatched = options.unmatched && !traits.labels.empty();
    request.wants_activity = options.details && traits.on_activity;
    request.wants_agent = options.details;
    request.wants_failures = options.details;
    request.may_host = options.may_host;
}

pool_protocol::Request request_for(const OutgoingTask& submission) {
    if (const auto* content = std::get_if<base::SplicedText>(&submission.content))
        return {submission.id.text(), pool_protocol::Inline{content->text()}};
    return {submission.id.text(), std::get<pool_protocol::FileReference>(submission.content)};
}

}  // namespace

pool_protocol::Request whole_request(const OutgoingTask& submission, RequestOptions options) {
    pool_protocol::Request request = request_for(submission);
    add_options(request, submission.traits, options);
    return request;
}

StagedRequest::StagedRequest(const pool_protocol::PoolDirectory& pool, const OutgoingTask& submission,
                             std::optional<std::string> id, RequestOptions options) {
    const auto* content = std::get_if<base::SplicedText>(&submission.content);
    bool is_large = content != nullptr && content->size() > largest_in_frame;
    pool_protocol::Request request =
        is_large && write_content(pool, *content)
            ? pool_protocol::Request(id, pool_protocol::FileReference{scratch_.path_of(name_)})
            : request_for(submission);
    request.id = std::move(id);
    add_options(request, submission.traits, options);
    json_ = to_json(request);
}

bool StagedRequest::write_content(const pool_protocol::PoolDirectory& pool,
                                  const base::SplicedText& content) {
    auto scratch = io::Directory::open(pool.scratch());
    std::string name = base::concat(new_id(), ".content");
    auto written = scratch.has_value() ? scratch->write_in_place(name, content.pieces())
                                       : base::Result<void>(scratch.error());
    if (written.has_error()) {
        io::log::debug(written.error().message, "; the request is sent whole");
        return false;
    }
    auto lock = io::lock_file(*scratch, name);
    if (lock.has_error()) {
        io::log::debug(lock.error().message, "; the request is sent whole");
        (void)scratch->remove(name);
        return false;
    }
    lock_ = std::move(*lock);
    scratch_ = std::move(*scratch);
    name_ = std::move(name);
    return true;
}

StagedRequest::~StagedRequest() {
    if (name_.empty()) return;
    if (auto removed = scratch_.remove(name_); removed.has_error()) io::log::warn(removed.error().message);
}

}  // namespace pool_client
