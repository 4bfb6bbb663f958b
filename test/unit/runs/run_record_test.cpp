#include "runs/run_record.hpp"

#include "json/json.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace runs;

RunRecord record() {
    RunRecord made;
    made.id = "7d1c9a52-61f0-4f0e-9b39-0c4f6f4bb1a5";
    made.name = "nightly";
    made.config = "/w/flow.jsonc";
    made.directory = "/w";
    made.options = {"--pool=a \"b\"\n"};
    made.user = "ada";
    made.host = "h";
    made.process = {42, 1234567, "f3"};
    made.version = "1.2";
    made.state_log = "/s/state.ndjson";
    made.started = Time(std::chrono::milliseconds(1'795'390'000'123));
    made.is_paused = true;
    made.tasks = {3, 2, 1};
    return made;
}

}  // namespace

TEST_CASE("a record of a run is read as it was written") {
    RunRecord made = record();
    CHECK(parse_run_record(to_json(made)) == made);
    made.usd = 0.25;
    made.price_list = "2026-08-21";
    made.busy_agents = 3;
    CHECK(to_json(made).find("waiting_for_human") == std::string::npos);
    made.tasks.asked = 2;
    CHECK(to_json(made).find(R"("tasks":{"done":3,"left":2,"dropped":1,"waiting_for_human":2})") !=
          std::string::npos);
    made.resumes = "other";
    made.retries = "third";
    made.reuses = "fourth";
    made.parameters = R"({"a":"x","b":[1.0]})";
    made.end = RunEnd{made.started + std::chrono::seconds(7), 130, "interrupted"};
    CHECK(parse_run_record(to_json(made)) == made);
}

TEST_CASE(
    "paths and options of any bytes are read as they were written, and a record without such is as before") {
    RunRecord made = record();
    CHECK(to_json(made).find("_hex") == std::string::npos);
    made.config = "/caf\xe9/flow.jsonc";
    made.directory = "/\xff\"\n";
    made.state_log = "/\xc3";
    made.options = {"--jobs=2", "--transcripts=/caf\xe9"};
    CHECK_FALSE(json::invalid_utf8(to_json(made)));
    CHECK(parse_run_record(to_json(made)) == made);
    CHECK_FALSE(parse_run_record(R"({"id":"x","started":5,"directory":"/w","directory_hex":"2g"})"));
    CHECK_FALSE(parse_run_record(R"({"id":"x","started":5,"options":["a"],"options_hex":["6"]})"));
}

TEST_CASE("parameters that are nested as deep as a value may be are read as they were written") {
    for (std::size_t depth : {2U, 511U, 512U}) {
        RunRecord written = record();
        written.parameters = "{\"x\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
        CHECK(parse_run_record(to_json(written)) == written);
    }
}

TEST_CASE("what lies in the directory of a run is named relative to it") {
    RunRecord made = record();
    std::string old = "/s/" + made.id;
    made.state_log = old + "/state.ndjson";
    CHECK(as_written_in(old, made).state_log == "state.ndjson");
    CHECK(as_read_in("/moved", as_written_in(old, made)).state_log == "/moved/state.ndjson");
    CHECK(as_read_in("/moved", made).state_log == "/moved/state.ndjson");  // of an earlier version
    for (const char* elsewhere : {"/s/state.ndjson", "/w/run.ndjson", "/w/state.ndjson/x"}) {
        made.state_log = elsewhere;
        CHECK(as_written_in(old, made).state_log == elsewhere);
        CHECK(as_read_in("/moved", made).state_log == elsewhere);
    }
    made.state_log = "";  // one bit of its name is damaged
    CHECK(as_read_in("/moved", made).state_log == "/moved/state.ndjson");
}

TEST_CASE("a record of another version may have less or more") {
    auto read = parse_run_record(R"({"id":"x","started":5,"new":[1],"tasks":7,"pid":"p","options":[1,"a"]})");
    REQUIRE(read);
    CHECK(read->id == "x");
    CHECK(read->tasks == TaskCounts());
    CHECK(read->process.pid == 0);
    CHECK(read->options == std::vector<std::string>{"a"});
    CHECK_FALSE(read->end);
}

TEST_CASE("other texts are no records") {
    for (const char* text :
         {"", "{", "[]", "{}", R"({"id":"x"})", R"({"id":"","started":5})", R"({"started":5})"})
        CHECK_FALSE(parse_run_record(text));
}
