#include "config/load.hpp"
#include "json/json.hpp"
#include "log_text.hpp"
#include "statelog/line_checksum.hpp"

using namespace statelog;
using workflow::TaskId;

namespace {

const config::WorkflowConfig& test_config() {
    static const auto loaded = config::load_text(config_text, "test", "/");
    return *loaded.config;
}

// The line without its checksum, which is checked.
std::string content(std::string line) {
    REQUIRE(line.ends_with("\"}\n"));
    line.pop_back();
    CHECK(checksum_of(line) == Checksum::right);
    return line.substr(0, line.rfind(",\"checksum\":")) + "}\n";
}

// The text of an entry, and that reading it and writing it again gives the same.
std::string written(const workflow::Entry& entry) {
    std::string text;
    append_record(text, test_config(), entry, Time(std::chrono::milliseconds(12)));
    auto read = read_record(test_config(), text.substr(0, text.size() - 1));
    REQUIRE(read.has_value());
    CHECK(read->time == Time(std::chrono::milliseconds(12)));
    std::string again;
    append_record(again, test_config(), read->entry, *read->time, read->started);
    CHECK(again == text);
    if (const auto* task = std::get_if<workflow::TaskSubmitted>(&entry)) {
        auto in_pieces = long_record("before\n", test_config(), *task, Time(std::chrono::milliseconds(12)));
        CHECK(in_pieces.text() == "before\n" + text);
        CHECK(in_pieces.pieces()[1].data() == task->value->data());
    }
    return content(text);
}

workflow::Value value(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

std::string wrong(const std::string& line) {
    auto read = read_record(test_config(), line);
    return read ? "nothing" : read.error().message;
}

}  // namespace

TEST_CASE("entries_have_the_documented_fields_and_a_time") {
    CHECK(written(workflow::TaskSubmitted{{0}, {0}, value(R"({"n":1.0})"), {}, workflow::Initial{}}) ==
          R"({"kind":"TaskSubmitted","task_id":0,"step":"A","value":{"n":1.0},"parent_id":null,)"
          R"("origin":"Initial","time":12})"
          "\n");
    CHECK(
        written(workflow::TaskSubmitted{{1}, {1}, value("[]"), TaskId{0}, workflow::Spawned{}}) ==
        R"({"kind":"TaskSubmitted","task_id":1,"step":"B","value":[],"parent_id":0,"origin":"Spawned","time":12})"
        "\n");
    CHECK(written(workflow::TaskSubmitted{{3}, {1}, value("1"), TaskId{0}, workflow::Retry{{2}}}) ==
          R"({"kind":"TaskSubmitted","task_id":3,"step":"B","value":1,"parent_id":0,)"
          R"("origin":{"Retry":{"replaces":2}},"time":12})"
          "\n");
    CHECK(written(workflow::TaskSubmitted{{4}, {0}, value("1"), {}, workflow::Finally{{0}}}) ==
          R"({"kind":"TaskSubmitted","task_id":4,"step":"A","value":1,"parent_id":null,)"
          R"("origin":{"Finally":{"finally_for":0}},"time":12})"
          "\n");
    CHECK(
        written(workflow::TaskCompleted{{0}, workflow::Succeeded{{{1}, {2}}}}) ==
        R"({"kind":"TaskCompleted","task_id":0,"outcome":{"kind":"Success","value":{"spawned_task_ids":[1,2]}},)"
        R"("time":12})"
        "\n");
    workflow::Failure timeout;
    timeout.kind = workflow::Failure::Kind::timeout;
    CHECK(
        written(workflow::TaskCompleted{{2}, workflow::Failed{timeout, TaskId{3}}}) ==
        R"({"kind":"TaskCompleted","task_id":2,"outcome":{"kind":"Failed","value":{"reason":{"kind":"Timeout"},)"
        R"("retry_task_id":3}},"time":12})"
        "\n");
}

TEST_CASE("a_line_ends_with_its_checksum_as_documented") {
    std::string text;
    append_record(text, test_config(), workflow::TaskCompleted{{2}, workflow::Succeeded{}},
                  Time(std::chrono::milliseconds(1763719591831)),
                  Time(std::chrono::milliseconds(1763719591417)));
    CHECK(text == R"({"kind":"TaskCompleted","task_id":2,"outcome":{"kind":"Success","value":)"
                  R"({"spawned_task_ids":[]}},"started":1763719591417,"time":1763719591831,)"
                  R"("checksum":"25ab64379b9c0636"})"
                  "\n");
}

TEST_CASE("a_directory_of_any_bytes_comes_back_as_it_was") {
    for (std::string directory : {"/plain", "/caf\xC3\xA9", "/caf\xE9", "/\xFF\"\\\n"}) {
        std::string text;
        append_header(text, {config_text, directory, "r", 1}, Time());
        CHECK_FALSE(json::invalid_utf8(text));
        auto read = read_header(std::string_view(text).substr(0, text.size() - 1));
        REQUIRE(read.has_value());
        CHECK(read->directory == directory);
        CHECK((text.find("directory_hex") != std::string::npos) == json::invalid_utf8(directory).has_value());
    }
    auto odd = read_header(R"({"kind":"Config","config":{},"directory":"x","directory_hex":"2g"})");
    REQUIRE(odd.has_error());
    CHECK_THAT(odd.error().message, Catch::Contains("directory_hex"));
}

TEST_CASE("every_reason_of_a_failure_comes_back_as_it_was") {
    using Kind = workflow::Failure::Kind;
    for (Kind kind : {Kind::timeout, Kind::agent_lost, Kind::agent_failed, Kind::invalid_response,
                      Kind::rejected, Kind::expired}) {
        workflow::Failure failure;
        failure.kind = kind;
        failure.message = "two\nlines \"quoted\" \x01 \xC3\xA9";
        written(workflow::TaskCompleted{{2}, workflow::Failed{failure, {}}});
    }
    workflow::Failure exited{Kind::command_failed, "it exited", 3, {}, ""};
    CHECK_THAT(written(workflow::TaskCompleted{{2}, workflow::Failed{exited, {}}}),
               Catch::Contains(R"("reason":{"kind":"CommandFailed","exit_code":3,"message":"it exited"})"));
    workflow::Failure agent{Kind::agent_failed, "agent a: it exited", 3, {}, ""};
    CHECK_THAT(
        written(workflow::TaskCompleted{{2}, workflow::Failed{agent, {}}}),
        Catch::Contains(R"("reason":{"kind":"AgentFailed","exit_code":3,"message":"agent a: it exited"})"));
    workflow::Failure agent_killed{Kind::agent_failed, "", {}, 9, ""};
    CHECK_THAT(written(workflow::TaskCompleted{{2}, workflow::Failed{agent_killed, {}}}),
               Catch::Contains(R"("reason":{"kind":"AgentFailed","signal":9)"));
    workflow::Failure killed{Kind::command_failed, "it was killed", {}, 9, ""};
    CHECK_THAT(written(workflow::TaskCompleted{{2}, workflow::Failed{killed, {}}}),
               Catch::Contains(R"("reason":{"kind":"CommandFailed","signal":9,"message":"it was killed"})"));
    workflow::Failure past{Kind::past_bound, "not started", {}, {}, "", "max_tasks"};
    CHECK_THAT(
        written(workflow::TaskCompleted{{2}, workflow::Failed{past, {}}}),
        Catch::Contains(R"("reason":{"kind":"PastBound","failure":"max_tasks","message":"not started"})"));
    workflow::Failure hook{Kind::hook_failed, "no", {}, {}, "pre"};
    CHECK_THAT(written(workflow::TaskCompleted{{2}, workflow::Failed{hook, {}}}),
               Catch::Contains(R"("reason":{"kind":"HookFailed","hook":"pre","message":"no"})"));
}

TEST_CASE("a completion contains the agent's report and the name of its failure") {
    workflow::Failure failure{workflow::Failure::Kind::agent_failed, "m", {}, {}, "", "too_large", true};
    auto report = std::make_shared<const pool_protocol::AgentReport>(
        pool_protocol::AgentReport{.kind = "acp", .turns = 7});
    const std::string shown =
        R"("report":{"kind":"acp","repairs":0,"turns":7,"input_tokens":0,"cached_tokens":0,"output_tokens":0})";
    CHECK(
        written(workflow::TaskCompleted{{2}, workflow::Failed{failure, {}}, report}) ==
        R"({"kind":"TaskCompleted","task_id":2,"outcome":{"kind":"Failed","value":{"reason":{"kind":"AgentFailed","failure":"too_large","permanent":true,"message":"m"},"retry_task_id":null}},)" +
            shown + ",\"time\":12}\n");
    CHECK_THAT(written(workflow::TaskCompleted{{2}, workflow::Succeeded{}, report}), Catch::Contains(shown));
}

TEST_CASE("a failure that is tried again contains what was answered") {
    workflow::Failure failure{workflow::Failure::Kind::hook_failed, "no", {}, {}, "post"};
    for (std::string response : {"", "[]", "two\nlines \"quoted\" \x01 \xC3\xA9"}) {
        failure.response = response;
        std::string text = written(workflow::TaskCompleted{{2}, workflow::Failed{failure, TaskId{3}}});
        CHECK_THAT(text,
                   Catch::Contains(R"("hook":"post","message":"no","response":)" + json::quote(response)));
    }
    std::string line = R"({"kind":"TaskCompleted","task_id":2,"outcome":{"kind":"Failed","value":)"
                       R"({"reason":{"kind":"Timeout","response":17},"retry_task_id":3}}})";
    auto read = read_record(test_config(), line);
    REQUIRE(read.has_value());
    const auto& completed = std::get<workflow::TaskCompleted>(read->entry);
    CHECK_FALSE(std::get<workflow::Failed>(completed.outcome).failure().response);
}

TEST_CASE("a completion says that its response was taken out of the text around it") {
    workflow::TaskCompleted lenient{{3}, workflow::Succeeded{}};
    lenient.is_lenient = true;
    CHECK(
        written(lenient) ==
        R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},)"
        R"("lenient":true,"time":12})"
        "\n");
    for (const char* other : {"null", "1", "false"}) {
        std::string line = succeeded(3, "[]");
        auto read =
            read_record(test_config(), line.insert(line.size() - 2, std::string(",\"lenient\":") + other));
        REQUIRE(read.has_value());
        CHECK_FALSE(std::get<workflow::TaskCompleted>(read->entry).is_lenient);
    }
}

