#include "statelog/entry_reader.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "json/shown_word.hpp"
#include "statelog/line_checksum.hpp"

#include <boost/system/errc.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace statelog {

namespace {

using base::Result;
using workflow::TaskCompleted;
using workflow::TaskSubmitted;

// More room than this is given back after a long line: a log may be read for days.
constexpr std::size_t kept_room = std::size_t{1} << 20;

// So much is kept of a line that no entry begins like, such as zeros where a disk has lost what was written.
// Of an entry that zeros interrupt, what is before them is kept.
constexpr std::size_t kept_of_others = std::size_t{1} << 20;

bool may_be_entry(std::string_view line) {
    return line.empty() || std::string_view("{ \t").find(line.front()) != std::string_view::npos;
}

// What is kept of a line's next piece, when `before` is kept already: what may become an entry, and the
// beginning of what cannot.
std::string_view kept_of(std::string_view before, std::string_view next) {
    if (may_be_entry(before.empty() ? next : before)) return next.substr(0, next.find('\0'));
    return next.substr(0, kept_of_others - std::min(kept_of_others, before.size()));
}

// The beginning of every log, even if the rest of the line is damaged.
constexpr std::string_view beginning = R"({"kind":"Config",)";

}  // namespace

bool is_damage(const base::Error& error) {
    return error.code == boost::system::errc::bad_message;
}

EntryReader::EntryReader(std::string name, Checksums checksums)
    : name_(std::move(name)), checksums_(checksums) {}

Result<void> EntryReader::feed(std::string_view bytes, const Take& take, const TakeNote& take_note) {
    for (std::size_t newline = bytes.find('\n'); newline != std::string_view::npos;
         newline = bytes.find('\n')) {
        std::string_view line = bytes.substr(0, newline);
        if (left_out_ > 0) return damage("is not JSON");
        if (!rest_.empty()) line = rest_.append(line);
        if (auto taken = take_line(line, take, take_note); !taken)
            return would_be_cut(line) ? damage("is not JSON") : taken;
        bytes_ += line.size() + 1;
        ++lines_;
        rest_.clear();
        if (rest_.capacity() > kept_room) rest_.shrink_to_fit();
        bytes.remove_prefix(newline + 1);
    }
    return keep(bytes);
}

// Whether a part of the line would have been left out if it had come in pieces. Then it is no JSON.
bool EntryReader::would_be_cut(std::string_view line) const {
    return kept_of({}, line).size() < line.size() && (config_ || line.starts_with(beginning));
}

Result<void> EntryReader::keep(std::string_view rest) {
    const std::string_view kept = left_out_ > 0 ? "" : kept_of(rest_, rest);
    if (rest_.size() + kept.size() > longest_line)
        return damage(base::concat("is longer than ", longest_line, " bytes: this is not a state log"));
    rest_.append(kept);
    left_out_ += rest.size() - kept.size();
    const bool is_other = !config_ && left_out_ > 0 && !rest_.starts_with(beginning);
    return is_other ? not_a_log() : Result<void>();
}

Result<Tail> EntryReader::finish() const {
    if (!config_ && !rest_.starts_with(beginning) && !beginning.starts_with(rest_)) return not_a_log();
    if (!config_) return damage("is missing: the log has no complete Config entry, so no run was started");
    if (initial_left() > 0)
        return damage(base::concat("is missing: the log has ", initial_, " of the run's ",
                                   base::counted(*header_.initial_tasks, "initial task")));
    Tail tail;
    tail.torn_line = !rest_.empty();
    tail.torn_group = group_.announced > 0;
    tail.committed_bytes = tail.torn_group ? group_.start : bytes_;
    tail.dropped_bytes = bytes_ + rest_.size() + left_out_ - tail.committed_bytes;
    return tail;
}

std::uint64_t EntryReader::initial_left() const {
    std::uint64_t all = header_.initial_tasks.value_or(0);
    return all > initial_ ? all - initial_ : 0;
}

Result<void> EntryReader::take_line(std::string_view line, const Take& take, const TakeNote& take_note) {
    if (config_ && is_usage_note(line)) return read_note(line, take_note);
    return config_ ? take_record(line, take) : take_header(line);
}

Result<void> EntryReader::take_header(std::string_view line) {
    auto header = read_header(line);
    if (!header) return line.starts_with(beginning) ? damage(header.error().message) : not_a_log();
    if (header->format > log_format) return of_later_version(*header);
    if (auto sound = check_checksum(line, header->has_checksum); !sound) return sound;
    auto loaded =
        config::load_text(header->config, name_ + ": config", header->directory, config::Use::has_begun);
    if (!loaded.config)
        return damage(base::concat("has an invalid config: ", to_string(loaded.problems.shown.front())));
    header_ = std::move(*header);
    header_end_ = bytes_ + line.size() + 1;
    config_ = std::make_shared<const config::WorkflowConfig>(std::move(*loaded.config));
    return {};
}

