#include "agents/task_images.hpp"

#include "agents/task_prompt.hpp"
#include "base/base64.hpp"
#include "base/text.hpp"
#include "io/unique_fd.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace agents {

namespace {

namespace fs = std::filesystem;
using agent_driver::Image;

std::string through_proc(const io::UniqueFd& file) {
    return base::concat("/proc/self/fd/", file.get());
}

// The place of the very file that is open, whatever its path leads to by now.
bool is_in(const std::string& directory, const io::UniqueFd& file) {
    std::error_code error;
    const fs::path real = fs::read_symlink(through_proc(file), error);
    if (error) return false;
    const fs::path top = fs::canonical(directory, error);
    return !error && std::mismatch(top.begin(), top.end(), real.begin(), real.end()).first == top.end();
}

// A descriptor that has no effect on a device or FIFO, nor on any other file.
base::Result<io::UniqueFd> find_file(const agent_driver::Settings& settings, const std::string& path) {
    if (path.find('\0') != std::string::npos) return base::invalid("its path has a NUL character");
    const std::string place = (fs::path(settings.directory) / path).string();
    io::UniqueFd file(::open(place.c_str(), O_PATH | O_CLOEXEC));
    if (!file) return base::system_error("it cannot be opened");
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return base::system_error("it cannot be read");
    if (settings.permissions != agent_driver::Permissions::full && !is_in(settings.directory, file))
        return base::invalid(base::concat("it does not lie in ", settings.directory,
                                          ", and only agents with the permissions full may read elsewhere"));
    if (!S_ISREG(status.st_mode)) return base::invalid("it is not a regular file");
    return file;
}

// At most one byte more than an image may have.
base::Result<std::string> bytes_of(const io::UniqueFd& found) {
    io::UniqueFd file(::open(through_proc(found).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return base::system_error("it cannot be opened");
    std::string bytes(largest_image + 1, '\0');
    std::size_t size = 0;
    while (size < bytes.size()) {
        const ssize_t count = ::read(file.get(), bytes.data() + size, bytes.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return base::system_error("it cannot be read");
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    bytes.resize(size);
    return bytes;
}

base::Result<std::string> checked_bytes(const agent_driver::Settings& settings, const std::string& path) {
    auto file = find_file(settings, path);
    if (file.has_error()) return file.error();
    auto bytes = bytes_of(*file);
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
