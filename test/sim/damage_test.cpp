// Logs with something wrong in them: a byte, a number, a line that is missing, there twice, or in the wrong
// place. How many, and which, as random.hpp says. Most of them are logs without checksums, so that what is
// wrong is found by what the entries say.
#include "base/text.hpp"
#include "read_log.hpp"
#include "resume.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>

using namespace sim;

namespace {

enum class Kind { flip, renumber, remove, repeat, swap, many };

std::string without_checksum(std::string_view line) {
    return base::concat(line.substr(0, line.rfind(",\"checksum\":")), "}\n");
}

// As an older program wrote it.
Log without_checksums(const Log& log) {
    Log plain = log;
    plain.text.clear();
    std::size_t at = log.text.find('\n') + 1;
    plain.text += without_checksum(std::string_view(log.text).substr(0, at));
    for (std::size_t i = 0; i < log.ends.size(); at = log.ends[i++]) {
        plain.text += without_checksum(std::string_view(log.text).substr(at, log.ends[i] - at));
        plain.ends[i] = plain.text.size();
    }
    return plain;
}

std::string_view line(const Log& log, std::size_t from, std::size_t to) {
    auto start = [&](std::size_t i) {
        return i == 0 ? 0 : i == 1 ? log.text.find('\n') + 1 : log.ends[i - 2];
    };
    return std::string_view(log.text).substr(start(from), start(to) - start(from));
}

// One byte is another, often by one bit, or one of those that mean something.
std::string flipped(const Log& log, Draw& draw) {
    std::string text = log.text;
    char& byte = text[draw.below(text.size())];
    constexpr std::string_view with_meaning = "\n\"\\{}[],:0123456789 e.-nul";
    char before = byte;
    if (draw.one_in(2)) byte = with_meaning[draw.below(with_meaning.size())];
    if (byte == before) byte = static_cast<char>(byte ^ (1 << draw.below(8)));
    return text;
}

// One id is another.
std::string renumbered(const std::string& text, std::size_t ids, Draw& draw) {
    constexpr std::string_view keys[] = {"\"task_id\":",     "\"parent_id\":",     "\"replaces\":",
                                         "\"finally_for\":", "\"retry_task_id\":", "_task_ids\":["};
    std::string_view key = keys[draw.below(std::size(keys))];
    std::size_t at = text.find(key, draw.below(text.size()));
    if (at == std::string::npos) return text;
    std::size_t begin = at + key.size();
    std::size_t end = text.find_first_of(",]}", begin);
    std::string number = draw.one_in(8) ? "null" : std::to_string(draw.below(ids));
    return text.substr(0, begin) + number + text.substr(end);
}

std::string damaged(const Log& log, Kind kind, Draw& draw) {
    std::size_t lines = log.entries.size() + 1;
    std::size_t at = draw.below(lines);
    switch (kind) {
        case Kind::renumber:
            return renumbered(log.text, lines, draw);
        case Kind::many:
            return renumbered(renumbered(damaged(log, Kind::remove, draw), lines, draw), lines, draw);
        case Kind::remove:
            return base::concat(line(log, 0, at), line(log, at + 1, lines));
        case Kind::repeat:
            return base::concat(line(log, 0, at + 1), line(log, at, lines));
        case Kind::swap:
            at = draw.below(lines - 1);
            return base::concat(line(log, 0, at), line(log, at + 1, at + 2), line(log, at, at + 1),
                                line(log, at + 2, lines));
        case Kind::flip:
            break;
    }
    return flipped(log, draw);
}

struct Replayed {
    statelog::Replay replay{"LOG"};
    std::optional<base::Error> refusal;
    std::size_t committed_bytes = 0;
};

Replayed replay(std::string_view text) {
    Replayed found;
    if (auto fed = found.replay.feed(text); !fed) {
        found.refusal = fed.error();
        return found;
    }
    auto tail = found.replay.finish();
    if (!tail) {
        found.refusal = tail.error();
        return found;
    }
    if (tail->torn_group) {
        Replayed whole = replay(text.substr(0, tail->committed_bytes));
        must(!whole.refusal, "what counts can be read alone");
        found.replay = whole.replay;
    }
    found.committed_bytes = tail->committed_bytes;
    return found;
}

workflow::State canonical_values(workflow::State state) {
    for (auto& [id, task] : state.tasks)
        if (task.value) task.value = std::make_shared<const std::string>(canonical(*task.value));
    return state;
}

// What the tests find, so that they can say that they have seen the one and the other.
struct Seen {
    std::size_t refused = 0;
    std::size_t resumed = 0;
};

class Damage {
  public:
    explicit Damage(std::uint32_t seed)
        : draw_(seed),
          workload_(seed, {30, draw_.one_in(2)}),
          header_(without_checksum(workload_.header())) {}

    // Part of a log, and one thing wrong with it.
    void check(Kind kind, Seen& seen) {
        log_ = without_checksums(live());
        text_ = damaged(log_, kind, draw_);
        Replayed found = replay(text_);
        if (found.refusal) must_be_damage(*found.refusal);
        if (!found.replay.config()) {
            must(text_.substr(0, header_.size()) != header_, "a whole header is read");
            ++seen.refused;
            return;
        }
        compare(found, seen);
    }

