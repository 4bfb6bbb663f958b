// One long log with all that can stand in a log, cut at each of its bytes.
#include "random.hpp"
#include "resume.hpp"

#include <catch2/catch.hpp>

#include <bitset>
#include <set>

using namespace sim;
using workflow::TaskCompleted;
using workflow::TaskId;
using workflow::TaskSubmitted;

namespace {

constexpr std::size_t least_bytes = 200'000;
constexpr std::size_t most_bytes = 300'000;  // for the sake of time
constexpr std::size_t stride = workflow_test::is_sanitized ? 41 : 1;
constexpr std::size_t from_scratch_every = 97;
constexpr std::size_t lived_on_every = 1'499;

// What a log has of the shapes that an entry can take.
class Shapes {
  public:
    explicit Shapes(const Log& log) {
        using enum workflow::Failure::Kind;
        for (auto kind : {past_bound, rejected, expired})
            reasons_.set(static_cast<std::size_t>(kind) * 2 + 1);  // it is never retried
        for (const auto& entry : log.entries)
            std::visit(*this, entry);
    }

    void operator()(const TaskSubmitted& entry) {
        origins_.set(entry.origin.index());
        const auto* finally = std::get_if<workflow::Finally>(&entry.origin);
        const auto* retry = std::get_if<workflow::Retry>(&entry.origin);
        bool retries_finally = retry && finallys_.contains(retry->replaces);
        if (retries_finally) seen_.set(retry_of_finally);
        if (finally || retries_finally) finallys_.insert(entry.task);
        if (finally && below_finally_.contains(finally->finally_for)) seen_.set(finally_below_finally);
        if (entry.parent && (finallys_.contains(*entry.parent) || below_finally_.contains(*entry.parent)))
            below_finally_.insert(entry.task);
        if (entry.value->size() > 4'000) seen_.set(big_value);
        if (entry.value->find("語") != std::string::npos) seen_.set(non_ascii);
    }
    void operator()(const TaskCompleted& entry) {
        if (entry.answered) seen_.set(answer);
        if (const auto* succeeded = std::get_if<workflow::Succeeded>(&entry.outcome)) {
            if (succeeded->spawned.size() >= 20) seen_.set(fan_out);
            return;
        }
        const auto& failed = std::get<workflow::Failed>(entry.outcome);
        reasons_.set(static_cast<std::size_t>(failed.failure().kind) * 2 + (failed.retry ? 1 : 0));
        if (!failed.retry && finallys_.contains(entry.task)) seen_.set(finally_dropped);
        if (failed.failure().response) seen_.set(response);
    }

    bool all() const { return origins_.all() && reasons_.all() && seen_.all(); }

  private:
    enum Seen {
        fan_out,
        big_value,
        non_ascii,
        retry_of_finally,
        finally_dropped,
        finally_below_finally,
        response,
        answer,
        seen_count
    };
    std::bitset<std::variant_size_v<workflow::Origin>> origins_;
    std::bitset<18> reasons_;  // each with a retry and without
    std::bitset<seen_count> seen_;
    std::set<TaskId> finallys_;
    std::set<TaskId> below_finally_;
};

// The first workload whose log is long enough and has everything in it.
Workload workload_with_everything(Log& log) {
    for (std::uint32_t seed = 1;; ++seed) {
        Workload workload(seed, {1'500, true});
        Life life(workload, seed);
        life.play();
        log = life.log();
        bool fits = log.text.size() >= least_bytes && log.text.size() <= most_bytes;
        if (fits && Shapes(log).all()) return workload;
    }
}

// Where the replays of a log stand that is read a line at a time.
class EveryByte {
  public:
    EveryByte(const Workload& workload, const Log& log)
        : workload_(workload),
          log_(log),
          counts_(committed_counts(log.entries)),
          done_(log.done()),
          begun_{workload.begun(), workload.header().size()},
          lines_(workload.begun()),
          counting_(workload.begun()),
          model_(workload.config()) {}

    std::size_t cuts() const { return cuts_; }

    void cut_everywhere() {
        lines_.feed(text(begun_.bytes, log_.initial_bytes())).value();
        for (std::size_t line = log_.born; line <= log_.entries.size(); ++line) {
            count_up_to(counts_[line]);
            std::size_t begin = log_.ends[line - 1];
            std::size_t end = line < log_.entries.size() ? log_.ends[line] : begin + 1;
            for (std::size_t cut = begin; cut < end; cut += stride)
                cut_at(cut, begin, counts_[line]);
            if (line < log_.entries.size()) lines_.feed(text(begin, end)).value();
        }
    }

  private:
    std::string_view text(std::size_t begin, std::size_t end) const {
        return std::string_view(log_.text).substr(begin, end - begin);
    }

    void count_up_to(std::size_t count) {
        if (count == counted_) return;
        std::size_t from = counted_ > 0 ? log_.ends[counted_ - 1] : begun_.bytes;
        counting_.feed(text(from, log_.ends[count - 1])).value();
        for (; counted_ < count; ++counted_)
            must(!model_.add(log_.entries[counted_]), "the log is as a log should be");
        standing_ = model_.standing();
    }

    void cut_at(std::size_t cut, std::size_t line_begin, std::size_t count) {
        ++cuts_;
        statelog::Replay replay = lines_;
        if (auto fed = replay.feed(text(line_begin, cut)); !fed) throw Broken(fed.error().message);
        auto tail = replay.finish();
        if (!tail) throw Broken(tail.error().message);
        check_tail(log_, cut, count, *tail);
        check_state(standing_, tail->torn_group ? counting_.state() : replay.state());
        if (cuts_ % from_scratch_every != 0) return;
        Resumed resumed = resume(workload_, log_, cut, begun_);
        if (cuts_ % lived_on_every != 0) return;
        Life life = live_on(workload_, resumed, cut);
        life.play();
        check_end(resumed, life.log(), done_);
    }

    const Workload& workload_;
    const Log& log_;
    std::vector<std::size_t> counts_;
    std::vector<std::uint64_t> done_;
    Fed begun_;
    statelog::Replay lines_;     // of the whole lines
    statelog::Replay counting_;  // of those of them that count
    LogModel model_;             // of those as well
    std::size_t counted_ = 0;
    Standing standing_;
    std::size_t cuts_ = 0;
};

}  // namespace

TEST_CASE("every_byte: a log cut at any byte after its initial records resumes to where it stood") {
    Log log;
    Workload workload = workload_with_everything(log);
    EveryByte test(workload, log);
    try {
        test.cut_everywhere();
    } catch (const std::exception& error) {
        FAIL("cut " << test.cuts() << " after the initial records: " << error.what());
    }
    CHECK(test.cuts() >= (log.text.size() - log.initial_bytes()) / stride);
}

TEST_CASE("every_byte: a log cut in its initial records is refused") {
    Log log;
    Workload workload = workload_with_everything(log);
    REQUIRE(log.initial_bytes() > 1'000);
    for (std::size_t cut = 0; cut < log.initial_bytes(); cut += workflow_test::is_sanitized ? 7 : 1) {
        statelog::Replay replay("LOG");
        REQUIRE(replay.feed(std::string_view(log.text).substr(0, cut)).has_value());
        auto tail = replay.finish();
        if (!tail.has_error() || !statelog::is_damage(tail.error())) FAIL("cut at byte " << cut);
    }
}
