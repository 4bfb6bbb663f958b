#include "report/run_trace.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"

#include <utility>

namespace report {

base::Result<ReadTrace> read_trace(const std::string& path) {
    auto log = statelog::open_reading(path);
    if (!log) return log.error();
    bool is_used = statelog::use_of(log->fd.get()).use == statelog::Use::held;
    ReadTrace made{std::move(log->fd), trace::Trace(path), 0, is_used};
    auto read =
        io::read_pieces(made.fd.get(), {}, [&](std::string_view piece) { return made.trace.feed(piece); });
    if (!read && statelog::is_damage(read.error())) return read.error();
    if (!read) return base::with_context(base::concat("the state log ", path), read.error());
    if (auto tail = made.trace.finish(); !tail) return tail.error();
    made.bytes = *read;
    return made;
}

runs::RunRecord record_from(const ReadTrace& read) {
    runs::RunRecord record;
    const trace::Trace& trace = read.trace;
    record.id = trace.header().run_id;
    record.directory = trace.header().directory;
    record.state_log = trace.name();
    record.started = trace.header().time.value_or(trace.first_time().value_or(runs::Time()));
    for (const trace::Tally& tally : trace.tallies()) {
        for (const trace::Counts* counts : {&tally.tasks, &tally.finallys}) {
            record.tasks.done += counts->done;
            record.tasks.left += counts->open();
            record.tasks.dropped += counts->dropped;
        }
    }
    if (record.tasks.left == 0 && !read.is_used)
        record.end =
            runs::RunEnd{trace.last_time().value_or(record.started), record.tasks.dropped > 0 ? 1 : 0,
                         record.tasks.dropped > 0 ? "failed" : "finished"};
    return record;
}

}  // namespace report
