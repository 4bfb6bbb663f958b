#include "runner/kept_output.hpp"

#include "base/system_time.hpp"
#include "io/log.hpp"

#include <boost/system/errc.hpp>

#include <chrono>
#include <utility>

namespace runner {

namespace asio = boost::asio;

namespace {

// Many commands may end within it: then a write for each would take as long as their starts.
constexpr std::chrono::milliseconds between_writes{20};

std::string_view phase_name(workflow::Phase phase) {
    switch (phase) {
        case workflow::Phase::pre:
            return "pre";
        case workflow::Phase::command:
            return "command";
        case workflow::Phase::pool:
            return "pool";
        case workflow::Phase::post:
            return "post";
        case workflow::Phase::finally:
        case workflow::Phase::human:  // prints nothing
            break;
    }
    return "finally";
}

}  // namespace

KeptOutput::KeptOutput(asio::any_io_executor executor, std::string directory,
                       std::optional<std::size_t> limit, std::shared_ptr<const output::Redaction> redaction)
    : timer_(executor, asio::steady_timer::clock_type::now()),
      keeper_(limit, std::move(redaction)),
      files_(std::move(directory)) {}

KeptOutput::Writer::Writer(KeptOutput& output, output::Source source)
    : output_(output), source_(output.keeper_.begin(std::move(source))) {}

KeptOutput::Writer::~Writer() {
    output_.keeper_.end(source_, base::system_time());
    output_.changed();
}

void KeptOutput::Writer::add(output::Stream stream, std::string_view piece) {
    if (output_.was_removed_) return;
    output_.keeper_.add(source_, stream, piece, base::system_time());
    output_.changed();
}

void KeptOutput::changed() {
    if (will_write_ || !keeper_.has_batch()) return;
    will_write_ = true;
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
        if (auto self = weak.lock(); self && !error) self->write();
    });
}

void KeptOutput::write() {
    will_write_ = false;
    if (!keeper_.has_batch()) return;
    timer_.expires_after(between_writes);
    output::Keeper::Batch batch = keeper_.take_batch();
    if (was_removed_) return;
    auto written = files_.append(batch.segment, batch.index, batch.records);
    if (!written) {
        keeper_.lost(batch);
        return failed(written.error());
    }
    rewrite();
}

void KeptOutput::rewrite() {
    while (auto segment = keeper_.take_due()) {
        auto size = files_.rewrite(
            *segment, [this](std::string_view records) { return keeper_.without_dropped(records); });
        if (!size) return failed(size.error());
        keeper_.rewritten(*segment, *size);
    }
}

void KeptOutput::finish() {
    write();
    keeper_.finish();
    if (!was_removed_) rewrite();
}

void KeptOutput::failed(const base::Error& error) {
    was_removed_ = was_removed_ || error.code == boost::system::errc::no_such_file_or_directory;
    if (std::exchange(has_failed_, true)) return;
    io::log::warn("the output of commands is not kept: ", error.message, "; the run goes on");
}

output::Source source_of(const config::WorkflowConfig& config, const Attempt& attempt,
                         workflow::Phase phase) {
    output::Source source;
    source.task = attempt.task.value;
    source.step = config.step(attempt.step).name;
    source.attempt = attempt.number;
    source.phase = phase_name(phase);
    return source;
}

}  // namespace runner
