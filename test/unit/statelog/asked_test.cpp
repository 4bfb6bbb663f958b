// Tasks that wait for a person, in a log.
#include "log_text.hpp"

using namespace statelog;
using workflow::TaskId;

namespace {

// The log was begun at 100.
const std::string header =
    R"({"kind":"Config","config":{"entrypoint":"Ask","steps":[{"name":"Ask","action":{"kind":"Human"},)"
    R"("next":["Ask","Work"],"finally":{"kind":"Command","script":"f"},"options":{"max_retries":1}},)"
    R"({"name":"Work","action":{"kind":"Command","script":"w"},"next":["Ask"]}]},"directory":"/",)"
    R"("run_id":"r","time":100})"
    "\n";

std::string at(int time, std::string line) {
    return line.insert(line.size() - 2, ",\"time\":" + std::to_string(time));
}

const std::string asked =
    header + at(250, submitted(0, "Ask", "null", initial)) + at(250, submitted(1, "Work", "null", initial));

using Since = std::map<TaskId, Time>;

Time time(int milliseconds) {
    return Time(std::chrono::milliseconds(milliseconds));
}

Since since(const std::string& text) {
    Replayed log = replayed(text);
    std::set<TaskId> known;
    for (const auto& [task, time] : log.replay.asked_since())
        known.insert(task);
    CHECK(known == log.replay.state().asked);
    return log.replay.asked_since();
}

}  // namespace

TEST_CASE("a question waits since its task was submitted, until it is completed") {
    CHECK(since(asked) == Since{{{0}, time(250)}});
    std::string answered = asked + at(300, succeeded(0, "[2,3]")) +
                           at(310, submitted(2, "Ask", "0", spawned)) +
                           at(310, submitted(3, "Work", "0", spawned));
    CHECK(since(answered) == Since{{{2}, time(310)}});
    CHECK(since(answered + at(400, failed(2, ""))).empty());
}

TEST_CASE("a finally of a Human step, and a retry of it, is no question") {
    std::string finally =
        asked + at(300, succeeded(0, "[]")) + at(300, submitted(2, "Ask", "null", finally_for(0)));
    CHECK(since(finally).empty());
    CHECK(since(finally + at(310, failed(2, R"(,"retry_task_id":3)")) +
                at(310, submitted(3, "Ask", "null", retry(2))))
              .empty());
}

TEST_CASE("a question that an earlier log has asked waits since this log was begun") {
    CHECK(since(header + at(50, submitted(0, "Ask", "null", initial))) == Since{{{0}, time(100)}});
    CHECK(since(header + submitted(0, "Ask", "null", initial)) == Since{{{0}, time(100)}});
    std::string undated = header;
    undated.erase(undated.find(",\"time\":100"), 11);
    CHECK(since(undated + at(50, submitted(0, "Ask", "null", initial))) == Since{{{0}, time(50)}});
    CHECK(since(undated + submitted(0, "Ask", "null", initial)) == Since{{{0}, time(0)}});
}

TEST_CASE("what a person answers is completed in the log, in a group or not at all") {
    std::string group = at(300, succeeded(0, "[2]"));
    CHECK(replayed(asked + group).tail.torn_group);
    Replayed whole = replayed(asked + group + at(300, submitted(2, "Work", "0", spawned)));
    CHECK_FALSE(whole.tail.torn_group);
    CHECK(whole.replay.state().asked.empty());
    CHECK_THAT(refusal(asked + at(300, succeeded(0, "[]")) + at(310, succeeded(0, "[]"))),
               Catch::Contains("is completed, but was not to be done"));
}