TEST_CASE("a completion says how long its phases took and what its processes have used") {
    workflow::TaskCompleted measured{{3}, workflow::Succeeded{}};
    measured.measured =
        std::make_shared<const workflow::Measured>(workflow::Measured{std::chrono::milliseconds(3),
                                                                      std::chrono::milliseconds(120),
                                                                      {},
                                                                      std::chrono::milliseconds(90),
                                                                      4096});
    CHECK(
        written(measured) ==
        R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},)"
        R"("measured":{"cpu_ms":90,"peak_memory_bytes":4096,"pre_ms":3,"action_ms":120},"time":12})"
        "\n");
    auto read = [](std::string_view field) {
        std::string line = succeeded(3, "[]");
        auto record = read_record(test_config(),
                                  line.insert(line.size() - 2, std::string(",\"measured\":").append(field)));
        REQUIRE(record.has_value());
        return std::get<workflow::TaskCompleted>(record->entry).measured;
    };
    auto back = read(R"({"post_ms":7,"cpu_ms":90,"peak_memory_bytes":4096,"action_ms":120,"later":[]})");
    REQUIRE(back);
    CHECK(back->cpu == std::chrono::milliseconds(90));
    CHECK(back->peak_memory == 4096);
    CHECK_FALSE(back->pre);
    CHECK(back->action == std::chrono::milliseconds(120));
    CHECK(back->post == std::chrono::milliseconds(7));
    for (const char* other : {"null", "1", "[]", "\"cpu_ms\""})
        CHECK_FALSE(read(other));
    auto odd =
        read(R"({"cpu_ms":-1,"peak_memory_bytes":"x","pre_ms":99999999999999999999,"action_ms":null})");
    REQUIRE(odd);
    CHECK(odd->cpu == std::chrono::milliseconds(0));
    CHECK_FALSE(odd->peak_memory);
    CHECK_FALSE(odd->pre);
    CHECK_FALSE(odd->action);
}

