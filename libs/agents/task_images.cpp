#include "agents/task_images.hpp"

#include "agents/found_file.hpp"
#include "agents/task_prompt.hpp"
#include "base/base64.hpp"
#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace agents {

namespace {

namespace fs = std::filesystem;
using agent_driver::Image;

base::Result<FoundFile> find_file(const agent_driver::Settings& settings, const std::string& path) {
    if (path.find('\0') != std::string::npos) return base::invalid("its path has a NUL character");
    auto file = FoundFile::find((fs::path(settings.directory) / path).string());
    if (file.has_error()) return file;
    std::error_code error;
    const fs::path top = fs::canonical(settings.directory, error);
    if (settings.permissions != agent_driver::Permissions::full &&
        (error || !is_below(top, file->real_path())))
        return base::invalid(base::concat("it does not lie in ", settings.directory,
                                          ", and only agents with the permissions full may read elsewhere"));
    if (!file->is_regular()) return base::invalid("it is not a regular file");
    return file;
}

base::Result<std::string> checked_bytes(const agent_driver::Settings& settings, const std::string& path) {
    auto file = find_file(settings, path);
    if (file.has_error()) return file.error();
    auto bytes = file->beginning(largest_image + 1);
    if (bytes.has_error()) return bytes.error();
    if (bytes->size() > largest_image)
        return base::invalid(base::concat("it is larger than ", largest_image / 1'000'000, " MB"));
    if (agent_driver::image_type(*bytes).empty())
        return base::invalid("it is no PNG, JPEG, GIF or WebP image");
    return bytes;
}

}  // namespace

base::Result<agent_driver::Images> read_images(const agent_driver::Settings& settings,
                                               const std::vector<std::string>& paths) {
    if (paths.empty()) return agent_driver::Images();
    if (paths.size() > most_images)
        return base::invalid(
            base::concat("the task names ", paths.size(), " images; a model is given at most ", most_images));
    auto images = std::make_shared<std::vector<Image>>();
    std::size_t size = 0;
    for (const std::string& path : paths) {
        auto bytes = checked_bytes(settings, path);
        if (bytes.has_error())
            return base::with_context(base::concat("the image ", json::quote(path)), bytes.error());
        size += bytes->size();
        if (size > largest_images)
            return base::invalid(base::concat("the images of the task are larger than ",
                                              largest_images / 1'000'000, " MB in all, with ",
                                              json::quote(path)));
        images->push_back({path, std::string(agent_driver::image_type(*bytes)), base::to_base64(*bytes)});
    }
    return agent_driver::Images(std::move(images));
}

base::Result<agent_driver::Images> task_images(const agent_driver::Settings& settings,
                                               std::string_view content) {
    auto paths = image_paths(content);
    if (paths.has_error()) return paths.error();
    return read_images(settings, *paths);
}

}  // namespace agents
