#include "config/warnings.hpp"

#include "base/text.hpp"
#include "config/pool_step.hpp"
#include "config/problem_list.hpp"
#include "config/reach.hpp"
#include "json/json.hpp"
#include "json_schema/contradiction.hpp"
#include "json_schema/schema.hpp"
#include "json_schema/unchecked.hpp"

#include <algorithm>
#include <optional>

namespace config {

namespace {

using json::View;

class Warner {
  public:
    Warner(const WorkflowConfig& config, std::string_view text, std::string name)
        : config_(config),
          problems_(text, std::move(name)),
          steps_(View::of(text).find("steps")->elements()),
          agents_(View::of(text).find("agents")) {}

    Problems run() {
        warn_of_unreachable();
        warn_of_cycles();
        warn_of_missing_bound();
        warn_of_permissions();
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            warn_of_schema({i});
            warn_of_unchecked({i});
            warn_of_instructions({i});
            warn_of_missing_timeout({i});
            warn_of_labels({i});
            warn_of_env({i});
            if (step({i}).gather) warn_of_gather({i});
        }
        return problems_.take();
    }

  private:
    const Step& step(StepId id) const { return config_.step(id); }
    View field(StepId id, std::string_view name) const { return *steps_[id.value].find(name); }

    void warn_of_unreachable() {
        if (!config_.entrypoint) return;
        auto reached = reachable_from(config_, {*config_.entrypoint});
        if (!reached) return;
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            if ((*reached)[i]) continue;
            problems_.warn(field({i}, "name"), base::concat("the step ", json::quote(config_.steps[i].name),
                                                            " can't be reached from the entrypoint, ",
                                                            json::quote(step(*config_.entrypoint).name),
                                                            ": it can only be started with --initial-state"));
        }
    }

    void warn_of_cycles() {
        for (const auto& cycle : endless_cycles(config_))
            problems_.warn(
                field(cycle.front(), "next"),
                base::concat(
                    "a cycle without an exit: ", way_round(cycle),
                    "; no terminal step can be reached from it, so it ends only when a task returns []"));
    }

    void warn_of_missing_bound() {
        if (config_.bounds.any()) return;
        for (const auto& cycle : cycles(config_))
            problems_.warn(
                field(cycle.front(), step(cycle.front()).next.empty() ? "finally" : "next"),
                base::concat("a cycle without a bound: ", way_round(cycle),
                             "; nothing ends a run that goes on in it; give the options at the top "
                             "\"max_tasks\", \"max_depth\" or \"max_run_seconds\""));
    }

