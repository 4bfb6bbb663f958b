#include "reuse/reused_run.hpp"

#include "io/log.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "statelog/replay_file.hpp"

#include <utility>
#include <variant>

namespace reuse {

base::Result<ReusedRun> ReusedRun::read(statelog::Reuses source,
                                        std::shared_ptr<const config::WorkflowConfig> config) {
    auto fd = statelog::open_log(source.state_log);
    if (!fd) return fd.error();
    ReusedRun run(std::move(source), std::move(config), std::move(*fd));
    auto replayed = run.replay();
    if (!replayed) return replayed.error();
    return run;
}

base::Result<void> ReusedRun::replay() {
    auto observer = [&]() -> statelog::Replay::Observer {
        results_ = Results(*config_);
        return [&](const statelog::Replay& replay, const statelog::Record& record) {
            results_.add(replay, record);
        };
    };
    auto replayed = statelog::replay_file(fd_.get(), source_.state_log, observer);
    if (!replayed) return replayed.error();
    earlier_ = replayed->replay.config();
    if (source_.run_id.empty()) source_.run_id = replayed->replay.header().run_id;
    return {};
}

std::optional<workflow::EarlierResult> ReusedRun::take(const workflow::Task& task) {
    if (has_failed_) return std::nullopt;
    auto found = results_.take(task, [this](std::uint64_t offset) { return read_line(offset); });
    if (!found) {
        has_failed_ = true;
        io::log::warn("no more results of run ", source_.run_id, " are reused: ", found.error().message);
        return std::nullopt;
    }
    if (!*found) return std::nullopt;
    return workflow::EarlierResult{std::move((*found)->next), {source_.run_id, (*found)->task}};
}

base::Result<workflow::Failure> ReusedRun::failure_at(std::uint64_t offset) const {
    auto line = read_line(offset);
    if (!line) return line.error();
    auto record = statelog::read_record(*earlier_, *line);
    if (!record) return record.error();
    const auto* completed = std::get_if<workflow::TaskCompleted>(&record->entry);
    const auto* failed = completed ? std::get_if<workflow::Failed>(&completed->outcome) : nullptr;
    if (!failed) return base::invalid(source_.state_log + " was changed while it was read");
    return failed->failure();
}

base::Result<std::string> ReusedRun::read_line(std::uint64_t offset) const {
    return statelog::read_line(fd_.get(), source_.state_log, offset);
}

}  // namespace reuse
