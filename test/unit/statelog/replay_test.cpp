#include "config/load.hpp"
#include "log_text.hpp"
#include "workflow/machine.hpp"

using namespace statelog;
using workflow::Task;
using workflow::TaskId;

namespace {

const std::string initial_log = config_line + submitted(0, "A", "null", initial, R"({"root":1})");
const std::string group_1_2 =
    succeeded(0, "[1,2]") + submitted(1, "B", "0", spawned) + submitted(2, "B", "0", spawned);

Task::Status status(const Replayed& log, std::uint64_t id) {
    const Task* task = log.replay.state().find({id});
    REQUIRE(task);
    return task->status;
}

}  // namespace

TEST_CASE("a_task_that_is_submitted_and_not_completed_is_pending") {
    Replayed log = replayed(initial_log);
    CHECK(status(log, 0) == Task::Status::ready);
    CHECK(*log.replay.state().find({0})->value == R"({"root":1})");
    CHECK(log.tail.committed_bytes == initial_log.size());
    CHECK(log.tail.dropped_bytes == 0);
}

TEST_CASE("a_completed_task_whose_children_are_pending_waits") {
    Replayed log = replayed(initial_log + group_1_2 + succeeded(1, "[]"));
    CHECK(status(log, 0) == Task::Status::waiting);
    CHECK_FALSE(log.replay.state().find({1}));
    CHECK(status(log, 2) == Task::Status::ready);
}

TEST_CASE("retry_counts_follow_the_chain_of_retries") {
    Replayed log = replayed(initial_log + group_1_2 + failed(2, R"(,"retry_task_id":3)") +
                            submitted(3, "B", "0", retry(2)) + failed(3, R"(,"retry_task_id":4)") +
                            submitted(4, "B", "0", retry(3)));
    CHECK(log.replay.state().find({4})->attempt == 3);
    auto group = workflow::decide(*log.replay.config(), log.replay.state(), {4}, workflow::Failure{});
    CHECK_FALSE(std::get<workflow::Failed>(std::get<workflow::TaskCompleted>(group[0]).outcome).retry);
}

TEST_CASE("a_task_that_failed_without_a_retry_is_dropped_and_noted") {
    Replayed log = replayed(initial_log + group_1_2 + failed(2, "") + failed(1, R"(,"retry_task_id":null)"));
    CHECK_FALSE(log.replay.state().find({2}));
    REQUIRE(log.replay.dropped_count() == 2);
    CHECK(log.replay.dropped()[0].task == TaskId{2});
    CHECK(log.replay.dropped()[0].failure.kind == workflow::Failure::Kind::timeout);
}

TEST_CASE("a replay sums what agents have reported, of all attempts") {
    Replayed log = replayed(
        initial_log + reported(group_1_2.substr(0, group_1_2.find('\n') + 1), R"({"kind":"a"})") +
        group_1_2.substr(group_1_2.find('\n') + 1) +
        reported(failed(2, R"(,"retry_task_id":3)"), R"({"kind":"b","repairs":1})") +
        submitted(3, "B", "0", retry(2)) + reported(succeeded(3, "[]"), R"({"kind":"b","repairs":2})"));
    const workflow::UsageTable& usage = log.replay.usage();
    CHECK(usage.rows().size() == 2);
    CHECK(usage.of({0}).reports == 1);
    CHECK(usage.of({1}).repairs == 3);
    CHECK(replayed(initial_log + group_1_2).replay.usage().empty());
}

TEST_CASE("a_finally_that_is_due_is_derived_with_the_value_of_its_task") {
    Replayed log = replayed(initial_log + group_1_2 + succeeded(1, "[]") + succeeded(2, "[]"));
    auto due = workflow::decide_due(log.replay.state());
    REQUIRE(due.size() == 1);
    const auto& finally = std::get<workflow::TaskSubmitted>(due[0][0]);
    CHECK(finally.task == TaskId{3});
    CHECK(std::get<workflow::Finally>(finally.origin).finally_for == TaskId{0});
    CHECK(*finally.value == R"({"root":1})");
}

