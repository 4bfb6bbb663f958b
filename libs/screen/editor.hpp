// Lets the user edit a text with the editor of their choice, in the terminal. Blocking.
#pragma once

#include "base/error.hpp"

#include <string>

namespace screen {

struct Edited {
    std::string text;     // what is in the file then
    std::string problem;  // why that may not be what the user wants; empty if nothing went wrong
};

// The text is in a file that only this user can read, in $TMPDIR, until this object is destroyed.
class Editor {
  public:
    // The editor is $VISUAL, else $EDITOR, else vi: a shell command, to which the file's path is added.
    Editor();
    ~Editor();
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    // Runs the editor on the text. Meanwhile the keys Ctrl-C and Ctrl-\ are the editor's.
    Edited edit(const std::string& text);

  private:
    base::Result<void> write(const std::string& text);
    base::Result<void> create_directory();
    std::string run() const;

    std::string command_;
    std::string directory_;  // of the file; empty: not created yet
    std::string path_;
};

}  // namespace screen
