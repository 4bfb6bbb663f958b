#include "cli/command_line.hpp"
#include "io/as_user.hpp"
#include "io/standard_streams.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
    io::open_missing_streams();
    io::take_over_limits();
    return cli::run(*troupe::program(), argc, argv);
}
