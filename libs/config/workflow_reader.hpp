// Reads a WorkflowConfig from checked JSONC, and collects all problems. Internal to config/load.
#pragma once

#include "config/fields.hpp"
#include "config/linked_reader.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace config {

class WorkflowReader {
  public:
    WorkflowReader(std::string directory, ProblemList& problems);

    // The result is valid only if no problem was found.
    WorkflowConfig read(json::View root);

  private:
    void name_steps(const std::vector<json::View>& steps);
    void read_steps(const std::vector<json::View>& steps);
    Step read_step(json::View value);
    void read_global_options(json::View value);
    void read_config_agents(json::View value);
    void read_step_options(json::View value, Step& step);
    void check_global_backoff();
    void read_action(json::View value, Step& step);
    PoolAction read_pool_action(json::View value, const Step& step);
    HumanAction read_human_action(json::View value);
    void check_human_step(const FieldValues& step);
    std::optional<Command> read_hook(const FieldValues& step, std::string_view name);
    void read_command_action(json::View value, Step& step);
    Command read_command(json::View value);
    Command read_script(const FieldValues& fields);
    std::optional<Gather> read_gather(json::View value, const FieldValues& step);
    std::vector<StepId> read_step_names(json::View value, std::string_view what);
    std::optional<StepId> read_step_name(json::View value, std::string_view what);

    ProblemList& problems_;
    LinkedReader linked_;
    WorkflowConfig config_;
    std::map<std::string, std::string> env_;  // of the workflow
    StepOptions global_;
    bool global_retries_ = false;               // the global options allow retries
    bool any_retries_ = false;                  // the options of at least one step allow retries
    std::optional<json::View> global_backoff_;  // "retry_backoff" in the global options
};

}  // namespace config
