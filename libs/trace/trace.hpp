// A compact index of a state log, for a page that shows the run: each attempt with its times, its step, its
// outcome and what it has cost, and where its entries are in the log. It grows with the log of a living run.
// Takes about 100 bytes per attempt: values, messages and reports stay in the log. Pure: the caller reads the
// file.
#pragma once

#include "base/error.hpp"
#include "statelog/entry_reader.hpp"
#include "trace/position.hpp"
#include "trace/unreported_usage.hpp"
#include "workflow/usage.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trace {

using Row = std::uint32_t;
inline constexpr std::uint32_t absent = 0xFFFFFFFF;  // no row, no known duration
inline constexpr std::uint16_t no_agent = 0xFFFF;

enum class Origin : std::uint8_t { initial, spawned, retry, finally };
enum class Outcome : std::uint8_t { none, succeeded, retried, dropped };

std::string_view outcome_name(Outcome outcome);  // "succeeded"

// Bits of Completion::flags.
enum Flag : std::uint8_t {
    reused = 1,
    answered = 2,    // by a person
    no_attempt = 4,  // was made: the task was past a bound
    has_report = 8,
    has_measured = 16,
    lenient = 32,
};

// An attempt: one TaskSubmitted entry.
struct Attempt {
    double submitted = 0;    // ms since 1970; NaN if unknown
    std::uint32_t id = 0;    // the task's number in the log
    Row parent = absent;     // the attempt whose response, or `finally`, has submitted it
    Row of = absent;         // retry: what it replaces; finally: the last attempt of its task
    Row next = absent;       // the retry that replaces it
    std::uint16_t step = 0;  // index of the step in the config
    Origin origin = Origin::initial;
    bool is_finally = false;            // it is that of its task, or a retry of it
    std::uint32_t completion = absent;  // its index, if it has ended
    std::uint64_t offset = 0;           // of the entry's line in the log
};

// The end of an attempt: one TaskCompleted entry.
struct Completion {
    double started = 0;  // ms since 1970; NaN if unknown
    double ended = 0;    // the same
    float usd = 0;       // NaN if the agent has not reported it
    Row row = absent;
    std::uint32_t pre = absent;      // ms of the pre hook
    std::uint32_t post = absent;     // ms of the post hook
    std::uint32_t tokens = 0;        // input and output; stops at the largest
    std::uint16_t agent = no_agent;  // index into Trace::agents()
    Outcome outcome = Outcome::none;
    std::uint8_t reason = 0;   // 0: no failure; otherwise 1 + workflow::Failure::Kind
    std::uint8_t flags = 0;    // of Flag
    std::uint64_t offset = 0;  // of the entry's line in the log
    Row first_child = absent;  // the children follow one after the other
    std::uint32_t children = 0;
};

// The time from the start, or from the submission if the log has no start, to the end, in ms. None if no
// attempt was made, if a time is unknown, or if the clock was set back in between.
std::optional<double> duration_of(const Attempt& attempt, const Completion& completion);

// The tasks of a step, or its `finally` tasks. Exact, whatever is shown of the rows.
struct Counts {
    std::uint64_t tasks = 0;
    std::uint64_t done = 0;
    std::uint64_t dropped = 0;
    std::uint64_t retried = 0;  // attempts after the first
    std::uint64_t timed = 0;    // attempts that have ended, with known times
    double total_ms = 0;        // of those
    double longest_ms = 0;

    std::uint64_t open() const { return tasks - done - dropped; }
};

struct Tally {
    Counts tasks;
    Counts finallys;
};

// The number of a row among these, which ascend; `absent` if it is none of them.
Row number_among(std::span<const Row> rows, Row row);

class Trace {
  public:
    // `name` is used in messages; usually the path of the log.
    explicit Trace(std::string name);

    // Takes the next bytes of the log, in pieces of any size. Only complete groups count; the rest of one is
    // waited for, and so is the rest of a line. Fails with errc::bad_message if the log is damaged; the
    // message contains the line and its offset. After an error the trace stays as it is, and takes nothing.
    base::Result<void> feed(std::string_view bytes);

    // How the log ends, if these were all its bytes. An incomplete end is no error, but a log without its
    // first line or its initial tasks is.
    base::Result<statelog::Tail> finish() const { return reader_.finish(); }

    // Null before the first line.
    const std::shared_ptr<const config::WorkflowConfig>& config() const { return reader_.config(); }
    const statelog::Header& header() const { return reader_.header(); }
    const std::string& name() const { return reader_.name(); }

