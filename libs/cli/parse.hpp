// Parses the arguments of one command, and explains errors. Internal to cli/command_line, except for
// arguments that a file or the record of a run has. Pure.
#pragma once

#include "cli/command_line.hpp"

#include <boost/program_options/options_description.hpp>

#include <string>
#include <vector>

namespace cli {

// The options in the form of Boost, which parses arguments and formats --help.
boost::program_options::options_description boost_options(const std::vector<Option>& options,
                                                          const std::string& title);

// `arguments` are without the names of commands. In the result, all values are allowed by their declarations,
// and no required option is missing. Otherwise throws program_options::error, whose text says what is wrong
// and what would be right.
Options parse(const Command& command, const std::vector<Option>& global_options,
              const std::vector<std::string>& arguments);

// "unknown option '--rot'; did you mean "--root"?"
std::string unknown_option(const std::vector<Option>& options, const std::string& name);

}  // namespace cli
