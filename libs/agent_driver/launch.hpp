// How to start an agent's program.
#pragma once

#include "agent_driver/settings.hpp"

#include <string>
#include <vector>

namespace agent_driver {

// A file that the program reads.
struct LaunchFile {
    std::string path;  // in Surroundings::files
    std::string text;
};

// The program's stdin and stdout are pipes. Both carry one JSON value per line.
struct Launch {
    std::string program;                 // a path, or a name to look up in PATH
    std::vector<std::string> arguments;  // without the program's name
    std::vector<Variable> environment;   // added to that of the shell; the last one of a name counts
    std::vector<std::string> withheld;   // variables that are set, and empty, if nobody has set them
    std::vector<std::string> removed;    // variables that the program does not get
    std::vector<LaunchFile> files;       // to be written before the program starts
    std::string directory;               // the working directory
    std::vector<std::string> lines;      // to write to the program's stdin at once, without newlines
};

}  // namespace agent_driver
