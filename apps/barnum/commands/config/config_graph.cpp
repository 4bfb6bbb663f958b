#include "commands/config/config_graph.hpp"

#include "base/exit_code.hpp"
#include "cli/command_line.hpp"
#include "config/graph.hpp"
#include "fail.hpp"
#include "io/as_user.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <sys/wait.h>

namespace barnum {

namespace {

constexpr int no_such_program = 127;  // of a shell

int print_svg(const std::string& dot) {
    std::signal(SIGPIPE, SIG_IGN);  // Graphviz may end before it has read all
    io::AsUser as_user;
    std::FILE* pipe = ::popen("command -v dot >/dev/null || exit 127; exec dot -Tsvg", "we");
    if (!pipe) return fail(base::ExitCode::failure, "cannot start Graphviz' dot");
    std::fwrite(dot.data(), 1, dot.size(), pipe);
    int status = ::pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return base::ExitCode::ok;
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_such_program)
        return fail(base::ExitCode::failure,
                    "--format svg needs Graphviz' program `dot`, which is not installed: install the package "
                    "graphviz, or use --format dot or --format mermaid");
    return fail(base::ExitCode::failure, "Graphviz' dot has failed; --format dot prints its input");
}

}  // namespace

int print_graph(const config::WorkflowConfig& config, GraphFormat format) {
    if (format == GraphFormat::svg) return print_svg(config::dot_graph(config));
    std::cout << (format == GraphFormat::dot ? config::dot_graph(config) : config::mermaid_graph(config));
    return base::ExitCode::ok;
}

}  // namespace barnum
