// The actions and hooks of a step.
#include "base/text.hpp"
#include "config/image_places.hpp"
#include "config/list_reader.hpp"
#include "config/workflow_reader.hpp"
#include "json/suggest.hpp"

#include <algorithm>

namespace config {

using json::Kind;
using json::View;

namespace {

// The options that a Human step may have.
constexpr std::string_view human_options[] = {"max_response_bytes", "max_tasks_per_response"};

constexpr std::string_view action_kinds[] = {"Pool", "Command", "Human"};

}  // namespace

void WorkflowReader::read_action(View value, Step& step) {
    auto kind = value.find("kind");
    std::string name = kind && kind->is(Kind::string) ? kind->string() : "";
    if (name == "Command") {
        read_command_action(value, step);
    } else if (name == "Pool") {
        step.action = read_pool_action(value, step);
    } else if (name == "Human") {
        step.action = read_human_action(value);
    } else if (!kind) {
        problems_.add(value, base::concat("\"kind\" is missing in an action; it is ",
                                          json::alternatives(action_kinds)));
    } else {
        problems_.add(*kind, base::concat("an action's \"kind\" is ", json::alternatives(action_kinds),
                                          ", not ", kind->text(), json::did_you_mean(name, action_kinds)));
    }
}

PoolAction WorkflowReader::read_pool_action(View value, const Step& step) {
    FieldValues fields = FieldValues::read(value, pool_action_type, problems_);
    PoolAction action;
    if (auto instructions = fields.find("instructions"))
        action.instructions = linked_.instructions(*instructions);
    if (auto labels = fields.find("labels")) action.labels = read_labels(*labels, problems_);
    if (auto images = fields.find("images")) action.images = read_image_places(*images, step, problems_);
    return action;
}

void WorkflowReader::read_command_action(View value, Step& step) {
    FieldValues fields = FieldValues::read(value, command_action_type, problems_);
    Command command = read_script(fields);
    auto labels = fields.find("labels");
    if (!fields.find("on")) {
        if (labels && !value.find("on"))
            problems_.add(*labels, "\"labels\" are those of an agent: they need \"on\": \"pool\"");
        step.action = std::move(command);
        return;
    }
    PoolAction action;
    if (labels) action.labels = read_labels(*labels, problems_);
    auto all = action.labels.with_shell_label();
    if (all)
        action.labels = std::move(*all);
    else
        problems_.add(*labels, base::concat("a Command on the pool has at most ", base::Labels::max_count - 1,
                                            " labels"));
    action.command = std::move(command);
    step.action = std::move(action);
}

HumanAction WorkflowReader::read_human_action(View value) {
    FieldValues fields = FieldValues::read(value, human_action_type, problems_);
    HumanAction action;
    if (auto instructions = fields.find("instructions"))
        action.instructions = linked_.instructions(*instructions);
    if (auto expires = fields.find("expires"))
        action.expires =
            std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(expires->number()));
    return action;
}

// Nothing is started for a person's answer, and nothing is tried again; only a `finally` has use for options.
void WorkflowReader::check_human_step(const FieldValues& step) {
    for (std::string_view hook : {"pre", "post"})
        if (auto value = step.find(hook))
            problems_.add(*value, base::concat("a Human step has no \"", hook, "\" hook: use a Command step ",
                                               hook == "pre" ? "before" : "after", " it"));
    auto env = step.find("env");
    if (env && !step.find("finally"))
        problems_.add_unless_begun(
            *env, "a Human step without a \"finally\" has no \"env\": no command is started for its tasks");
    auto options = step.find("options");
    if (step.find("finally") || step.find("gather") || !options || !options->is(Kind::object)) return;
    for (const json::Member& option : options->members()) {
        std::string name = option.key.string();
        if (std::ranges::find(human_options, name) != std::end(human_options)) continue;
        problems_.add(option.key,
                      base::concat("a Human step has no \"", name, "\": ",
                                   name == "timeout"
                                       ? "give its action \"expires\", the seconds that a task waits"
                                       : "its tasks wait for a person, are not retried and hold no place"));
    }
}

std::optional<Command> WorkflowReader::read_hook(const FieldValues& step, std::string_view name) {
    auto value = step.find(name);
    if (!value) return std::nullopt;
    auto kind = value->find("kind");
    if (kind && kind->is(Kind::string) && kind->string() != "Command") {
        problems_.add(*kind,
                      base::concat("the \"kind\" of \"", name, "\" is \"Command\", not ", kind->text()));
        return std::nullopt;
    }
    return read_command(*value);
}

Command WorkflowReader::read_command(View value) {
    return read_script(FieldValues::read(value, command_type, problems_));
}

Command WorkflowReader::read_script(const FieldValues& fields) {
    auto script = fields.find("script");
    if (!script) return {};
    std::string text = script->string();
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        problems_.add(*script, "\"script\" is empty");
    // The script becomes an argument of sh, which would end at the NUL.
    if (text.find('\0') != std::string_view::npos) problems_.add(*script, "\"script\" has a NUL character");
    // The kernel's limit for one argument (MAX_ARG_STRLEN).
    if (text.size() >= 128 * 1024)
        problems_.add(*script,
                      "\"script\" is longer than the 128 KiB that a shell can be given; put it into a file");
    return {std::move(text)};
}

}  // namespace config