    // How many attempts and ends of attempts there are, of complete groups.
    Position position() const { return committed_; }
    // Whether the trace has come that far: if not, the position is of another log.
    bool contains(Position position) const {
        return position.rows <= committed_.rows && position.completions <= committed_.completions;
    }

    // `row` and `index` must be less than those of position().
    Attempt attempt(Row row) const;
    Completion completion(std::uint32_t index) const;
    // The attempt with this number.
    std::optional<Row> find(std::uint64_t id) const;
    // The first and the last attempt of the task to which the row belongs.
    Row first_of(Row row) const;
    Row last_of(Row row) const;

    // What has become of the tasks, by step.
    const std::vector<Tally>& tallies() const { return tallies_; }
    // What agents have used: in all, and the part of it that no report has told.
    workflow::UsageTable usage() const;
    const UnreportedUsage& unreported() const { return unreported_; }
    // "mine (claude opus)", as far as it is known, in the order in which they have first ended a task.
    const std::vector<std::string>& agents() const { return agents_; }
    // The time of the first and the last entry that has one.
    std::optional<statelog::Time> first_time() const { return first_time_; }
    std::optional<statelog::Time> last_time() const { return last_time_; }

    // Appends a batch, padded to a multiple of 8 bytes, with what comes after `from`, which the trace must
    // contain: first rows, then completions, at most `most` of both together, and nothing after `until`,
    // which is not before `from`. Returns the position after it.
    Position append_batch(std::string& out, Position from, std::uint32_t most = absent,
                          Position until = {absent, absent}) const;

    // Appends a batch with only these attempts, which ascend, and all names of agents. They are numbered
    // anew, from 0; a `parent` or `of` that is left out is `absent`.
    void append_chosen(std::string& out, std::span<const Row> rows) const;

  private:
    struct Rows {
        std::deque<double> submitted;
        std::deque<std::uint32_t> id, parent, of, next, completion;
        std::deque<std::uint16_t> step;
        std::deque<std::uint8_t> origin;  // an Origin, and `of_finally`
        std::deque<std::uint64_t> offset;
    };
    struct Completions {
        std::deque<double> started, ended;
        std::deque<float> usd;
        std::deque<std::uint32_t> row, pre, post, tokens, first_child, children;
        std::deque<std::uint16_t> agent;
        std::deque<Outcome> outcome;
        std::deque<std::uint8_t> reason, flags;
        std::deque<std::uint64_t> offset;
    };

    base::Result<void> take(const statelog::Record& record);
    void take_note(const statelog::UsageNote& note);
    base::Result<void> submit(const workflow::TaskSubmitted& entry, std::optional<statelog::Time> time);
    base::Result<void> relate(const workflow::TaskSubmitted& entry, Attempt& attempt) const;
    base::Result<void> note_id(std::uint64_t id);
    base::Result<void> complete(const workflow::TaskCompleted& entry, const statelog::Record& record);
    bool is_between_groups() const;
    void end_group();
    void count_row(Row row);
    void count_completion(std::uint32_t index);
    void note_agent(std::uint32_t index);
    Counts& counts_of(Row row);
    void add(const Attempt& attempt);
    void add(const Completion& completion);
    std::optional<Row> find_row(std::uint64_t id) const;
    Row row_count() const { return static_cast<Row>(rows_.id.size()); }
    std::uint32_t completion_count() const { return static_cast<std::uint32_t>(completions_.row.size()); }
    std::span<const std::string> agents_between(std::uint32_t from, std::uint32_t to) const;

    statelog::EntryReader reader_;
    Rows rows_;
    Completions completions_;
    Position committed_;
    std::unordered_map<std::uint32_t, Row> by_id_;  // all of them, once an id is less than the one before
    std::vector<Tally> tallies_;
    workflow::UsageTable reported_;
    UnreportedUsage unreported_;
    // These are of the group that is not complete:
    std::shared_ptr<const pool_protocol::AgentReport> report_;
    std::shared_ptr<const std::string> agent_;
    std::optional<statelog::Time> group_time_;

    std::vector<std::string> agents_;
    std::vector<std::uint32_t> agents_since_;  // by agent: the completion with which it came
    std::map<std::string, std::uint16_t> agent_indices_;
    std::optional<statelog::Time> first_time_;
    std::optional<statelog::Time> last_time_;
};

}  // namespace trace