    // "A" -> "B" -> "A"; of a long way, only the beginning and the end.
    std::string way_round(const std::vector<StepId>& cycle) const {
        constexpr std::size_t longest = 12;  // steps
        std::size_t left_out = cycle.size() > longest ? cycle.size() - longest : 0;
        std::string way;
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            if (i < longest - 1 || i >= longest - 1 + left_out)
                way += json::quote(step(cycle[i]).name) + " -> ";
            if (i == longest - 1 && left_out > 0) way += base::concat("(", left_out, " more steps) -> ");
        }
        return way + json::quote(step(cycle.front()).name);
    }

    void warn_of_schema(StepId id) {
        const auto& schema = step(id).value_schema;
        auto found = schema ? json_schema::contradiction(*schema) : std::nullopt;
        if (found)
            problems_.warn(field(id, "value_schema"),
                           base::concat("no value fits the schema of ", json::quote(step(id).name),
                                        ", so it can have no tasks: ", *found));
    }

    void warn_of_unchecked(StepId id) {
        const auto& schema = step(id).value_schema;
        if (!schema) return;
        for (const std::string& what : json_schema::unchecked(*schema))
            problems_.warn(field(id, "value_schema"),
                           base::concat("in the schema of ", json::quote(step(id).name), ", ", what));
    }

    void warn_of_instructions(StepId id) {
        if (command_of(step(id)) != nullptr) return;
        if (instructions_of(step(id)).find_first_not_of(" \t\r\n") != std::string::npos) return;
        problems_.warn(field(id, "action"),
                       base::concat(step(id).is_pool() ? "the Pool step " : "the Human step ",
                                    json::quote(step(id).name),
                                    step(id).is_pool()
                                        ? " has no \"instructions\": its agents are told which steps may "
                                          "follow, but not what to do"
                                        : " has no \"instructions\": people see its tasks and the steps that "
                                          "may follow, but not what to do"));
    }

    void warn_of_missing_timeout(StepId id) {
        if (!step(id).is_pool() || step(id).options.timeout) return;
        problems_.warn(
            field(id, "action"),
            base::concat("the Pool step ", json::quote(step(id).name),
                         " has no timeout: an agent that hangs keeps its task until the limit of the pool, "
                         "by default a day; give it \"options\": { \"timeout\": SECONDS }"));
    }

    void warn_of_permissions() {
        for (std::size_t i = 0; i < config_.agents.size(); ++i)
            if (config_.agents[i].settings.permissions == agent_driver::Permissions::full)
                problems_.warn(*agents_->elements()[i].find("permissions"),
                               "with these permissions the agents do everything without a question, with all "
                               "rights of the user: run them in a container, or allow them less");
    }

    void warn_of_labels(StepId id) {
        const base::Labels* labels = labels_of(step(id));
        auto fits = [&](const agent_driver::AgentGroup& group) { return offered_labels(group).fit(*labels); };
        if (!labels || config_.agents.empty() || std::ranges::any_of(config_.agents, fits)) return;
        View action = field(id, "action");
        problems_.warn(action.find("labels").value_or(action),
                       base::concat("no agent of the config ", needed_of_agents(step(id)),
                                    ", which the Pool step ", json::quote(step(id).name),
                                    " requires: its tasks wait for other agents (--agent, or --pool)"));
    }

    void warn_of_env(StepId id) {
        const Step& of = step(id);
        auto env = steps_[id.value].find("env");
        if (!env || !of.is_pool() || command_of(of) != nullptr || of.pre || of.post || of.finally) return;
        problems_.warn(*env, base::concat("the Pool step ", json::quote(of.name),
                                          " has no hooks, so its \"env\" has no effect: agents have the "
                                          "variables of their own \"env\""));
    }

    void warn_of_gather(StepId id) {
        const Gather& gather = *step(id).gather;
        auto reached = reachable_from(config_, step(id).next);
        auto of = field(id, "gather").find("of")->elements();
        for (std::size_t i = 0; reached && i < gather.of.size(); ++i)
            if (!(*reached)[gather.of[i].value])
                problems_.warn(of[i], base::concat("no task of ", json::quote(step(id).name),
                                                   " leads to one of ", json::quote(step(gather.of[i]).name),
                                                   ", so nothing of that step is gathered"));
        if (auto misfit = misfit_of(gather))
            problems_.warn(*field(id, "gather").find("into"),
                           base::concat("what is gathered is {\"value\": …, \"results\": […], \"dropped\": "
                                        "N}, and never fits the schema of ",
                                        json::quote(step(gather.into).name), ": ", *misfit));
    }

    // Finds a misfit only if it does not depend on what is in the members.
    std::optional<std::string> misfit_of(const Gather& gather) const {
        const auto& schema = step(gather.into).value_schema;
        auto found =
            schema ? schema->violation(View::of(R"({"value":null,"results":[],"dropped":0})")) : std::nullopt;
        constexpr std::string_view keywords[] = {"/type", "/required", "/additionalProperties"};
        if (!found || std::ranges::find(keywords, found->schema_pointer) == std::end(keywords))
            return std::nullopt;
        return found->path.empty() ? std::optional(found->message) : std::nullopt;
    }

    const WorkflowConfig& config_;
    ProblemList problems_;
    std::vector<View> steps_;
    std::optional<View> agents_;
};

}  // namespace

Problems warnings(const WorkflowConfig& config, std::string_view text, std::string name) {
    return Warner(config, text, std::move(name)).run();
}

}  // namespace config
