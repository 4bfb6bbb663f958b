#include "config/load.hpp"

#include "base/current_directory.hpp"
#include "config/file_text.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_reader.hpp"
#include "json/json.hpp"

#include <filesystem>

namespace config {

namespace {

// Whether the path names an open descriptor; its directory has no meaning then.
bool is_descriptor(std::string_view path) {
    return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

base::Result<std::string> directory_of(const std::string& path, const ConfigText& config) {
    if (config.is_regular_file && !is_descriptor(path) && path.starts_with('/'))
        return std::filesystem::path(path).lexically_normal().parent_path().string();
    auto current = base::current_directory();
    if (!current || !config.is_regular_file || is_descriptor(path)) return current;
    return (std::filesystem::path(*current) / path).lexically_normal().parent_path().string();
}

LoadResult failed(const std::string& argument, const base::Error& error) {
    return {std::nullopt, {{{argument, 0, 0, error.message}}}};
}

LoadResult load_and_keep(std::string text, std::string name, std::string directory) {
    LoadResult result = load_text(text, name, std::move(directory));
    result.name = std::move(name);
    result.text = std::move(text);
    return result;
}

}  // namespace

LoadResult load_text(std::string_view text, std::string name, std::string directory, Use use) {
    ProblemList problems(text, std::move(name), use);
    if (auto error = json::check(text, json::Dialect::jsonc)) {
        problems.add(error->offset, error->message);
        return {std::nullopt, problems.take()};
    }
    WorkflowConfig config = WorkflowReader(std::move(directory), problems).read(json::View::of(text));
    if (!problems.empty()) return {std::nullopt, problems.take()};
    return {std::move(config), {}};
}

bool is_text(std::string_view argument) {
    std::size_t start = argument.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return false;
    argument.remove_prefix(start);
    if (argument.starts_with('{')) return true;
    // A path may start with two slashes as well, but hardly contains a line break.
    return (argument.starts_with("//") && argument.find('\n') != std::string_view::npos) ||
           argument.starts_with("/*");
}

LoadResult load(const std::string& argument) {
    if (is_text(argument)) {
        auto directory = base::current_directory();
        if (!directory) return failed(std::string(inline_name), directory.error());
        return load_and_keep(argument, std::string(inline_name), std::move(*directory));
    }
    auto file = read_config_file(argument);
    if (!file) return failed(argument, file.error());
    auto directory = directory_of(argument, *file);
    if (!directory) return failed(argument, directory.error());
    return load_and_keep(std::move(file->text), argument, std::move(*directory));
}

}  // namespace config
