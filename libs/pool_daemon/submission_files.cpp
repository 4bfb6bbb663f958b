#include "pool_daemon/submission_files.hpp"

#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_daemon/answers.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <utility>

namespace pool_daemon {

using pool::SubmissionId;
using pool_protocol::Answer;
using pool_protocol::file_name;
using pool_protocol::FileKind;

bool SubmissionFiles::has_request(const SubmissionId& id) const {
    return files_.submissions.contains(file_name(id, FileKind::request));
}

base::Result<pool_protocol::Request> SubmissionFiles::read_request(const SubmissionId& id) const {
    auto text = files_.submissions.read(file_name(id, FileKind::request), max_message_bytes_);
    if (text.has_error()) return text.error();
    std::optional<std::string> id_inside;
    return pool_protocol::parse_request(*text, id_inside);
}

base::Result<std::string> SubmissionFiles::load_content(pool_protocol::Request& request) const {
    std::string content;
    if (auto* inline_content = std::get_if<pool_protocol::Inline>(&request.payload)) {
        content = std::move(inline_content->content);
    } else {
        const std::string& path = std::get<pool_protocol::FileReference>(request.payload).path;
        auto text = io::read_regular_file(path, max_message_bytes_);
        if (text.has_error()) return text.error();
        content = std::move(*text);
    }
    if (auto problem = pool_protocol::content_problem(content)) return base::invalid(*problem);
    return content;
}

bool SubmissionFiles::is_answered(const SubmissionId& id) const {
    auto name = file_name(id, FileKind::response);
    if (!files_.submissions.contains(name)) return false;
    auto text = files_.submissions.read(name, 2 * max_message_bytes_);
    return text.has_value() || io::is_temporary(text.error()) ||
           text.error().code == boost::system::errc::file_too_large;
}

std::optional<Answer> SubmissionFiles::kept_answer(const SubmissionId& id) const {
    auto text = files_.submissions.read(file_name(id, FileKind::response), 2 * max_message_bytes_);
    if (text.has_error()) return std::nullopt;
    auto answered = pool_protocol::parse_answer(*text);
    if (answered.has_error() || !is_kept(answered->answer)) return std::nullopt;
    return answered->answer;
}

std::chrono::nanoseconds SubmissionFiles::response_age(const SubmissionId& id) const {
    auto modified = files_.submissions.modified(file_name(id, FileKind::response));
    if (modified.count() == 0) return {};
    return std::chrono::system_clock::now().time_since_epoch() - modified;
}

void SubmissionFiles::remove_response(const SubmissionId& id) {
    (void)files_.submissions.remove(file_name(id, FileKind::response));
}

std::optional<SubmissionFiles::Unfetched> SubmissionFiles::unfetched(const SubmissionId& id) const {
    const std::string request(file_name(id, FileKind::request));
    auto asked = files_.submissions.modified(request);
    auto answered = files_.submissions.modified(file_name(id, FileKind::response));
    if (asked.count() == 0 || answered.count() == 0) return std::nullopt;
    auto now = std::chrono::system_clock::now().time_since_epoch();
    return Unfetched{now - std::max(asked, answered),
                     io::is_locked(files_.submissions, request).value_or(false)};
}

void SubmissionFiles::remove_unfetched(const SubmissionId& id) {
    if (!is_answered(id)) return;
    if (auto removed = files_.submissions.remove(file_name(id, FileKind::request)); removed.has_error())
        return io::log::debug(removed.error().message);
    remove_response(id);
    io::log::info("removed submission ", id, " and its answer, which nobody has fetched for a day");
}

bool SubmissionFiles::write_response(const SubmissionId& id, std::string_view answer_json) const {
    auto written = files_.submissions.write(files_.scratch, file_name(id, FileKind::response), answer_json);
    if (written.has_error()) io::log::warn(written.error().message, "; trying again");
    return written.has_value();
}

bool SubmissionFiles::write_or_keep(const SubmissionId& id, std::string_view answer_json) {
    bool is_written = write_response(id, answer_json);
    if (!is_written) unwritten_.insert_or_assign(id, std::string(answer_json));
    return is_written;
}

bool SubmissionFiles::retry_write(const SubmissionId& id) {
    auto found = unwritten_.find(id);
    if (found == unwritten_.end()) return true;
    bool is_written = write_response(id, found->second);
    if (is_written) unwritten_.erase(found);
    return is_written;
}

const std::string* SubmissionFiles::unwritten(const SubmissionId& id) const {
    auto found = unwritten_.find(id);
    return found == unwritten_.end() ? nullptr : &found->second;
}

}  // namespace pool_daemon