TEST_CASE("a_finally_that_is_in_the_log_is_not_derived_again") {
    Replayed log = replayed(initial_log + succeeded(0, "[]") + submitted(1, "A", "null", finally_for(0)));
    CHECK(workflow::decide_due(log.replay.state()).empty());
    CHECK(status(log, 1) == Task::Status::ready);
    CHECK(replayed(initial_log + succeeded(0, "[]") + submitted(1, "A", "null", finally_for(0)) +
                   succeeded(1, "[]"))
              .replay.state()
              .over());
}

TEST_CASE("ids_go_on_after_the_highest_one") {
    Replayed log = replayed(initial_log + group_1_2 + succeeded(2, "[]"));
    auto group = workflow::decide(*log.replay.config(), log.replay.state(), {1}, workflow::Failure{});
    CHECK(std::get<workflow::TaskSubmitted>(group[1]).task == TaskId{3});
}

TEST_CASE("torn_last_line_is_dropped") {
    std::string torn = succeeded(0, "[]");
    for (std::size_t kept : {std::size_t{1}, torn.size() / 2, torn.size() - 1}) {
        Replayed log = replayed(initial_log + torn.substr(0, kept));
        CHECK(log.tail.torn_line);
        CHECK_FALSE(log.tail.torn_group);
        CHECK(log.tail.committed_bytes == initial_log.size());
        CHECK(log.tail.dropped_bytes == kept);
        CHECK(status(log, 0) == Task::Status::ready);
    }
}

TEST_CASE("zero_filled_tail_is_dropped") {
    Replayed log = replayed(initial_log + std::string(8192, '\0'));
    CHECK(log.tail.torn_line);
    CHECK(log.tail.committed_bytes == initial_log.size());
}

TEST_CASE("of a line that no entry begins like, only the size is kept") {
    const std::string zeros(std::size_t{1} << 20, '\0');
    Replay replay("LOG");
    REQUIRE(replay.feed(initial_log).has_value());
    for (int i = 0; i < 2000; ++i)  // more than an entry may have
        REQUIRE(replay.feed(zeros).has_value());
    auto tail = replay.finish();
    REQUIRE(tail.has_value());
    CHECK(tail->torn_line);
    CHECK(tail->committed_bytes == initial_log.size());
    CHECK(tail->dropped_bytes == 2000 * zeros.size());
    CHECK_THAT(replay.feed("\n").error().message,
               Catch::Contains("line 3, byte") && Catch::Contains("is not JSON"));
}

TEST_CASE("a line with zeros is refused in the same words whether it comes whole or in pieces") {
    for (const std::string& before : {std::string(), std::string(initial_log)}) {
        std::string line = R"({"kind":"Config","config":)";
        line += std::string(3, '\0');
        Replay whole("LOG");
        REQUIRE((before.empty() || whole.feed(before)));
        Replay pieces("LOG");
        REQUIRE((before.empty() || pieces.feed(before)));
        REQUIRE(pieces.feed(line).has_value());
        CHECK(whole.feed(line + "\n").error().message == pieces.feed("\n").error().message);
    }
}

TEST_CASE("of an entry that zeros interrupt, what is before them is kept") {
    const std::string zeros(std::size_t{1} << 20, '\0');
    const std::string torn = R"({"kind":"TaskSub)";
    Replay replay("LOG");
    REQUIRE(replay.feed(initial_log + torn).has_value());
    for (int i = 0; i < 2000; ++i)  // more than an entry may have
        REQUIRE(replay.feed(zeros).has_value());
    auto tail = replay.finish();
    REQUIRE(tail.has_value());
    CHECK(tail->committed_bytes == initial_log.size());
    CHECK(tail->dropped_bytes == torn.size() + 2000 * zeros.size());
    Replay begun("LOG");
    REQUIRE(begun.feed("{\"kind\":\"Config\",").has_value());
    for (int i = 0; i < 2000; ++i)
        REQUIRE(begun.feed(zeros).has_value());
    CHECK_THAT(begun.finish().error().message,
               Catch::StartsWith("LOG: line 1, byte 0: the entry is missing"));
    CHECK_THAT(begun.feed("\n").error().message,
               Catch::StartsWith("LOG: line 1, byte 0: the entry is not JSON"));
    CHECK_THAT(Replay("LOG").feed("{\"kin" + zeros).error().message, Catch::Contains("is not a state log"));
}

