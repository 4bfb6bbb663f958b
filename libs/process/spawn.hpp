// Starts `sh -c` by posix_spawn: fork's semantics at vfork's price, and no code of ours between fork and
// exec.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/unique_fd.hpp"
#include "process/marked_processes.hpp"

#include <string>

namespace process {

// A started shell and our ends of its pipes, if it has any; all close-on-exec.
struct SpawnedShell {
    int pid = -1;       // also its process group's id
    io::UniqueFd exit;  // a pidfd: readable at exit, before the child is reaped
    io::UniqueFd output;
    io::UniqueFd error_output;
    io::UniqueFd begin;  // shared streams only, see let_begin()
};

// Descriptors, processes or memory have run out for now: not the shell's failure, and worth another try.
bool is_shortage(const base::Error& error);

enum class ShellStreams {
    piped,   // stdin from the given input; stdout and stderr to us
    shared,  // no stdin; what it prints goes to this process's stderr
};

struct ShellRequest {
    std::string script;
    std::string directory;
    Environment environment;  // put over this process's own
    base::SplicedText input;  // stdin: all of it is there from the start, whatever becomes of this process
    ShellStreams streams = ShellStreams::piped;
    int input_file = -1;  // stdin instead of `input`, if there is one: an open file
};

// In a process group of its own, in `directory`, with default signals, an empty signal mask and only fds 0 to
// 2. Where there is not enough of something, see is_shortage(), nothing was run.
base::Result<SpawnedShell> spawn_shell(const ShellRequest& request);

// A script that shares our streams has nothing by which it could be found, should this process be killed
// before it has noted the shell. So it begins only when this is called, and never if `begin` is closed
// before.
void let_begin(SpawnedShell& shell);

}  // namespace process
