#include "load_file_submitters.hpp"

#include "load_events.hpp"

#include <cstdio>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

namespace load {

namespace {

constexpr std::string_view answer_suffix = ".response.json";

}  // namespace

FileSubmitters::FileSubmitters(std::string pool_directory, std::size_t count)
    : directory_(std::move(pool_directory)),
      count_(count),
      inotify_(watch_new_files(directory_ + "/submissions")) {}

FileSubmitters::~FileSubmitters() {
    for (const auto& [uuid, waiting] : waiting_)
        ::unlink(file(uuid, ".request.json").c_str());
    ::close(inotify_);
}

std::string FileSubmitters::file(const std::string& uuid, std::string_view suffix) const {
    return directory_ + "/submissions/" + uuid + std::string(suffix);
}

void FileSubmitters::start() {
    for (std::size_t i = 0; i < count_; ++i)
        submit();
}

void FileSubmitters::submit() {
    auto uuid = fresh_uuid();
    auto number = begin();
    waiting_.emplace(uuid, Waiting{number, Clock::now()});
    auto scratch = directory_ + "/scratch/" + uuid;
    write_file(scratch, request(number, ""));
    if (std::rename(scratch.c_str(), file(uuid, ".request.json").c_str()) != 0) die_errno("cannot submit");
}

void FileSubmitters::on_events() {
    for_each_name(inotify_, [this](std::string_view name) { on_name(name); });
}

void FileSubmitters::on_name(std::string_view name) {
    if (!name.ends_with(answer_suffix)) return;
    name.remove_suffix(answer_suffix.size());
    auto waiting = waiting_.find(std::string(name));
    if (waiting == waiting_.end()) return;
    auto answer = read_file(file(waiting->first, answer_suffix));
    if (answer.empty()) return;  // created, not yet written: another event follows
    end(waiting->second.number, waiting->second.begun, answer);
    ::unlink(file(waiting->first, ".request.json").c_str());
    ::unlink(file(waiting->first, answer_suffix).c_str());
    waiting_.erase(waiting);
    if (!finishing()) submit();
}

}  // namespace load
