#include "displays/progress_choice.hpp"

#include "displays/json_progress.hpp"
#include "displays/plain_progress.hpp"
#include "displays/terminal_progress.hpp"
#include "terminal/size.hpp"

#include <unistd.h>
#include <utility>

namespace displays {

std::unique_ptr<Progress> make_progress(const boost::asio::any_io_executor& executor,
                                        progress::ProgressMode mode, terminal::Color color, WatchedRun run) {
    auto environment = terminal::Environment::current();
    bool on_terminal = terminal::is_terminal(STDERR_FILENO);
    if (mode == progress::ProgressMode::automatic)
        mode = on_terminal && !terminal::is_dumb(environment) ? progress::ProgressMode::tty
                                                              : progress::ProgressMode::plain;
    bool colored = terminal::wants_color(color, on_terminal, environment);
    if (mode != progress::ProgressMode::json) present_log(colored);
    switch (mode) {
        case progress::ProgressMode::tty:
            return std::make_unique<TerminalProgress>(executor, colored, std::move(run));
        case progress::ProgressMode::json:
            return std::make_unique<JsonProgress>(executor, std::move(run));
        case progress::ProgressMode::none:
            return nullptr;
        case progress::ProgressMode::automatic:
        case progress::ProgressMode::plain:
            break;
    }
    return std::make_unique<PlainProgress>(executor, std::move(run));
}

}  // namespace displays