TEST_CASE("a completion says which agent had the task") {
    workflow::TaskCompleted done{{3}, workflow::Succeeded{}};
    done.agent = std::make_shared<const std::string>("by \"hand\"");
    CHECK(
        written(done) ==
        R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},)"
        R"("agent":"by \"hand\"","time":12})"
        "\n");
    done.agent = std::make_shared<const std::string>(300, 'x');
    CHECK(written(done).find("\"agent\":\"" + std::string(200, 'x') + "\"") != std::string::npos);
    auto read = [](const std::string& field) {
        std::string line = succeeded(3, "[]");
        auto record = read_record(test_config(), line.insert(line.size() - 2, ",\"agent\":" + field));
        REQUIRE(record.has_value());
        return std::get<workflow::TaskCompleted>(record->entry).agent;
    };
    REQUIRE(read("\"mine\""));
    CHECK(*read("\"mine\"") == "mine");
    for (const std::string& other :
         {std::string("null"), std::string("1"), std::string("\"\""), "\"" + std::string(201, 'x') + "\""})
        CHECK_FALSE(read(other));
}

TEST_CASE("a completion says whose result was taken over") {
    workflow::ReusedFrom from{"run \"1\"", {17}};
    workflow::TaskCompleted reused{
        {3}, workflow::Succeeded{}, nullptr, std::make_shared<const workflow::ReusedFrom>(from)};
    CHECK(
        written(reused) ==
        R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Success","value":{"spawned_task_ids":[]}},)"
        R"("reused":{"run_id":"run \"1\"","task_id":17},"time":12})"
        "\n");
    for (const char* other : {"null", "1", "{}", R"({"run_id":"a","task_id":-1})"}) {
        std::string line = succeeded(3, "[]");
        auto read =
            read_record(test_config(), line.insert(line.size() - 2, std::string(",\"reused\":") + other));
        REQUIRE(read.has_value());
        CHECK_FALSE(std::get<workflow::TaskCompleted>(read->entry).reused);
    }
}

