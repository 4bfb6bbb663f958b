#include "commands/run/earlier_options.hpp"

#include "base/current_directory.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "commands/run/run_option_table.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace barnum {

namespace {

// The text of an option that is given now, for a process in another directory.
base::Result<std::string> text_elsewhere(const cli::Option& option, const std::string& text) {
    using Kind = cli::Value::Kind;
    const bool is_no_path = option.name == "transcripts" && text == "none";
    const bool is_path = option.value.kind == Kind::file || option.value.kind == Kind::directory;
    if (!is_path || is_no_path) return text;
    return base::absolute_path(text);
}

}  // namespace

base::Result<std::vector<std::string>> arguments_for(const runs::NamedRun& run,
                                                     std::vector<std::string> recorded,
                                                     const std::vector<cli::Option>& options,
                                                     const cli::Options& given) {
    std::erase_if(recorded, [&](const std::string& argument) {
        const cli::Option* option = cli::find_typed(options, argument);
        return option != nullptr && cli::is_given(*option, given);
    });
    for (const cli::Option& option : options) {
        if (!cli::is_given(option, given)) continue;
        for (const std::string& text : cli::texts_of(option, given)) {
            auto elsewhere = text_elsewhere(option, text);
            if (!elsewhere) return elsewhere.error();
            recorded.push_back(cli::argument_of(option, *elsewhere));
        }
    }
    auto log = base::absolute_path(run.log);
    if (!log) return log.error();
    recorded.push_back(cli::argument_of(resume_from_option(), *log));
    return recorded;
}

base::Result<void> enter_directory(const runs::NamedRun& run) {
    const std::string directory = run.found ? run.found->record.directory : std::string();
    if (directory.empty() || ::chdir(directory.c_str()) == 0) return {};
    return base::invalid(
        base::concat("the directory in which the run was started, ", directory, ": ", std::strerror(errno)));
}

}  // namespace barnum
