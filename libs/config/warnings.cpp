#include "config/warnings.hpp"

#include "base/text.hpp"
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
        }
        return problems_.take();
    }

  private:
    const Step& step(StepId id) const { return config_.step(id); }
    View field(StepId id, std::string_view name) const { return *steps_[id.value].find(name); }

    void warn_of_unreachable() {
        if (!config_.entrypoint) return;
        auto reached = reachable_from(config_, *config_.entrypoint);
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

    // "A" -> "B" -> "A"
    std::string way_round(const std::vector<StepId>& cycle) const {
        std::string way;
        for (StepId id : cycle)
            way += json::quote(step(id).name) + " -> ";
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
        if (std::holds_alternative<Command>(step(id).action)) return;
        if (instructions_of(step(id)).find_first_not_of(" \t\r\n") != std::string::npos) return;
        problems_.warn(
            field(id, "action"),
            base::concat("the ", step(id).is_pool() ? "Pool" : "Human", " step ", json::quote(step(id).name),
                         " has no \"instructions\": who does its tasks is told which steps may follow, but "
                         "not what to do"));
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
        const auto* pool = std::get_if<PoolAction>(&step(id).action);
        auto fits = [&](const agent_driver::AgentGroup& group) { return group.labels.contain(pool->labels); };
        if (!pool || config_.agents.empty() || std::ranges::any_of(config_.agents, fits)) return;
        problems_.warn(*field(id, "action").find("labels"),
                       base::concat("no agent of the config has ", pool->labels.description(),
                                    ", which the Pool step ", json::quote(step(id).name),
                                    " requires: its tasks wait for other agents (--agent, or --pool)"));
    }

    void warn_of_env(StepId id) {
        const Step& of = step(id);
        auto env = steps_[id.value].find("env");
        if (!env || !of.is_pool() || of.pre || of.post || of.finally) return;
        problems_.warn(*env, base::concat("the Pool step ", json::quote(of.name),
                                          " has no hooks, so its \"env\" has no effect: agents have the "
                                          "variables of their own \"env\""));
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