TEST_CASE("a completion says which person has answered") {
    auto user = std::make_shared<const workflow::AnsweredBy>(workflow::AnsweredBy{"ann \"\xC3\xA9\" \n"});
    workflow::TaskCompleted answered{{3}, workflow::Succeeded{{{4}}}, nullptr, nullptr, false, user};
    CHECK(
        written(answered) ==
        R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Success","value":{"spawned_task_ids":[4]}},)"
        R"("answered_by":"ann \"é\" \n","time":12})"
        "\n");
    workflow::Failure rejected{workflow::Failure::Kind::rejected, "rejected by ann: no", {}, {}, ""};
    CHECK(written(
              workflow::TaskCompleted{{3}, workflow::Failed{rejected, {}}, nullptr, nullptr, false, user}) ==
          R"({"kind":"TaskCompleted","task_id":3,"outcome":{"kind":"Failed","value":{"reason":)"
          R"({"kind":"Rejected","message":"rejected by ann: no"},"retry_task_id":null}},)"
          R"("answered_by":"ann \"é\" \n","time":12})"
          "\n");
    workflow::Failure expired{workflow::Failure::Kind::expired, "no person has answered", {}, {}, ""};
    CHECK_THAT(written(workflow::TaskCompleted{{3}, workflow::Failed{expired, {}}}),
               Catch::Contains(R"("reason":{"kind":"Expired","message":"no person has answered"})"));
    for (const char* other : {"null", "1", R"({"user":"ann"})"}) {
        std::string line = succeeded(3, "[]");
        auto read = read_record(test_config(),
                                line.insert(line.size() - 2, std::string(",\"answered_by\":") + other));
        REQUIRE(read.has_value());
        CHECK_FALSE(std::get<workflow::TaskCompleted>(read->entry).answered);
    }
}

TEST_CASE("a header names the run whose results are reused") {
    Header header{config_text, "/", "r", 1};
    header.reuses = Reuses{"earlier", "/runs/\"a\"/state.ndjson"};
    std::string line;
    append_header(line, header, Time(std::chrono::milliseconds(12)));
    CHECK(content(line).ends_with(
        R"("initial_tasks":1,"reuses":{"run_id":"earlier","state_log":"/runs/\"a\"/state.ndjson"},"format":4,"time":12})"
        "\n"));
    auto read = read_header(line.substr(0, line.size() - 1));
    REQUIRE((read.has_value() && read->reuses));
    CHECK(read->reuses->run_id == "earlier");
    CHECK(read->reuses->state_log == "/runs/\"a\"/state.ndjson");
    header.reuses->state_log = "/caf\xE9/state.ndjson";
    line.clear();
    append_header(line, header, Time());
    read = read_header(line.substr(0, line.size() - 1));
    REQUIRE((read.has_value() && read->reuses));
    CHECK(read->reuses->state_log == header.reuses->state_log);
}

