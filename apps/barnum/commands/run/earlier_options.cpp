#include "commands/run/earlier_options.hpp"

#include "base/text.hpp"
#include "cli/parse.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace barnum {

namespace {

constexpr std::string_view no_transcripts = "none";  // the value of --transcripts that is no path

bool is_path(const cli::Option& option) {
    return option.value.kind == cli::Value::Kind::file || option.value.kind == cli::Value::Kind::directory;
}

}  // namespace

std::vector<std::string> with_given(std::vector<std::string> recorded,
                                    const std::vector<cli::Option>& options, const cli::Options& given) {
    std::erase_if(recorded, [&](const std::string& argument) {
        const cli::Option* option = cli::find_typed(options, argument);
        return option != nullptr && cli::is_given(*option, given);
    });
    for (const cli::Option& option : options) {
        if (!cli::is_given(option, given)) continue;
        for (const std::string& text : cli::texts_of(option, given)) {
            bool is_relative = is_path(option) && text != no_transcripts;
            recorded.push_back(
                cli::argument_of(option, is_relative ? std::filesystem::absolute(text).string() : text));
        }
    }
    return recorded;
}

base::Result<void> enter_directory(const runs::NamedRun& run) {
    if (!run.found || ::chdir(run.found->record.directory.c_str()) == 0) return {};
    return base::invalid(base::concat("the directory in which the run was started, ",
                                      run.found->record.directory, ": ", std::strerror(errno)));
}

}  // namespace barnum
