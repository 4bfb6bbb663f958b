#include "commands/agents/agent_check.hpp"

#include "agents/agent_redaction.hpp"
#include "agents/program_work.hpp"
#include "base/dollars.hpp"
#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "cli/output.hpp"
#include "context.hpp"
#include "interruptible.hpp"
#include "terminal/printable_lines.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace troupe {

namespace asio = boost::asio;
using agents::WorkEnd;

namespace {

std::string decimals(double number, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << number;
    return text.str();
}

// "3.2 s, 1242 tokens, $0.0075"
std::string cost(const pool_protocol::AgentReport& report, std::chrono::duration<double> elapsed) {
    std::string text = base::concat(decimals(elapsed.count(), 1), " s, ",
                                    report.input_tokens + report.output_tokens, " tokens");
    if (report.usd)
        text +=
            base::concat(", ", report.price_list.empty() ? "" : "about ", base::dollars_text(*report.usd));
    return text;
}

std::string problem(const WorkEnd& end, const agent_driver::AgentGroup& group) {
    std::string message = terminal::printable_lines(end.message);
    if (end.kind != WorkEnd::Kind::timed_out) return message;
    return base::concat("it was not done within ", agents::trial_time(group).count(), " s",
                        message.empty() ? "" : "; ", message);
}

// Its first line with words.
std::string beginning(std::string_view answer) {
    constexpr std::size_t longest = 200;
    std::size_t begin = std::min(answer.find_first_not_of(" \t\r\n"), answer.size());
    return terminal::cut(terminal::printable(base::first_line(answer.substr(begin))), longest);
}

std::string what_to_do(WorkEnd::Kind kind, const agent_driver::Settings& settings) {
    std::string program = settings.program.empty() ? std::string(kind_name(settings.kind)) : settings.program;
    switch (kind) {
        case WorkEnd::Kind::unusable:
            return base::concat(
                "\nIs the program installed, logged in, and allowed to use the model? Start `",
                settings.kind == agent_driver::AgentKind::acp ? settings.command : program,
                "` by itself to see.");
        case WorkEnd::Kind::timed_out:
            return "\nDoes the program wait for something, such as a login or the network?";
        case WorkEnd::Kind::parked:
            return "\nIts account has reached a usage limit; try again later.";
        case WorkEnd::Kind::unavailable:
            return "\nThe provider or the network failed; try again later.";
        default:
            return "";
    }
}

int print(const WorkEnd& end, const agent_driver::AgentGroup& group, std::chrono::duration<double> elapsed) {
    std::string_view kind = kind_name(group.settings.kind);
    if (end.kind != WorkEnd::Kind::responded)
        return fail(base::invalid(base::concat(kind, " did not do the task: ", problem(end, group),
                                               what_to_do(end.kind, group.settings))));
    if (!end.mistakes.empty())
        return fail(base::invalid(base::concat(
            kind, " answered, but not as it was asked to, after ",
            base::counted(static_cast<std::size_t>(end.report->repairs), "repair"), "; its answer begins: ",
            beginning(end.response), "\n", terminal::printable_lines(end.mistakes))));
    std::string model =
        end.report->model.empty() ? "" : base::concat(" with ", terminal::printable(end.report->model));
    std::cout << kind << " works" << model << ": " << cost(*end.report, elapsed)
              << "\nits answer: " << terminal::printable_lines(end.response) << "\n";
    return cli::flushed("troupe", base::ExitCode::ok);
}

}  // namespace

int check_agent(const agent_driver::AgentGroup& group) {
    return run_interruptible([&](io::DirectoryWatch&) -> asio::awaitable<int> {
        auto begin = std::chrono::steady_clock::now();
        WorkEnd end = co_await agents::try_program(group);
        end.response = agents::redaction_for(group.settings)->redact(end.response);
        co_return print(end, group, std::chrono::steady_clock::now() - begin);
    });
}

}  // namespace troupe