    // Another byte anywhere in a log with checksums.
    void check_flip_with_checksums(Seen& seen) {
        log_ = live();
        text_ = flipped(log_, draw_);
        std::size_t at =
            static_cast<std::size_t>(std::ranges::mismatch(text_, log_.text).in1 - text_.begin());
        if (at == text_.size()) return;
        auto number = static_cast<std::size_t>(std::count(
                          log_.text.begin(), log_.text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                      1;
        Replayed found = replay(text_);
        if (!found.refusal) {
            must(at + 1 == text_.size(), "nothing but the last newline is missing");
            ++seen.resumed;
            return;
        }
        must_be_damage(*found.refusal);
        ++seen.refused;
        auto is_at = [&](std::size_t where) {
            return found.refusal->message.starts_with(base::concat("LOG: line ", where, ","));
        };
        // A first line that has lost its checksum makes those of the others wrong.
        bool is_placed = is_at(number) || (number == 1 && (is_at(2) || is_of_later_version(*found.refusal) ||
                                                           !found.refusal->message.starts_with("LOG: ")));
        if (!is_placed)
            throw Broken(
                base::concat("line ", number, " was changed, but said is: ", found.refusal->message));
    }

    const std::string& text() const { return text_; }

  private:
    // A part of a run's log.
    Log live() {
        Life life(workload_, draw_.bits());
        for (std::uint32_t steps = draw_.below(60); steps > 0 && !life.over(); --steps)
            life.step();
        return life.log();
    }

    // The changed byte is the format, which is a later one now.
    static bool is_of_later_version(const base::Error& refusal) {
        return refusal.message.find("this program reads formats up to") != std::string::npos;
    }

    static void must_be_damage(const base::Error& refusal) {
        if (is_of_later_version(refusal)) return;
        must(statelog::is_damage(refusal), "a refusal is for damage");
        must(refusal.message.starts_with("LOG: line ") ||
                 refusal.message == "LOG is not a state log: its first line is not a Config entry",
             "a refusal names the line, or that it is no log");
    }

    void compare(const Replayed& found, Seen& seen) {
        Verdict verdict = read_log(*found.replay.config(), text_);
        if (found.refusal) {
            if (verdict.refused_at == 0) throw Broken("refused without a reason: " + found.refusal->message);
            auto place = base::concat("LOG: line ", verdict.refused_at, ",");
            if (!found.refusal->message.starts_with(place))
                throw Broken(base::concat("line ", verdict.refused_at, ", ", verdict.why,
                                          ", but said is: ", found.refusal->message));
            ++seen.refused;
            return;
        }
        if (verdict.refused_at != 0)
            throw Broken(base::concat("line ", verdict.refused_at, " is damaged: ", verdict.why));
        must(verdict.committed_bytes == found.committed_bytes, "what counts ends with the last whole group");
        check_state(verdict.model.standing(), canonical_values(found.replay.state()));
        ++seen.resumed;
        if (header_ == std::string_view(text_).substr(0, header_.size()))
            live_on(found, std::move(verdict.model));
    }

    // To an end by the rules, whatever it is.
    void live_on(const Replayed& found, LogModel model) {
        Life life(workload_, draw_.bits(), found.replay.state(), Log());
        life.play();
        for (const auto& entry : life.log().entries)
            if (const char* rule = model.add(entry)) throw Broken(rule);
        check_is_over(model);
    }

    Draw draw_;
    Workload workload_;
    std::string header_;  // without its checksum
    Log log_;
    std::string text_;
};

bool is_only_one() {
    return workflow_test::from_environment("BARNUM_RANDOM_SEED").has_value();
}

Seen check_all(const std::function<void(Damage&, Seen&)>& check_one,
               std::initializer_list<std::uint32_t> once_failed = {}) {
    Seen seen;
    auto check = [&](std::uint32_t seed) {
        Damage damage(seed);
        try {
            check_one(damage, seen);
        } catch (const std::exception& error) {
            FAIL(error.what() << "\n" << damage.text());
        }
    };
    workflow_test::for_each_seed(workflow_test::scaled(5'000, 5'000), once_failed, check);
    return seen;
}

Seen check_all(Kind kind, std::initializer_list<std::uint32_t> once_failed = {}) {
    return check_all([kind](Damage& damage, Seen& seen) { damage.check(kind, seen); }, once_failed);
}

// Some logs of that kind are refused, and some go on.
void check_both_ways(Kind kind, std::initializer_list<std::uint32_t> once_failed = {}) {
    Seen seen = check_all(kind, once_failed);
    INFO(seen.refused << " refused, " << seen.resumed << " resumed");
    CHECK((seen.refused > 0 || is_only_one()));
    CHECK((seen.resumed > 0 || is_only_one()));
}

}  // namespace

TEST_CASE("damage: a log with another byte is refused, or means what it says") {
    check_both_ways(Kind::flip, {13428, 50692});
}

TEST_CASE("damage: a log with checksums and another byte is refused where that byte is") {
    Seen seen = check_all([](Damage& damage, Seen& found) { damage.check_flip_with_checksums(found); },
                          {31810, 57796});
    CHECK((seen.refused > 100 * seen.resumed || is_only_one()));
}

TEST_CASE("damage: a log with another id is refused, or means what it says") {
    check_both_ways(Kind::renumber);
}

TEST_CASE("damage: a log without one of its lines is refused, or means what it says") {
    check_both_ways(Kind::remove);
}

TEST_CASE("damage: a log with a line twice is refused") {
    CHECK(check_all(Kind::repeat).resumed == 0);
}

TEST_CASE("damage: a log with two lines swapped is refused, or means what it says") {
    check_both_ways(Kind::swap);
}

TEST_CASE("damage: a log with several things wrong is refused, or means what it says") {
    check_both_ways(Kind::many);
}