// A note is in no group, so it is nowhere within one.
Result<void> EntryReader::read_note(std::string_view line, const TakeNote& take_note) {
    auto note = read_usage_note(line);
    if (!note) return damage(note.error().message);
    if (auto sound = check_checksum(line, header_.has_checksum); !sound) return sound;
    if (group_.announced > 0 || initial_left() > 0)
        return damage("comes too early: tasks are missing that the entries before it announce");
    if (take_note) take_note(*note);
    return {};
}

Result<void> EntryReader::take_record(std::string_view line, const Take& take) {
    auto record = read_record(*config_, line);
    if (!record) return damage(record.error().message);
    if (auto sound = check_checksum(line, header_.has_checksum); !sound) return sound;
    if (auto ordered = check_order(record->entry); !ordered) return damage(ordered.error().message);
    if (auto taken = take(*record); !taken) return damage(taken.error().message);
    track_group(record->entry);
    return {};
}

// Either all lines of a log have checksums or, if another program or an older version wrote it, none.
Result<void> EntryReader::check_checksum(std::string_view line, bool first_has_one) const {
    if (checksums_ == Checksums::ignored) return {};
    switch (checksum_of(line)) {
        case Checksum::absent:
            if (!first_has_one) return {};
            return damage_or_edit("has no checksum, and the first one has");
        case Checksum::right:
            if (first_has_one) return {};
            return damage_or_edit("has a checksum, and the first one has none");
        case Checksum::wrong:
            break;
    }
    return damage_or_edit("does not match its checksum");
}

// Nothing may come between a completion and the tasks that it announces: they were written together.
Result<void> EntryReader::check_order(const workflow::Entry& entry) const {
    const auto* submitted = std::get_if<TaskSubmitted>(&entry);
    const auto* retry = submitted ? std::get_if<workflow::Retry>(&submitted->origin) : nullptr;
    bool spawned = submitted && std::holds_alternative<workflow::Spawned>(submitted->origin);
    if (group_.announced == 0 || (group_.is_retry ? retry != nullptr : spawned)) {
        if (!retry || retry->replaces == group_.completed) return {};
        return base::invalid(base::concat("is inconsistent: it is a retry of task ", retry->replaces.value,
                                          ", which the entry before it does not announce"));
    }
    return base::invalid(base::concat("comes too early: some tasks are missing that the completion of task ",
                                      group_.completed.value, " announces"));
}

void EntryReader::track_group(const workflow::Entry& entry) {
    const auto* completed = std::get_if<TaskCompleted>(&entry);
    if (!completed) {
        const auto& origin = std::get<TaskSubmitted>(entry).origin;
        if (std::holds_alternative<workflow::Initial>(origin)) ++initial_;
        if (group_.announced > 0) --group_.announced;
        return;
    }
    group_ = {completed->task, bytes_, 0, false};
    if (const auto* failed = std::get_if<workflow::Failed>(&completed->outcome)) {
        group_.is_retry = failed->retry.has_value();
        group_.announced = group_.is_retry ? 1 : 0;
    } else {
        group_.announced = std::get<workflow::Succeeded>(completed->outcome).spawned.size();
    }
}

base::Error EntryReader::of_later_version(const Header& header) const {
    return base::invalid(base::concat(name_, ": the log was written by version ",
                                      header.version.empty() ? "(unknown)" : header.version, " in format ",
                                      header.format, ", and this program reads formats up to ", log_format,
                                      ": use that version, or a later one"));
}

base::Error EntryReader::not_a_log() const {
    return {boost::system::errc::make_error_code(boost::system::errc::bad_message),
            name_ + " is not a state log: its first line is not a Config entry"};
}

base::Error EntryReader::damage(const std::string& what) const {
    std::string message = base::concat(name_, ": line ", lines_ + 1, ", byte ", bytes_, ": the entry ", what);
    if (lines_ > header_.initial_tasks.value_or(0))  // before that, the log is incomplete
        message +=
            base::concat("; the log is valid up to there, and `head -c ", bytes_, "` of it can be resumed");
    return {boost::system::errc::make_error_code(boost::system::errc::bad_message), std::move(message)};
}

base::Error EntryReader::damage_or_edit(const std::string& what) const {
    base::Error error = damage(what);
    base::append_piece(error.message,
                       base::concat("; if it was edited on purpose, `barnum inspect --accept-edits ",
                                    json::shown_word(name_), "` accepts that"));
    return error;
}

}  // namespace statelog
