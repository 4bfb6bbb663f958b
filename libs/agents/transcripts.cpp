#include "agents/transcripts.hpp"

#include "base/own_environment.hpp"
#include "base/state_home.hpp"
#include "base/text.hpp"
#include "io/log.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace agents {

namespace {

using std::chrono::hours;

constexpr hours longest_kept{14 * 24};
constexpr hours between_removals{24};
constexpr std::size_t most_removed = 5000;  // at once; the next time goes on
constexpr std::size_t longest_step = 100;   // bytes; the file system allows 255 for a name
constexpr std::string_view suffix = ".ndjson";

std::string file_name(std::string_view step, std::string_view id) {
    std::string fit(step.substr(0, longest_step));
    std::ranges::replace_if(
        fit, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
    if (fit.starts_with('.')) fit.front() = '_';
    return base::concat(fit, "-", id, suffix);
}

bool is_transcript(std::string_view name) {
    return name.ends_with(suffix) || name.ends_with(base::concat(suffix, ".new"));
}

}  // namespace

Transcripts::Transcripts(std::string directory, Retention retention)
    : directory_(std::move(directory)), retention_(retention) {}

std::string Transcripts::default_directory(std::string_view pool) {
    std::string home = base::state_home();
    return home.empty() ? "" : base::concat(home, "/barnum/transcripts/", pool);
}

std::unique_ptr<Transcript> Transcripts::begin(std::string_view step, std::string_view id,
                                               const output::Variables& variables) {
    auto file = create(file_name(step, id));
    if (file.has_error()) {
        failed(file.error());
        return nullptr;
    }
    output::Variables all = base::own_environment();
    all.insert(all.end(), variables.begin(), variables.end());
    auto redaction = std::make_shared<const output::Redaction>(output::secrets_of(all));
    return std::make_unique<Transcript>(std::move(*file), redaction,
                                        [this](const base::Error& error) { failed(error); });
}

// The path may contain links of the user's; the directory that it leads to is checked.
base::Result<TranscriptFile> Transcripts::create(std::string name) {
    if (directory_.empty()) return base::invalid("there is no home directory");
    std::error_code failure;
    std::filesystem::path place = std::filesystem::weakly_canonical(directory_, failure);
    if (failure)
        return base::Error{failure, base::concat("cannot find ", directory_, ": ", failure.message())};
    auto directory = io::Directory::make(place.string(), io::choose_state_home);
    if (directory.has_error()) return directory.error();
    if (retention_ == Retention::two_weeks) remove_old(*directory);
    return TranscriptFile::create(std::make_shared<const io::Directory>(std::move(*directory)),
                                  std::move(name));
}

void Transcripts::remove_old(const io::Directory& directory) {
    const auto now = std::chrono::steady_clock::now();
    if (next_removal_ && now < *next_removal_) return;
    next_removal_ = now + between_removals;
    auto names = directory.names();
    if (names.has_error()) return;
    const auto oldest = std::chrono::system_clock::now().time_since_epoch() - longest_kept;
    std::size_t removed = 0;
    for (const std::string& name : *names) {
        if (!is_transcript(name) || directory.modified(name) > oldest) continue;
        (void)directory.remove(name);
        if (++removed == most_removed) return;
    }
}

void Transcripts::failed(const base::Error& error) {
    if (std::exchange(has_failed_, true)) return;
    io::log::warn("transcripts are not kept: ", error.message, "; the tasks go on");
}

}  // namespace agents
