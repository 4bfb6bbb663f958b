#include "config/warnings.hpp"

#include "base/text.hpp"
#include "config/problem_list.hpp"
#include "config/reach.hpp"
#include "json/json.hpp"
#include "json_schema/contradiction.hpp"
#include "json_schema/schema.hpp"
#include "json_schema/unchecked.hpp"

namespace config {

namespace {

using json::View;

class Warner {
  public:
    Warner(const WorkflowConfig& config, std::string_view text, std::string name)
        : config_(config),
          problems_(text, std::move(name)),
          steps_(View::of(text).find("steps")->elements()) {}

    Problems run() {
        warn_of_unreachable();
        warn_of_cycles();
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            warn_of_schema({i});
            warn_of_unchecked({i});
            warn_of_instructions({i});
            warn_of_missing_timeout({i});
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
        for (const auto& cycle : endless_cycles(config_)) {
            std::string way;
            for (StepId id : cycle)
                way += json::quote(step(id).name) + " -> ";
            problems_.warn(
                field(cycle.front(), "next"),
                base::concat(
                    "a cycle without an exit: ", way, json::quote(step(cycle.front()).name),
                    "; no terminal step can be reached from it, so it ends only when a task returns []"));
        }
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
        const auto* pool = std::get_if<PoolAction>(&step(id).action);
        if (!pool || pool->instructions.find_first_not_of(" \t\r\n") != std::string::npos) return;
        problems_.warn(
            field(id, "action"),
            base::concat("the Pool step ", json::quote(step(id).name),
                         " has no \"instructions\": its agents are told which steps may follow, but "
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

    const WorkflowConfig& config_;
    ProblemList problems_;
    std::vector<View> steps_;
};

}  // namespace

Problems warnings(const WorkflowConfig& config, std::string_view text, std::string name) {
    return Warner(config, text, std::move(name)).run();
}

}  // namespace config
