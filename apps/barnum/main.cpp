#include "cli/command_line.hpp"
#include "io/as_user.hpp"
#include "io/standard_streams.hpp"
#include "program.hpp"
#include "runner/local_process.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
    io::open_missing_streams();
    io::take_over_limits();
    // Of the task whose command this may be.
    ::unsetenv(runner::previous_attempts_variable);
    ::unsetenv(runner::results_variable);
    return cli::run(*barnum::program(), argc, argv);
}
