#include "kept_output/task_attempts.hpp"

#include "inspect/inspection.hpp"
#include "inspect/read_file.hpp"
#include "statelog/log_file.hpp"

namespace kept_output {

bool TaskAttempts::is_unknown() {
    if (!was_read_) read();
    return was_read_ && attempts_.empty();
}

bool TaskAttempts::contains(const output::Source& source) {
    if (source.task == task_) return true;
    if (!was_read_ || (source.attempt > 1 && source.task > last_number_)) read();
    return attempts_.contains(source.task);
}

void TaskAttempts::read() {
    auto fd = statelog::open_log(log_);
    if (!fd) return;
    auto file = inspect::inspect_file(fd->get(), log_);
    if (!file) return;
    was_read_ = true;
    const inspect::Inspection& inspection = file->inspection;
    if (!inspection.attempts().empty()) last_number_ = inspection.attempts().back().id.value;
    auto task = inspection.find({task_});
    if (!task) return;
    std::optional<std::uint32_t> attempt = inspection.tasks()[*task].first;
    for (; attempt; attempt = inspection.attempts()[*attempt].next)
        attempts_.insert(inspection.attempts()[*attempt].id.value);
}

}  // namespace kept_output