TEST_CASE("what does not begin as a log is refused before its first line ends, if that is long") {
    const std::string other(std::size_t{1} << 20, 'x');
    Replay replay("LOG");
    CHECK(replay.feed(other).has_value());
    CHECK_THAT(replay.feed("x").error().message, Catch::Contains("is not a state log"));
    CHECK(Replay("LOG").feed(R"({"kind":"Con)").has_value());
}

TEST_CASE("a_group_that_is_not_whole_is_dropped_whole") {
    for (const std::string& part :
         {succeeded(0, "[1,2]"), succeeded(0, "[1,2]") + submitted(1, "B", "0", spawned),
          succeeded(0, "[1,2]") + submitted(1, "B", "0", spawned) + R"({"kind":)",
          failed(0, R"(,"retry_task_id":1)")}) {
        Replayed log = replayed(initial_log + part);
        CHECK(log.tail.torn_group);
        CHECK(log.tail.committed_bytes == initial_log.size());
        CHECK(log.tail.dropped_bytes == part.size());
    }
}

TEST_CASE("a_group_whose_finally_is_torn_off_stays") {
    std::string text = initial_log + succeeded(0, "[]");
    Replayed log = replayed(text + R"({"kind":"TaskSub)");
    CHECK_FALSE(log.tail.torn_group);
    CHECK(log.tail.committed_bytes == text.size());
    CHECK(workflow::decide_due(log.replay.state()).size() == 1);
}

TEST_CASE("bytes_may_come_in_pieces_of_any_size") {
    std::string text = initial_log + group_1_2 + succeeded(1, "[]") + "torn";
    for (std::size_t size : {1U, 7U, 64U, 1000U}) {
        Replay replay("LOG");
        for (std::size_t at = 0; at < text.size(); at += size)
            REQUIRE(replay.feed(std::string_view(text).substr(at, size)).has_value());
        auto tail = replay.finish();
        REQUIRE(tail.has_value());
        CHECK(tail->dropped_bytes == 4);
        CHECK(replay.state().tasks.size() == 2);
    }
}

TEST_CASE("damage_in_the_middle_is_refused_with_line_and_byte") {
    std::string damaged = initial_log + "{\"kind\":\"TaskCom\n" + group_1_2;
    CHECK_THAT(refusal(damaged), Catch::StartsWith("LOG: line 3, byte " + std::to_string(initial_log.size()) +
                                                   ": the entry is not JSON"));
    CHECK_THAT(refusal(damaged), Catch::Contains("head -c " + std::to_string(initial_log.size())));
    CHECK_THAT(refusal(initial_log + std::string(100, '\0') + "\n" + group_1_2), Catch::Contains("line 3"));
    CHECK_THAT(refusal(initial_log + "\n"), Catch::Contains("line 3"));
}

TEST_CASE("a_file_that_never_was_a_log_is_called_none") {
    std::string none = "LOG is not a state log: its first line is not a Config entry";
    CHECK(refusal("{\n  \"entrypoint\": \"A\",\n}\n") == none);
    CHECK(refusal("{\"entrypoint\": \"A\"}") == none);
    CHECK(refusal("just text\n" + initial_log) == none);
    CHECK(refusal(std::string(100, '\0')) == none);
    CHECK_THAT(refusal("{\"kind\":\"Config\",\"conf\n" + initial_log),
               Catch::StartsWith("LOG: line 1, byte 0: "));
    CHECK_THAT(refusal("{\"kind\":\"Con"), Catch::StartsWith("LOG: line 1, byte 0: the entry is missing"));
    CHECK_THAT(refusal(""), Catch::StartsWith("LOG: line 1, byte 0: the entry is missing"));
}

TEST_CASE("unknown_entries_are_refused") {
    CHECK_THAT(refusal(initial_log + "{\"kind\":\"Snapshot\"}\n"),
               Catch::Contains("line 3") && Catch::Contains("Snapshot"));
}

TEST_CASE("duplicate_and_impossible_ids_are_refused") {
    auto refused = [](const std::string& text) {
        CHECK_THAT(refusal(initial_log + text), Catch::Contains("LOG: line "));
    };
    refused(submitted(0, "A", "null", initial));       // submitted twice
    refused(submitted(3, "A", "0", initial));          // begun with, but has a parent
    refused(succeeded(7, "[]"));                       // completed, never submitted
    refused(succeeded(0, "[]") + succeeded(0, "[]"));  // completed twice
    refused(succeeded(0, "[0]"));                      // spawns itself
    refused(succeeded(0, "[1,1]"));                    // one child twice
    refused(group_1_2 + succeeded(1, "[2]"));          // a child that is there
    refused(group_1_2 + succeeded(2, "[]") + failed(1, R"(,"retry_task_id":2)"));  // an id that was used
    refused(submitted(1, "B", "0", spawned));                                      // not announced
    refused(submitted(1, "B", "null", retry(0)));                                  // not announced
    refused(submitted(1, "A", "null", finally_for(0)));                            // not due
    refused(group_1_2 + submitted(3, "A", "null", finally_for(0)));                // not due yet
    refused(succeeded(0, "[1]") + submitted(2, "B", "0", spawned));                // another than announced
    refused(succeeded(0, "[1]") + submitted(1, "B", "null", spawned));             // of another parent
    refused(succeeded(0, "[1]") + submitted(1, "B", "0", retry(0)));               // of another origin
    refused(failed(0, R"(,"retry_task_id":1)") + submitted(1, "B", "null", retry(0)));  // of another step
    refused(failed(0, R"(,"retry_task_id":1)") + submitted(1, "A", "null", retry(5)));  // of another task
}

TEST_CASE("nothing_comes_between_a_completion_and_what_it_announces") {
    std::string open = succeeded(0, "[1,2]") + submitted(1, "B", "0", spawned);
    CHECK_THAT(refusal(initial_log + open + succeeded(1, "[]") + submitted(2, "B", "0", spawned)),
               Catch::Contains("line 5") && Catch::Contains("comes too early"));
}

TEST_CASE("a_log_without_a_whole_config_entry_is_refused") {
    for (const std::string& text : {std::string(), config_line.substr(0, 40)})
        CHECK_THAT(refusal(text), Catch::Contains("line 1, byte 0"));
    CHECK_THAT(refusal(initial_log.substr(config_line.size())), Catch::Contains("not a Config entry"));
}

TEST_CASE("a_log_that_was_cut_in_its_initial_records_is_refused") {
    std::string line =
        R"({"kind":"Config","config":)" + config_text + R"(,"directory":"/","initial_tasks":2})" + "\n";
    std::string one = submitted(0, "A", "null", initial);
    CHECK_THAT(refusal(line + one), Catch::Contains("the log has 1 of the run's 2 initial tasks"));
    CHECK(replayed(line + one + submitted(1, "A", "null", initial)).replay.state().tasks.size() == 2);
}

TEST_CASE("ids_that_leave_no_room_for_new_ones_are_refused") {
    std::string entry = R"({"kind":"TaskSubmitted","task_id":4611686018427387903,"step":"A","value":1,)"
                        R"("parent_id":null,"origin":"Initial"})";
    CHECK_THAT(refusal(config_line + entry + "\n"), Catch::Contains("no room for new ones"));
}

TEST_CASE("extra_fields_of_another_version_do_no_harm") {
    std::string line =
        R"({"version":9,"kind":"Config","new":[],"config":)" + config_text + R"(,"directory":"/"})" + "\n";
    Replayed log = replayed(line + R"({"priority":1,"kind":"TaskSubmitted","task_id":0,"step":"A","value":1,)"
                                   R"("parent_id":null,"origin":"Initial"})"
                                   "\n");
    CHECK(log.replay.state().tasks.size() == 1);
}

TEST_CASE("a_log_of_a_higher_format_is_refused_with_the_version_that_wrote_it") {
    auto log_of = [](const std::string& members) {
        return R"({"kind":"Config","config":)" + config_text + R"(,"directory":"/")" + members + "}\n";
    };
    auto refused = [&](const std::string& members) {
        auto fed = statelog::Replay("LOG").feed(log_of(members));
        REQUIRE(fed.has_error());
        CHECK_FALSE(is_damage(fed.error()));  // nothing is to be repaired
        return fed.error().message;
    };
    CHECK_THAT(
        refused(R"(,"format":5,"version":"9.9")"),
        Catch::Contains("was written by version 9.9 in format 5, and this program reads formats up to 4"));
    CHECK_THAT(refused(R"(,"format":6)"), Catch::Contains("written by version (unknown) in format 6"));
    CHECK(replayed(log_of("")).replay.header().format == 1);
    Replayed log = replayed(log_of(R"(,"format":4,"version":"1.2")"));
    CHECK(log.replay.header().format == log_format);
    CHECK(log.replay.header().version == "1.2");
    CHECK(log.replay.header_end() == log_of(R"(,"format":4,"version":"1.2")").size());
}

TEST_CASE("the_documented_example_of_a_crash_resumes_as_documented") {
    Replayed log =
        replayed(initial_log + succeeded(0, "[1,2,3]") + submitted(1, "B", "0", spawned) +
                 submitted(2, "B", "0", spawned) + submitted(3, "B", "0", spawned) + succeeded(1, "[]"));
    CHECK(status(log, 0) == Task::Status::waiting);
    CHECK_FALSE(log.replay.state().find({1}));
    CHECK(status(log, 2) == Task::Status::ready);
    CHECK(status(log, 3) == Task::Status::ready);
    CHECK(log.replay.state().tasks.size() == 3);
}

TEST_CASE("what was past a bound is counted, and not among the dropped tasks that are told") {
    auto past = [](int id) {
        return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
               R"(,"outcome":{"kind":"Failed","value":{"reason":{"kind":"PastBound","failure":"max_depth",)" +
               R"("message":"no"},"retry_task_id":null}}})" + "\n";
    };
    Replayed log = replayed(initial_log + group_1_2 + past(1) + failed(2, ""));
    CHECK(log.replay.dropped_count() == 2);
    REQUIRE(log.replay.dropped().size() == 1);
    CHECK(log.replay.dropped()[0].task == TaskId{2});
    CHECK(log.replay.state().steps[1].past_bound[1] == 1);
    CHECK(log.replay.state().steps[1].dropped == 2);
}

TEST_CASE("a log tells a retry the same as the run that wrote it, whatever bytes the failure had") {
    const auto loaded = config::load_text(config_text, "test", "/");
    const config::WorkflowConfig& config = *loaded.config;
    workflow::State live(config);
    std::string log = config_line;
    auto enter = [&](const workflow::Group& group) {
        for (const auto& entry : group) {
            workflow::apply(config, live, entry).value();
            std::string line;
            append_record(line, config, entry, Time());
            log += line.substr(0, line.rfind(",\"checksum\":")) + "}\n";
        }
    };
    enter(workflow::decide_initial(live, {{{0}, "{}"}}));
    workflow::Failure failure;
    for (int i = 0; i < 10'000; ++i)
        failure.message += "caf\xE9 \x01\"é\n";
    failure.response = workflow::feedback_text(failure.message);
    enter(workflow::decide(config, live, {0}, failure));
    auto told = replayed(log).replay.state().previous_of({1});
    REQUIRE(told);
    CHECK(*told == *live.previous_of({1}));
}
