// Starts `sh -c` with posix_spawn: as fast as vfork, and without running code of this process between fork
// and exec.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/unique_fd.hpp"
#include "process/marked_processes.hpp"

#include <string>
#include <vector>

namespace process {

// A started shell and this process's ends of its pipes, if it has any; all close-on-exec.
struct SpawnedShell {
    int pid = -1;        // also the id of its process group
    io::UniqueFd exit;   // a pidfd: readable after the exit, before the child is reaped
    io::UniqueFd input;  // with ShellStreams::open only
    io::UniqueFd output;
    io::UniqueFd error_output;
    io::UniqueFd begin;  // with ShellStreams::shared only, see let_begin()
};

// Whether descriptors, processes or memory are exhausted: a temporary condition, after which the start should
// be retried.
bool is_shortage(const base::Error& error);

enum class ShellStreams {
    piped,   // stdin is the given input; this process reads stdout and stderr
    open,    // stdin is a pipe, too, which this process writes
    shared,  // no stdin; stdout and stderr are the stderr of this process
};

struct ShellRequest {
    std::string script;
    std::string directory;
    Environment environment;  // added to the environment of this process
    base::SplicedText input;  // stdin; complete from the start, even if this process is killed
    ShellStreams streams = ShellStreams::piped;
    int input_file = -1;                      // stdin instead of `input`, if not -1: an open file
    std::vector<std::string> arguments = {};  // of the script: "$1" and so on; with shared streams none
};

// Starts the shell in a process group of its own, in `directory`, with default signals, an empty signal mask
// and only the descriptors 0 to 2. If resources are exhausted (is_shortage()), nothing was run.
base::Result<SpawnedShell> spawn_shell(const ShellRequest& request);

// Starts the script of a shell with shared streams. It waits for this call, so that the shell can be recorded
// first: if this process is killed before, nothing else would lead to the shell. The script is never run if
// `begin` is closed without this call.
void let_begin(SpawnedShell& shell);

}  // namespace process
