#include "cli/command_line.hpp"
#include "io/as_user.hpp"
#include "io/standard_streams.hpp"
#include "program.hpp"
#include "runner/local_process.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
    io::open_missing_streams();
    io::take_over_limits();
    // These variables are of the task whose command this may be. Its BARNUM_RUN_ID stays until a command gets
    // another: by it, the run of that task finds what it has to end.
    for (const char* variable : {runner::previous_attempts_variable, runner::results_variable,
                                 "BARNUM_TASK_ID", "BARNUM_STEP", "BARNUM_ATTEMPT", "BARNUM_CONFIG_DIR"})
        ::unsetenv(variable);
    return cli::run(*barnum::program(), argc, argv);
}
