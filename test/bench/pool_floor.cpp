// The floor under any daemon that speaks the file protocol: one thread that makes the files of agents and
// daemon for each task, with no one to wait for and nothing to decide.
//
//   pool_floor --directory DIR [--agents M] [--seconds S]
//
// M agents (64) go through each phase together, so that the directories are as full as with a daemon:
// announce by a ready file, which is read; a task file written in scratch/ and renamed, which is read; a
// response written, which is read; all three removed. One line of JSON: tasks and tasks_per_second.
#include "load_files.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using load::Clock;
using Seconds = std::chrono::duration<double>;

constexpr std::string_view task_text =
    R"({"task":{"kind":"Load","value":{"n":100000}},"instructions":"","timeout_seconds":60})";
constexpr std::string_view response_text = R"([{"kind":"Done","value":{"n":100000}}])";

struct Options {
    std::string directory;
    std::size_t agents = 64;
    Seconds seconds{5};
};

[[noreturn]] void usage() {
    std::fputs("usage: pool_floor --directory DIR [--agents M] [--seconds S]\n", stderr);
    std::exit(2);
}

double positive(const char* text) {
    char* end = nullptr;
    double number = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(number > 0 && number < 1e6)) usage();
    return number;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string option = argv[i];
        if (option == "--directory")
            options.directory = argv[i + 1];
        else if (option == "--agents")
            options.agents = static_cast<std::size_t>(positive(argv[i + 1]));
        else if (option == "--seconds")
            options.seconds = Seconds(positive(argv[i + 1]));
        else
            usage();
    }
    if (options.directory.empty() || argc % 2 == 0 || options.agents == 0) usage();
    return options;
}

void expect(const std::string& path, std::string_view text) {
    if (load::read_file(path) != text) load::die("not what was written: " + path);
}

void turn(const std::string& directory, std::size_t count) {
    std::vector<std::string> uuids;
    for (std::size_t i = 0; i < count; ++i)
        uuids.push_back(load::fresh_uuid());
    auto file = [&](const std::string& uuid, const char* suffix) {
        return directory + "/agents/" + uuid + suffix;
    };
    for (const auto& uuid : uuids)
        load::write_file(file(uuid, ".ready.json"), "{\"name\":\"load\"}");
    for (const auto& uuid : uuids) {
        expect(file(uuid, ".ready.json"), "{\"name\":\"load\"}");
        auto scratch = directory + "/scratch/" + uuid;
        load::write_file(scratch, task_text);
        if (std::rename(scratch.c_str(), file(uuid, ".task.json").c_str()) != 0) load::die_errno("rename");
    }
    for (const auto& uuid : uuids) {
        expect(file(uuid, ".task.json"), task_text);
        load::write_file(file(uuid, ".response.json"), response_text);
    }
    for (const auto& uuid : uuids) {
        expect(file(uuid, ".response.json"), response_text);
        for (const char* suffix : {".ready.json", ".task.json", ".response.json"})
            ::unlink(file(uuid, suffix).c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
    auto options = parse(argc, argv);
    std::filesystem::create_directories(options.directory + "/agents");
    std::filesystem::create_directories(options.directory + "/scratch");
    auto begun = Clock::now();
    std::size_t tasks = 0;
    while (Clock::now() - begun < options.seconds) {
        turn(options.directory, options.agents);
        tasks += options.agents;
    }
    auto rate = static_cast<double>(tasks) / Seconds(Clock::now() - begun).count();
    std::printf("{\"tasks\":%zu,\"tasks_per_second\":%.1f}\n", tasks, rate);
}
