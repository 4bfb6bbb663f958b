#include "screen/editor.hpp"

#include "base/limits.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "io/as_user.hpp"
#include "io/directory.hpp"
#include "io/unique_fd.hpp"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <initializer_list>
#include <sys/stat.h>
#include <sys/wait.h>

namespace screen {

namespace fs = std::filesystem;

namespace {

constexpr int program_not_found = 127;  // the exit code of a shell that does not find the command

// The first of these variables that is set and not empty.
std::string from_environment(std::initializer_list<const char*> names, const char* otherwise) {
    for (const char* name : names)
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
    return otherwise;
}

}  // namespace

Editor::Editor() : command_(from_environment({"VISUAL", "EDITOR"}, "vi")) {}

// Editors leave files beside that which they edit.
Editor::~Editor() {
    std::error_code ignored;
    if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

Edited Editor::edit(const std::string& text) {
    if (auto written = write(text); !written) return {text, written.error().message};
    std::string problem = run();
    auto read = io::read_regular_file(path_, base::most_message_bytes);
    if (!read) return {text, base::concat("cannot read what was edited: ", read.error().message)};
    if (!problem.empty()) problem += base::concat("; the text is in ", path_);
    return {std::move(*read), std::move(problem)};
}

base::Result<void> Editor::write(const std::string& text) {
    if (directory_.empty())
        if (auto created = create_directory(); !created) return created;
    io::UniqueFd fd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!fd) return base::system_error(base::concat("cannot write ", path_));
    return io::write_all(fd.get(), text);
}

base::Result<void> Editor::create_directory() {
    std::error_code failed;
    std::string name = fs::absolute(from_environment({"TMPDIR"}, "/tmp"), failed) / "barnum-answer-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        return base::system_error("cannot create a directory for the text in $TMPDIR");
    directory_ = name;
    path_ = directory_ + "/value.json";
    return {};
}

// Empty if the editor ended well. system() lets it have the terminal's signals.
std::string Editor::run() const {
    io::AsUser as_user;
    int status = std::system(base::concat(command_, " ", base::shell_word(path_)).c_str());
    std::string editor = base::concat("the editor `", command_, "` ");
    if (status == -1) return base::system_error(editor + "cannot be started").message;
    if (WIFSIGNALED(status))
        return base::concat(editor, "was ended by SIG", ::sigabbrev_np(WTERMSIG(status)));
    int code = WEXITSTATUS(status);
    if (code == 0) return "";
    return base::concat(editor,
                        code == program_not_found ? "was not found: set $VISUAL or $EDITOR to another one"
                                                  : "ended with exit code ",
                        code == program_not_found ? "" : std::to_string(code));
}

}  // namespace screen
