// The dialog in which a person answers a task, without a terminal and without an editor.
#include "people/answer_dialog.hpp"

#include "config/load.hpp"
#include "json_schema/schema.hpp"
#include "people/answer_draft.hpp"

#include <catch2/catch.hpp>

namespace {

using people::AnswerDialog;
using Ask = AnswerDialog::Ask;
using Edit = AnswerDialog::Edit;
using Give = AnswerDialog::Give;
using Leave = AnswerDialog::Leave;

constexpr const char* workflow = R"({"steps": [
  {"name": "Approve", "action": {"kind": "Human"}, "next": ["Do it", "Plan"], "options": {"max_tasks_per_response": 2}},
  {"name": "Do it", "action": {"kind": "Command", "script": "x"},
   "value_schema": {"type": "object", "required": ["plan"], "properties": {"plan": {"type": "string"}}}},
  {"name": "Plan", "action": {"kind": "Command", "script": "x"},
   "value_schema": {"type": "object", "required": ["goal"], "properties": {"goal": {"enum": ["small", "great"]}}}},
  {"name": "End", "action": {"kind": "Human"}}]})";

config::WorkflowConfig load_workflow() {
    auto loaded = config::load_text(workflow, "w.jsonc", "/");
    REQUIRE(loaded.config);
    return std::move(*loaded.config);
}

// A dialog about a task of the step, and its last turn.
struct Talk {
    explicit Talk(std::size_t step = 0) : dialog(config, config.steps[step], own), turn(dialog.begin()) {}

    template<class Action>
    const Action& is() const {
        INFO(turn.text);
        REQUIRE(std::holds_alternative<Action>(turn.action));
        return std::get<Action>(turn.action);
    }

    Talk& says(const std::string& line) {
        is<Ask>();
        turn = dialog.line(line);
        return *this;
    }

    Talk& edits(const std::string& text, const std::string& problem = "") {
        is<Edit>();
        turn = dialog.edited(text, problem);
        return *this;
    }

    bool tells(const std::string& part) const { return turn.text.find(part) != std::string::npos; }

    config::WorkflowConfig config = load_workflow();
    std::string own = R"({"plan":"dig"})";
    AnswerDialog dialog;
    AnswerDialog::Turn turn;
};

config::Step step_with(const std::string& schema) {
    config::Step step;
    step.value_schema = json_schema::Schema::compile(json::View::of(schema)).value();
    return step;
}

}  // namespace

TEST_CASE("a draft is the value of the task itself, if the next step takes it") {
    CHECK(people::answer_draft(step_with(R"({"required":["plan"]})"), R"({"plan":"dig"})") ==
          "{ \"plan\": \"dig\" }");
    CHECK(people::answer_draft(config::Step{}, "[1,2]") == "[1, 2]");
}

TEST_CASE("a draft is made from the schema, if the next step takes other values") {
    auto draft = [](const std::string& schema) { return people::answer_draft(step_with(schema), "null"); };
    CHECK(draft(R"({"type":"object","required":["a","b","c","d"],"properties":{"a":{"enum":["x","y"]},
                    "b":{"type":"integer","minimum":3},"c":{"const":[1]},"d":{"type":"string","default":"so"}}})") ==
          "{\n  \"a\": \"x\",\n  \"b\": 3,\n  \"c\": [1],\n  \"d\": \"so\"\n}");
    CHECK(draft(R"({"type":"array","minItems":1,"items":{"type":"boolean"}})") == "[true]");
    CHECK(draft(R"({"type":"string","pattern":"^(?=never)a"})") == "{}");
}

TEST_CASE("the choices are the next steps, nothing, rejecting and leaving") {
    Talk talk;
    CHECK(talk.turn.text ==
          "What follows?\n  1  Do it\n  2  Plan\n  n  nothing follows\n  r  reject the task, for a reason\n"
          "  q  quit: nothing is answered\n");
    CHECK(Talk(3).turn.text ==
          "What follows?\n  n  nothing follows\n  r  reject the task, for a reason\n"
          "  q  quit: nothing is answered\n");
}

TEST_CASE("a chosen step's task is edited, and is the answer when it is confirmed") {
    Talk talk;
    CHECK(talk.says("1").is<Edit>().text == "{ \"plan\": \"dig\" }\n");
    talk.edits("{\"plan\": \"dig deep\"} // as we said\n");
    CHECK(talk.tells("The answer so far:\n"));
    CHECK(talk.tells("\"dig deep\""));
    CHECK(
        talk.tells("One more task, or done?\n  1  Do it\n  2  Plan\n  d  done\n  u  undo: take the last "
                   "task out\n  q  quit"));
    talk.says("d");
    CHECK(talk.turn.text == "1 task follows.\n");
    const Give& given = talk.says(" y ").is<Give>();
    CHECK(given.response == R"([{"kind":"Do it","value":{"plan":"dig deep"}}])");
    CHECK(given.reason.empty());
}

