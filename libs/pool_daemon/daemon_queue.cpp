// The queue as it is shown, and what an operator wants of it.
#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/daemon_impl.hpp"

#include <algorithm>
#include <fstream>
#include <ranges>
#include <utility>
#include <vector>

namespace pool_daemon {

namespace {

using How = pool_protocol::QueueChange::How;

// Empty if the process is gone.
std::string program_of(pid_t process) {
    std::ifstream file(base::concat("/proc/", process, "/comm"));
    std::string name;
    std::getline(file, name);
    return name;
}

// The queued submissions that are meant: the one with this id, or those whose ids begin with it.
std::vector<pool::SubmissionId> queued_as(const pool::State& state, const std::string& named) {
    std::vector<pool::SubmissionId> found;
    for (pool::SubmissionId& id : state.line.all_queued()) {
        if (id.text() == named) return {std::move(id)};
        if (id.text().starts_with(named)) found.push_back(std::move(id));
    }
    return found;
}

}  // namespace

pool_protocol::Queue Daemon::Impl::queue(std::size_t at_most) const {
    pool_protocol::Queue queue;
    queue.length = state_.line.queued();
    queue.over_hosts = edge_ != nullptr;
    pool::Time now = pool_now();
    auto time = std::chrono::system_clock::now().time_since_epoch();
    for (const auto& [place, id] : state_.line.first_queued(at_most)) {
        const pool::Submission& submission = state_.submissions.at(id);
        pool_protocol::QueuedTask task;
        task.id = id.text();
        if (const std::string* content = edge_link_.content(id))
            task.title = pool_protocol::task_title(*content);
        task.since = std::chrono::floor<pool_protocol::UnixTime>(time - (now - submission.since));
        task.labels = submission.labels;
        task.priority = place.priority;
        task.by_file = submissions_.is_by_file(id);
        for (pid_t process : submissions_.processes(id))
            task.processes.push_back(process);
        if (!task.processes.empty()) task.program = program_of(task.processes.front());
        queue.tasks.push_back(std::move(task));
    }
    return queue;
}

pool_protocol::QueueChange Daemon::Impl::change_queued(
    const std::string& named, const std::function<void(const pool::SubmissionId&)>& change, How how) {
    auto found = queued_as(state_, named);
    if (found.empty() || named.empty()) return {named, How::unknown};
    if (found.size() > 1) return {named, How::ambiguous};
    const pool::SubmissionId& id = found.front();
    if (edge_link_.is_of_engine(id)) return {id.text(), How::kept};
    change(id);
    return {id.text(), how};
}

std::string Daemon::Impl::queue_answer(const pool_protocol::QueueRequest& request) {
    if (auto* list = std::get_if<pool_protocol::ListQueue>(&request)) return to_json(queue(list->at_most));
    std::vector<pool_protocol::QueueChange> changes;
    if (auto* cancel = std::get_if<pool_protocol::CancelQueued>(&request)) {
        auto cancelled = [this](const pool::SubmissionId& id) {
            io::log::info("submission ", id, " is cancelled by request");
            feed(pool::Cancelled{id});
        };
        for (const std::string& named : cancel->submissions)
            changes.push_back(change_queued(named, cancelled, How::cancelled));
        return to_json(changes);
    }
    const auto& move = std::get<pool_protocol::MoveQueued>(request);
    std::optional<pool::SubmissionId> before;
    if (move.before) {
        auto found = queued_as(state_, *move.before);
        if (found.size() != 1)
            return to_json(std::vector{
                pool_protocol::QueueChange{*move.before, found.empty() ? How::unknown : How::ambiguous}});
        before = found.front();
    }
    const std::optional<pool::SubmissionId> stays = before;
    auto moved = [&](const pool::SubmissionId& id) {
        if (id == before) return;
        io::log::info("submission ", id, " is moved in the queue by request");
        feed(pool::Moved{id, before});
    };
    // Each submission goes before what is first then: the last one is moved first, so that they are in the
    // order in which they are named.
    for (const std::string& named : move.submissions | std::views::reverse) {
        changes.push_back(change_queued(named, moved, How::moved));
        if (stays && changes.back().id == stays->text()) changes.back().how = How::same;
        if (changes.back().how == How::moved) before = pool::SubmissionId(changes.back().id);
    }
    std::ranges::reverse(changes);
    return to_json(changes);
}

}  // namespace pool_daemon
