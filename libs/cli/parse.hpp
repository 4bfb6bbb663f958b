// Reads the arguments of one command, and says what is wrong with them. Inner part of cli/command_line. Pure.
#pragma once

#include "cli/command_line.hpp"

#include <boost/program_options/options_description.hpp>

#include <string>
#include <vector>

namespace cli {

// The same options for Boost, which parses arguments and formats --help.
boost::program_options::options_description boost_options(const std::vector<Option>& options,
                                                          const std::string& title);

// `arguments`: without the names of commands. Throws program_options::error whose text says what is wrong,
// and what would be right: all values have been accepted by their declarations, and all required options are
// there.
Options parse(const Command& command, const std::vector<Option>& global_options,
              const std::vector<std::string>& arguments);

// "unknown option '--rot'; did you mean "--root"?"
std::string unknown_option(const std::vector<Option>& options, const std::string& name);

}  // namespace cli
