// Lines that say what an attempt has used before it has ended.
#include "statelog/usage_note.hpp"

#include "log_text.hpp"
#include "statelog/line_checksum.hpp"

using namespace statelog;

namespace {

const std::string begun = config_line + submitted(0, "A", "null", initial);

std::string used(int id, int input, int output) {
    return R"({"kind":"UsageReported","task_id":)" + std::to_string(id) +
           R"(,"usage":{"turn":1,"input_tokens":)" + std::to_string(input) + R"(,"output_tokens":)" +
           std::to_string(output) + "},\"time\":5}\n";
}

std::uint64_t tokens_in(const workflow::UsageTable& table) {
    return table.total().input_tokens + table.total().output_tokens;
}

std::string damage_of(const std::string& log) {
    Replay replay("LOG");
    auto fed = replay.feed(log);
    return fed ? "" : fed.error().message;
}

}  // namespace

TEST_CASE("a note of usage is a line with a checksum, and is read as it was written") {
    UsageNote note{workflow::TaskId{7}, {}};
    note.used.turn = 3;
    note.used.input_tokens = 1200;
    note.used.cached_tokens = 800;
    note.used.output_tokens = 42;
    note.used.usd = 0.25;
    std::string line;
    append_usage_note(line, note, Time(std::chrono::milliseconds(12)));
    REQUIRE(line.ends_with("\n"));
    line.pop_back();
    CHECK(is_usage_note(line));
    CHECK(checksum_of(line) == Checksum::right);
    CHECK(line.find(R"("time":12)") != std::string::npos);
    auto read = read_usage_note(line);
    REQUIRE(read.has_value());
    CHECK(read->task == note.task);
    CHECK(read->used == note.used);
    CHECK(read->time == Time(std::chrono::milliseconds(12)));
}

TEST_CASE("what an attempt has used counts while it has not ended, by its last note") {
    auto log = replayed(begun + used(0, 10, 1) + used(0, 20, 2));
    CHECK(log.replay.usage().empty());
    CHECK(tokens_in(log.replay.whole_usage()) == 22);
    CHECK(log.replay.running_usage().at(workflow::TaskId{0}).back().used.input_tokens == 20);
    CHECK(log.tail.dropped_bytes == 0);
    CHECK(log.replay.state().find({0})->status == workflow::Task::Status::ready);
}

TEST_CASE("all notes of an attempt are there with their times, for a run that resumes it") {
    auto log = replayed(begun + used(0, 10, 1) + used(0, 20, 2));
    const auto& noted = log.replay.running_usage().at(workflow::TaskId{0});
    REQUIRE(noted.size() == 2);
    CHECK(noted.front().used.input_tokens == 10);
    CHECK(noted.front().time == std::chrono::milliseconds(5));
}

TEST_CASE("the report of an attempt takes the place of its notes, and without one they stay") {
    auto ended = reported(succeeded(0, "[]"), R"({"kind":"a","input_tokens":30})");
    auto log = replayed(begun + used(0, 20, 2) + ended);
    CHECK(tokens_in(log.replay.whole_usage()) == 30);
    CHECK(log.replay.running_usage().empty());
    log = replayed(begun + used(0, 20, 2) + failed(0, R"(,"retry_task_id":1)") +
                   submitted(1, "A", "null", retry(0)) + used(1, 5, 0));
    CHECK(tokens_in(log.replay.usage()) == 22);
    CHECK(tokens_in(log.replay.whole_usage()) == 27);
}

TEST_CASE("a note of a task that is not in the log counts for nothing") {
    auto log = replayed(begun + used(9, 20, 2));
    CHECK(tokens_in(log.replay.whole_usage()) == 0);
}

TEST_CASE("a note that is not valid, or stands within a group, is damage") {
    CHECK_THAT(damage_of(begun + R"({"kind":"UsageReported","usage":{}})"
                                 "\n"),
               Catch::Contains("has no valid \"task_id\""));
    CHECK_THAT(damage_of(begun + R"({"kind":"UsageReported","task_id":0,"usage":{"turn":"x"}})"
                                 "\n"),
               Catch::Contains("has no valid \"usage\""));
    CHECK_THAT(damage_of(begun + R"({"kind":"UsageReported",)"
                                 "\n"),
               Catch::Contains("is not JSON"));
    CHECK_THAT(damage_of(begun + succeeded(0, "[1]") + used(0, 1, 1)), Catch::Contains("comes too early"));
}
