#include "cli/command_line.hpp"
#include "io/standard_streams.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
    io::open_missing_streams();
    return cli::run(*barnum::program(), argc, argv);
}
