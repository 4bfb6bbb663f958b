#include "inspection_helper.hpp"

#include <algorithm>

using namespace inspect;
using namespace statelog;
using Catch::Matchers::Contains;

namespace {

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("the_text_has_a_table_of_steps_and_a_list_for_each_thing_to_know") {
    std::string text = inspected(retried).shown();
    CHECK_THAT(text, Contains("step         pending  waiting  done  dropped  retries   mean  longest\n"
                              "A                  0        1     0        0        0  1.0 s    1.0 s\n"
                              "A (finally)        0        -     0        0        0      -        -\n"
                              "B                  2        0     0        0        1  2.0 s    2.0 s\n"));
    CHECK_THAT(text, Contains("\nfailed and tried again (1)\n"
                              "  task  step  attempts  now      last failure\n"
                              "     3  B            2  pending  Timeout\n"));
    CHECK_THAT(text, Contains("\npending (2)\n"));
    CHECK_THAT(text, Contains("\nwaiting to run their finally (1)\n"));
    CHECK_THAT(text, Contains("     0  A       2 tasks  "));
    CHECK_THAT(inspected(retried, Use::held).shown(), Contains("  55.5 s\n"));
    std::string end = inspected(over).shown();
    CHECK_THAT(end, Contains("\ndropped (1)\n  task 1 B, "));
    CHECK_THAT(end, Contains(", after 1.0 s: CommandFailed, exit code 3\n    no\n    last words\n"));
    for (std::string list : {"pending (", "waiting to"})
        CHECK_THAT(end, !Contains(list));
}

TEST_CASE("what_was_dropped_comes_before_what_was_tried_again") {
    std::string text = inspected(ended).shown();
    auto place = [&](const char* what) { return text.find(what); };
    CHECK(place("\ndropped (") < place("\nfailed and tried again ("));
    CHECK(place("\nfailed and tried again (") < place("\npending ("));
}

TEST_CASE("bytes_at_the_end_that_do_not_count_are_told") {
    std::string text = inspected(retried + "{\"kin").shown();
    CHECK_THAT(text, Contains("the last 5 bytes of the log don't count: an entry that isn't whole\n"));
    CHECK_THAT(inspected(retried + "{", Use::held).shown(),
               Contains("the last 1 byte of the log doesn't count yet: "));
    CHECK_THAT(inspected(retried).shown(), !Contains("count"));
}

TEST_CASE("lists_in_the_text_are_bounded_and_say_what_is_left_out") {
    std::string text = inspected(many(1000, [](int) { return std::string(); })).shown();
    CHECK_THAT(text, Contains("\npending (1000)\n"));
    CHECK_THAT(text, Contains("\n  … and 980 more (--json shows all)\n"));
    CHECK(std::ranges::count(text, '\n') < 40);
    text = inspected(many(30, [](int id) {
               std::string lines;
               for (int i = 0; i < 100; ++i)
                   lines += "line" + std::to_string(i) + "\\n";
               return dropped(id, "\"what\\n" + lines + "\"");
           })).shown();
    CHECK(occurrences(text, ": CommandFailed") == 20);
    CHECK_THAT(text, Contains("    what\n    …\n    line92\n") && Contains("    line99\n  task"));
    CHECK_THAT(text, Contains("\n  … and 10 more (--json shows all)\n"));
    Inspected children = inspected(many(25, [](int) { return std::string(); }));
    CHECK_THAT(children.story(0), Contains("children (25)") && Contains("… and 5 more (--json shows all)"));
}

TEST_CASE("what_was_tried_again_is_bounded_and_what_is_pending_comes_first") {
    std::string ids = "1";
    std::string children = submitted(1, "B", "0", spawned);
    for (int id = 2; id <= 25; ++id) {
        ids += "," + std::to_string(id);
        children += submitted(id, "B", "0", spawned);
    }
    std::string text = initial_log + succeeded(0, "[" + ids + "]") + children;
    for (int id = 1; id <= 25; ++id)
        text += failed(id, R"(,"retry_task_id":)" + std::to_string(25 + id)) +
                submitted(25 + id, "B", "0", retry(id));
    for (int id = 26; id < 50; ++id)
        text += succeeded(id, "[]");
    std::string shown = inspected(text).shown();
    CHECK_THAT(shown, Contains("failed and tried again (25)\n"
                               "  task  step  attempts  now      last failure\n"
                               "    50  B            2  pending  Timeout\n"
                               "    26  B            2  done     Timeout\n"));
    CHECK_THAT(shown, Contains("    44  B ") && !Contains("    45  B ") && Contains("… and 5 more"));
}

TEST_CASE("the_story_of_a_task_is_the_same_by_any_attempt") {
    Inspected log = inspected(over);
    CHECK(log.story(2) == log.story(3));
    CHECK_THAT(log.story(2), Contains("task 3 B: done\norigin   spawned by task 0 A\nvalue    {}\n"));
    CHECK_THAT(log.story(2),
               Contains("    2.0 s  failed, again as task 3\n") && Contains("1.0 s  succeeded\n"));
    CHECK_THAT(log.story(2), Contains("\nattempt 1 failed: Timeout\n"));
    CHECK_THAT(log.story(2), !Contains("finally"));
}

TEST_CASE("the_story_of_a_task_tells_its_finally_children_and_value") {
    Inspected log = inspected(over);
    CHECK_THAT(log.story(0), Contains("task 0 A: done\norigin   the run began with it\n"
                                      "finally  task 4, done\nvalue    {\"n\":1.0}\n"));
    CHECK_THAT(log.story(0), Contains("\nchildren (2)\n"
                                      "  task  step  attempts  state\n"
                                      "     1  B            1  dropped\n"
                                      "     3  B            2  done\n"));
    CHECK_THAT(log.story(4), Contains("task 4 A (finally): done\norigin   finally of task 0 A\n"));
    CHECK_THAT(log.story(1), Contains("failed, dropped\n\nattempt 1 failed: CommandFailed, exit code 3\n"
                                      "  no\n  last words\n"));
    CHECK_THAT(inspected(retried).story(0), Contains("waiting: its finally waits for 2 tasks\n") &&
                                                Contains("finally  comes when the task and its descendants"));
}

TEST_CASE("the_finally_of_a_child_is_no_child_though_its_parent_is_the_same") {
    Inspected log = inspected(initial_log + succeeded(0, "[1]") + submitted(1, "A", "0", spawned) +
                              succeeded(1, "[]") + submitted(2, "A", "0", finally_for(1)));
    CHECK_THAT(log.story(0), Contains("\nchildren (1)\n  task  step  attempts  state\n     1  A "));
}

TEST_CASE("a_long_value_is_shortened_in_text_and_whole_in_json") {
    std::string value = "\"" + std::string(5000, 'x') + "\"";
    Inspected log = inspected(config_line + submitted(0, "A", "null", initial, value));
    CHECK_THAT(log.story(0), !Contains(value) && Contains("xxx… (5.0 kB; --json shows all)\n"));
    CHECK_THAT(log.json(0), Contains("\"value\":" + value));
    value = "\"" + std::string(1999, 'x') + "\"";
    CHECK_THAT(inspected(config_line + submitted(0, "A", "null", initial, value)).story(0),
               Contains("xxx… (2.0 kB; --json shows all)\n"));
}

TEST_CASE("nothing_in_the_text_changes_a_terminal") {
    Inspected log = inspected(initial_log + dropped(0, R"("red \u001b[31m\u009b31m\r\ttext")"));
    for (const std::string& text : {log.shown(), log.story(0)}) {
        CHECK_THAT(text, Contains("red ?[31m?31m? text"));
        CHECK(std::ranges::none_of(text,
                                   [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7f'; }));
    }
}

TEST_CASE("the text tells what agents report, and that a failure is permanent") {
    const std::string line =
        R"({"kind":"TaskCompleted","task_id":0,"outcome":{"kind":"Failed","value":{"reason":{"kind":"AgentFailed",)"
        R"("failure":"refusal","permanent":true,"message":"refusal: no"}}},"report":{"kind":"claude","model":"op\u0007us",)"
        R"("repairs":1,"turns":7,"input_tokens":12000,"output_tokens":800,"usd":0.31,)"
        R"("transcript":"/tmp/A\u0007.ndjson"}})"
        "\n";
    Inspected log = inspected(initial_log + line);
    CHECK_THAT(
        log.story(0),
        Catch::Contains("attempt 1 by claude, model op") &&
            Catch::Contains(
                "us, 1 repair, 7 turns, 12000 tokens in (0 cached), 800 out, $0.31\n  transcript /tmp/A") &&
            Catch::Contains("AgentFailed, permanent") && !Catch::Contains("\a"));
    CHECK_THAT(log.shown(),
               Catch::Contains("tokens in") && Catch::Contains("$0.31") && Catch::Contains("refusal: no"));
    CHECK_THAT(inspected(over).shown(), !Catch::Contains("tokens in"));
}

TEST_CASE("what was past a bound is told by bound and step, and has no duration and no finally") {
    Inspected log =
        inspected(grown + at(past_bound(1, "max_tasks"), 9000) + at(past_bound(2, "max_tasks"), 9000));
    std::string text = log.shown();
    CHECK_THAT(text, Contains("\ndropped (2)\n  not started because of max_tasks: 2 of B\n  task 1 B, "));
    CHECK_THAT(text, Contains(": PastBound\n    not started: why\n"));
    CHECK_THAT(text, !Contains(", after 7"));
    CHECK_THAT(log.story(1), Contains("not started, dropped\n"));
    Inspected root = inspected(initial_log + at(past_bound(0, "max_depth"), 9000));
    CHECK_THAT(root.story(0), !Contains("finally"));
    CHECK_THAT(root.json(0), Contains(R"("finally":null)"));
    CHECK_THAT(root.json(0), Contains(R"("reason":"PastBound")") && Contains(R"("name":"max_depth")"));
}

TEST_CASE("the story tells how long phases took and what processes have used") {
    std::string completed = succeeded(0, "[]");
    CHECK_THAT(inspected(initial_log + completed).json(0), Contains(R"("measured":null)"));
    CHECK_THAT(inspected(initial_log + completed).story(0), !Contains("took:"));
    completed.insert(completed.size() - 2,
                     R"(,"measured":{"cpu_ms":90,"peak_memory_bytes":4567040,"pre_ms":3,"action_ms":1200})");
    Inspected measured = inspected(initial_log + completed);
    CHECK_THAT(measured.json(0),
               Contains(R"("measured":{"pre_ms":3,"action_ms":1200,"post_ms":null,"cpu_ms":90,)"
                        R"("peak_memory_bytes":4567040})"));
    CHECK_THAT(measured.story(0),
               Contains("\nattempt 1 took: pre hook 3 ms, action 1.2 s, 90 ms of CPU time, "
                        "4.5 MB of memory at most\n"));
}

TEST_CASE("the story tells what was answered, and which response was taken out of its text") {
    std::string answered = succeeded(0, "[]");
    CHECK_THAT(inspected(initial_log + answered).json(0),
               Contains(R"("outcome":"succeeded","lenient":false)"));
    answered.insert(answered.size() - 2, R"(,"lenient":true)");
    Inspected lenient = inspected(initial_log + answered);
    CHECK_THAT(lenient.story(0), Contains("  succeeded, lenient response\n"));
    CHECK_THAT(lenient.json(0), Contains(R"("outcome":"succeeded","lenient":true)"));

    const std::string line =
        R"({"kind":"TaskCompleted","task_id":0,"outcome":{"kind":"Failed","value":{"reason":)"
        R"({"kind":"HookFailed","hook":"post","message":"no","response":"[\u0007]"},"retry_task_id":1}}})"
        "\n";
    Inspected failed =
        inspected(initial_log + line + submitted(1, "A", "null", R"({"Retry":{"replaces":0}})"));
    CHECK_THAT(failed.story(0), Contains("HookFailed, post hook\n  no\n  its response: ["));
    CHECK_THAT(failed.story(0), !Contains("\a"));
    CHECK_THAT(failed.json(0), Contains(R"("permanent":false,"response":"[\u0007]"})"));
    CHECK_THAT(inspected(over).json(1), Contains(R"("response":null})"));
}