TEST_CASE("an answer may have several tasks, as many as the step allows") {
    Talk talk;
    talk.says("2").edits("{\"goal\":\"great\"}").says("1").edits("{\"plan\":\"dig\"}");
    talk.says("1").edits("{\"plan\":\"dig\"}");
    CHECK(talk.tells("max_tasks_per_response"));
    talk.says("g").says("d");
    CHECK(talk.turn.text == "2 tasks follow.\n");
    CHECK(talk.says("y").is<Give>().response ==
          R"([{"kind":"Plan","value":{"goal":"great"}},{"kind":"Do it","value":{"plan":"dig"}}])");
}

TEST_CASE("the last task can be taken out again") {
    Talk talk;
    talk.says("2").edits("{\"goal\":\"great\"}").says("1").edits("{\"plan\":\"dig\"}");
    talk.says("u");
    CHECK(talk.tells("\"great\""));
    CHECK_FALSE(talk.tells("\"dig\""));
    talk.says("u");
    CHECK(talk.tells("What follows?"));
    CHECK(talk.says("u").tells("There is no choice \"u\"."));
    talk.says("2").edits("{\"goal\":\"small\"}").says("d");
    CHECK(talk.turn.text == "1 task follows.\n");
    CHECK(talk.says("y").is<Give>().response == R"([{"kind":"Plan","value":{"goal":"small"}}])");
}

TEST_CASE("mistakes are shown, and the edited text is mended") {
    Talk talk;
    talk.says("2");
    CHECK(talk.is<Edit>().text == "{ \"goal\": \"small\" }\n");
    talk.edits("{\n  \"goal\" \"small\"\n}\n");
    CHECK(talk.tells("the value: line 2, column 10: "));
    talk.says("e");
    CHECK(talk.is<Edit>().text == "{\n  \"goal\" \"small\"\n}\n");
    talk.edits("{\"goal\": \"medium\"}");
    CHECK(talk.tells("/goal"));
    talk.says("x");
    CHECK(talk.turn.text == "There is no choice \"x\".\n");
    talk.says("e").edits("{\"goal\": \"great\"}").says("d").says("y");
    CHECK(talk.is<Give>().response == R"([{"kind":"Plan","value":{"goal":"great"}}])");
}

TEST_CASE("after an editor that fails the person is asked, and goes on with the text that it left") {
    Talk talk;
    talk.says("1").edits("{\"plan\": \"half\"}", "the editor `x` ended with exit code 1");
    CHECK(talk.turn.text ==
          "the editor `x` ended with exit code 1\n  e  edit it again\n  g  give it up, and choose again\n  q "
          " quit: nothing is answered\n");
    CHECK(talk.says("e").is<Edit>().text == "{\"plan\": \"half\"}");
    talk.edits("", "again").says("g");
    CHECK(talk.tells("What follows?"));
}

TEST_CASE("nothing follows, or the task is rejected for a reason") {
    Talk nothing;
    nothing.says("n");
    CHECK(nothing.turn.text == "Nothing follows.\n");
    CHECK(nothing.says("y").is<Give>().response == "[]");

    Talk rejection;
    CHECK(rejection.says("r").is<Ask>().prompt == "Reason: ");
    CHECK(rejection.says("  ").tells("only for a reason"));
    rejection.says("r").says(" too \x1b dear ");
    CHECK(rejection.turn.text == "The task is rejected: too ? dear\n");
    const Give& given = rejection.says("y").is<Give>();
    CHECK_FALSE(given.response);
    CHECK(given.reason == "too \x1b dear");
}

TEST_CASE("who does not confirm begins again, and who leaves gives no answer") {
    Talk talk;
    talk.says("1").edits("{\"plan\":\"a\"}").says("d").says("maybe");
    CHECK(talk.is<Ask>().prompt == "y, n or q: ");
    CHECK(talk.says("n").tells("What follows?"));
    CHECK_FALSE(talk.tells("so far"));
    for (const char* unknown : {"0", "3", "d", "1x", "99999999999999999999"})
        CHECK(talk.says(unknown).tells("There is no choice"));
    CHECK_FALSE(talk.says("").tells("There is no choice"));
    talk.says("q").is<Leave>();
}

TEST_CASE("who wants to leave can, at each prompt") {
    for (const std::vector<const char*>& before :
         std::vector<std::vector<const char*>>{{}, {"n"}, {"n", "maybe"}, {"r"}, {"r", "too dear"}}) {
        Talk talk;
        for (const char* line : before)
            talk.says(line);
        talk.says(" q ").is<Leave>();
    }
    Talk mending;
    mending.says("1").edits("{").says("q").is<Leave>();
}