TEST_CASE("a_report_that_is_not_valid_is_passed_over") {
    auto read =
        read_record(test_config(), R"({"kind":"TaskCompleted","task_id":7,"report":{"kind":1},)"
                                   R"("outcome":{"kind":"Success","value":{"spawned_task_ids":[]}}})");
    REQUIRE(read.has_value());
    CHECK_FALSE(std::get<workflow::TaskCompleted>(read->entry).report);
}

TEST_CASE("fields_that_are_not_known_are_passed_over") {
    auto read =
        read_record(test_config(), R"({"new":{"kind":"x"},"kind":"TaskCompleted","task_id":7,"x":[1],)"
                                   R"("outcome":{"kind":"Success","more":1,"value":{"spawned_task_ids":[],)"
                                   R"("y":2}},"time":"never"})");
    REQUIRE(read.has_value());
    CHECK(std::get<workflow::TaskCompleted>(read->entry).task == TaskId{7});
    CHECK_FALSE(read->time);
}

TEST_CASE("a_value_comes_back_untouched_but_for_space_between_tokens") {
    auto read =
        read_record(test_config(), R"({"kind": "TaskSubmitted", "task_id": 1, "step": "B", "value": )"
                                   R"({ "b": 1.0, "a": 123456789012345678901234567890, "s": "x  y" },)"
                                   R"( "parent_id": null, "origin": "Initial"})");
    REQUIRE(read.has_value());
    CHECK(*std::get<workflow::TaskSubmitted>(read->entry).value ==
          R"({"b":1.0,"a":123456789012345678901234567890,"s":"x  y"})");
}

TEST_CASE("a_value_of_the_greatest_depth_can_be_read_back") {
    written(workflow::TaskSubmitted{
        {0}, {0}, value(std::string(512, '[') + std::string(512, ']')), {}, workflow::Initial{}});
}

TEST_CASE("what_is_wrong_with_a_line_is_said") {
    CHECK_THAT(wrong("{"), Catch::Contains("is not JSON"));
    CHECK_THAT(wrong(std::string(10, '\0')), Catch::Contains("is not JSON"));
    CHECK(wrong("[]") == "is not a JSON object");
    CHECK(wrong("{}") == "has no \"kind\"");
    CHECK_THAT(wrong(R"({"kind":"Snapshot"})"), Catch::Contains("an entry of an unknown kind: \"Snapshot\""));
    CHECK(wrong(R"({"kind":"TaskCompleted"})") == "has no task number in \"task_id\"");
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":-1})"), Catch::Contains("task_id"));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":9223372036854775807})"),
               Catch::Contains("task_id"));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":1.5})"), Catch::Contains("task_id"));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":1})"), Catch::Contains("outcome"));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":1,"outcome":{"kind":"Odd","value":{}}})"),
               Catch::Contains("\"Odd\""));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":1,"outcome":{"kind":"Success","value":{}}})"),
               Catch::Contains("spawned_task_ids"));
    CHECK_THAT(wrong(R"({"kind":"TaskCompleted","task_id":1,"outcome":{"kind":"Failed","value":{}}})"),
               Catch::Contains("reason"));
    CHECK_THAT(wrong(R"({"kind":"TaskSubmitted","task_id":1,"step":"C"})"), Catch::Contains("\"C\""));
    CHECK_THAT(wrong(R"({"kind":"TaskSubmitted","task_id":1,"step":"B"})"), Catch::Contains("value"));
    CHECK_THAT(wrong(R"({"kind":"TaskSubmitted","task_id":1,"step":"B","value":1,"origin":"Born"})"),
               Catch::Contains("\"Born\""));
    CHECK_THAT(wrong(R"({"kind":"TaskSubmitted","task_id":1,"step":"B","value":1,"parent_id":"x"})"),
               Catch::Contains("parent_id"));
}
