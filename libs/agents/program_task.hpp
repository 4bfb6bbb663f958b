// One task with an agent's program: the conversation, the check of its answers, and what it comes to. Pure:
// agents/program_work starts the program and carries out the actions.
#pragma once

#include "agent_driver/conversation.hpp"
#include "agents/response_check.hpp"
#include "agents/work_end.hpp"
#include "base/line_splitter.hpp"
#include "pool_protocol/agent_activity.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace agents {

class ProgramTask {
  public:
    using Time = agent_driver::Time;

    struct Write {
        std::string text;  // to the program's stdin, with its newlines
    };
    struct CloseInput {};  // there is a response: the program ends by itself
    struct EndProgram {};  // it failed, or has nothing to say any more
    struct ShowActivity {  // it differs from the last one
        pool_protocol::AgentActivity activity;
    };
    struct NoteRefusal {  // the model was not let do something, each once
        agent_driver::Denied denied;
    };
    using Action = std::variant<Write, CloseInput, EndProgram, ShowActivity, NoteRefusal>;
    using Actions = std::vector<Action>;

    // `group` has passed its check, and is not of the kind exec. `content` is JSON text, `project` what the
    // directory says to models, `begun` the conversation to go on with.
    ProgramTask(const agent_driver::AgentGroup& group, std::string_view content, std::string response_schema,
                std::string project = {}, const agent_driver::Surroundings& surroundings = {},
                agent_driver::Begun begun = {});

    // How to start the program. Called first, and once; its lines are to be written at once.
    agent_driver::Launch launch(Time now) { return conversation_.launch(now); }

    // The program has printed this, in pieces of any size.
    Actions output(std::string_view piece, Time now);
    Actions error_output(std::string_view piece, Time now);
    // The program does not read what it has asked for.
    Actions not_read() { return done(conversation_.not_read(), Time()); }
    // The program has ended, after all its output was given to the functions above.
    void exited(agent_driver::Exit exit, Time now);
    // The program was ended because the task's time is over. If its provider has kept failing, the task is
    // not at fault.
    void time_is_over();

    // When a program that stays silent is to be ended; nothing if it need not say anything.
    std::optional<Time> deadline() const { return conversation_.deadline(); }
    Actions deadline_passed(Time now) { return done(conversation_.deadline_passed(now), now); }

    // Nothing before there is a response or a failure.
    const std::optional<WorkEnd>& end() const { return end_; }
    // What is known of the work so far.
    const pool_protocol::AgentReport& report() const { return report_; }
    const pool_protocol::AgentActivity& activity() const { return activity_; }
    // What the model was not let do, and by whom, each once: "Write a.txt (claude)".
    const std::vector<std::string>& denied() const { return denied_; }

  private:
    Actions done(agent_driver::Actions actions, Time now);
    void done(agent_driver::Action action, Time now, Actions& out);
    void note(const agent_driver::Session& session, Actions& out);
    void note(const agent_driver::Usage& usage);
    void note(agent_driver::Denied denied, Actions& out);
    void set_price(const agent_driver::Usage& usage);
    void show(std::string text, Actions& out);
    void answered(std::string text, Time now, Actions& out);
    void failed(agent_driver::Failure failure);

    agent_driver::AgentGroup group_;
    std::string resume_;  // the conversation to go on with, until the program has begun
    std::function<std::string(std::string_view)> redact_;  // may be empty
    ResponseCheck check_;
    agent_driver::Conversation conversation_;
    base::LineSplitter lines_;
    base::LineSplitter error_lines_;
    pool_protocol::AgentReport report_;
    pool_protocol::AgentActivity activity_;  // as it was shown last
    std::vector<std::string> denied_;
    int repairs_ = 0;  // that this task has asked for
    std::optional<WorkEnd> end_;
};

// What the failure of a program means for its task and its agent.
WorkEnd::Kind kind_of(agent_driver::FailureKind failure);

}  // namespace agents
