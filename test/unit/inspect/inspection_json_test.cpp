#include "inspection_helper.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

using namespace inspect;
using namespace statelog;
using Catch::Matchers::Contains;

namespace {

json::View parsed(const std::string& text) {
    INFO(text);
    REQUIRE_FALSE(json::check(text).has_value());
    return json::View::of(text);
}

std::string agent_failed(int id) {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
           R"(,"outcome":{"kind":"Failed","value":{"reason":{"kind":"AgentFailed","exit_code":3,"message":"no credit"}}}})"
           "\n";
}

const std::string full_report =
    R"({"kind":"claude","model":"opus","session":"5f3c","repairs":2,"turns":7,"input_tokens":12000,)"
    R"("cached_tokens":9000,"output_tokens":800,"usd":0.31,"transcript":"/tmp/A-5f3c.ndjson"})";

}  // namespace

TEST_CASE("the_json_is_what_the_schema_says_and_every_field_is_described") {
    std::string text = inspection_schema();
    auto schema = json_schema::Schema::compile(parsed(text));
    INFO((schema ? "" : schema.error().message));
    REQUIRE(schema.has_value());
    for (const std::string& log :
         {initial_log, grown, retried, ended, over, initial_log + succeeded(0, "[]"), over + "{",
          initial_log + dropped(0, "\"no\""), initial_log + agent_failed(0),
          initial_log + reported(agent_failed(0), full_report)})
        for (Use use : {Use::free, Use::held, Use::unknown}) {
            Inspected made = inspected(log, use);
            std::vector<std::string> outputs{made.json()};
            for (const InspectedAttempt& attempt : made.inspection.attempts())
                outputs.push_back(made.json(attempt.id.value));
            for (const std::string& json : outputs) {
                auto violation = (*schema)->violation(parsed(json));
                INFO((violation ? json_schema::to_string(*violation) : "") << "\n" << json);
                CHECK_FALSE(violation);
            }
        }
    CHECK((*schema)->violation(parsed("{}")));
    std::string with_more = inspected(over).json();
    with_more.insert(1, "\"more\":1,");
    CHECK((*schema)->violation(parsed(with_more)));
}

TEST_CASE("every_property_in_the_schema_has_a_description") {
    std::string text = inspection_schema();
    std::size_t properties = 0;
    auto check = [&](auto& self, json::View schema) -> void {
        if (!schema.is(json::Kind::object)) return;
        for (const json::Member& member : schema.members()) {
            bool named = member.key.is_string("properties") || member.key.is_string("definitions");
            if (!named) {
                self(self, member.value);
                continue;
            }
            for (const json::Member& property : member.value.members()) {
                INFO(property.key.text());
                CHECK(property.value.find("description"));
                ++properties;
                self(self, property.value);
            }
        }
    };
    check(check, parsed(text));
    CHECK(properties > 40);
}

TEST_CASE("the_json_has_all_tasks_with_whole_messages_and_one_task_has_its_story") {
    std::string all = inspected(over).json();
    auto tasks = parsed(all).find("tasks")->elements();
    REQUIRE(tasks.size() == 4);
    CHECK(tasks[1].find("state")->is_string("dropped"));
    auto failure = tasks[1].find("attempts")->elements()[0].find("failure");
    CHECK(failure->find("message")->is_string("no\nlast words"));
    CHECK(failure->find("exit_code")->integer() == 3);
    CHECK(tasks[2].find("attempts")->elements()[0].find("duration_ms")->integer() == 2000);
    CHECK(tasks[0].find("finally")->find("id")->integer() == 4);
    CHECK(tasks[3].find("finally_for")->integer() == 0);
    CHECK(tasks[0].find("value")->text() == R"({"n":1.0})");
    CHECK_FALSE(tasks[0].find("children"));
    std::string story = inspected(over).json(0);
    auto one = parsed(story).find("tasks")->elements();
    REQUIRE(one.size() == 1);
    CHECK(one[0].find("value")->text() == R"({"n":1.0})");
    CHECK(one[0].find("children")->elements().size() == 2);
    CHECK(parsed(story).find("steps")->text() == parsed(all).find("steps")->text());
}

TEST_CASE("a_line_that_cannot_be_read_is_an_error") {
    Inspected log = inspected(over);
    InspectedLog broken = log.log();
    broken.read_line = [](std::uint64_t) -> base::Result<std::string> { return base::invalid("gone"); };
    CHECK(log_text(broken).error().message == "gone");
    CHECK(task_text(broken, 0).error().message == "gone");
    std::ostringstream out;
    CHECK(write_json(out, broken).error().message == "gone");
    broken.read_line = [](std::uint64_t) -> base::Result<std::string> {
        return submitted(0, "A", "null", initial);
    };
    CHECK_THAT(log_text(broken).error().message, Contains("was changed while it was read"));
}

TEST_CASE("the_json_tells_of_a_failed_agent_what_it_tells_of_a_failed_command") {
    CHECK_THAT(
        inspected(initial_log + agent_failed(0)).json(),
        Contains(R"("reason":"AgentFailed","exit_code":3,"signal":null,"hook":null,"message":"no credit")"));
}

TEST_CASE("the json contains each attempt's report, and the sums of all") {
    std::string json = inspected(initial_log + reported(agent_failed(0), full_report)).json();
    CHECK_THAT(json, Contains("\"report\":" + full_report));
    CHECK_THAT(
        json,
        Contains(
            R"({"step":"A","kind":"claude","model":"opus","reports":1,"repairs":2,"turns":7,"input_tokens":12000,"cached_tokens":9000,"output_tokens":800,"priced":1,"usd":0.31})"));
    CHECK_THAT(inspected(over).json(), Contains("\"usage\":[]") && Contains("\"report\":null"));
}
