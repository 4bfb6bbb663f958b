// What is known of a submission whose submitters wait for its answer.
#include "pool_daemon/submissions.hpp"

namespace pool_daemon {

namespace delivery = pool::delivery;

bool Submissions::is_by_file(const SubmissionId& id) const {
    auto found = state_.waiting.find(id);
    return found != state_.waiting.end() && found->second.by_file && content(id) != nullptr;
}

bool Submissions::is_only_by_file(const SubmissionId& id) const {
    auto found = state_.waiting.find(id);
    return found != state_.waiting.end() && found->second.by_file && !found->second.has_own_id;
}

std::vector<pid_t> Submissions::processes(const SubmissionId& id) const {
    std::vector<pid_t> processes;
    auto found = state_.waiting.find(id);
    if (found == state_.waiting.end()) return processes;
    for (delivery::Peer peer : found->second.peers)
        if (auto connection = peers_.connection(peer))
            if (auto process = connection->peer_process()) processes.push_back(*process);
    return processes;
}

delivery::AnswerDetails Submissions::options(const SubmissionId& id) const {
    auto found = state_.waiting.find(id);
    return found == state_.waiting.end() ? delivery::AnswerDetails{} : found->second.options;
}

std::string_view Submissions::schema(const SubmissionId& id) const {
    auto found = contents_.find(id);
    return found == contents_.end() ? std::string_view() : std::string_view(found->second.schema);
}

std::optional<Submissions::Needs> Submissions::needs(const SubmissionId& id) const {
    auto found = contents_.find(id);
    if (found == contents_.end() || found->second.text.empty()) return std::nullopt;
    return found->second.needs;
}

const std::string* Submissions::content(const SubmissionId& id) const {
    auto found = contents_.find(id);
    return found == contents_.end() || found->second.text.empty() ? nullptr : &found->second.text;
}

}  // namespace pool_daemon
