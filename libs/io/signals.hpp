// The signal settings of the programs.
#pragma once

namespace io {

// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed peer, or beyond a file size limit, is an error of
// the write; and SIGIO, which the kernel sends when another process opens a file on which this one holds a
// lease. Children get the defaults.
void ignore_unwanted_signals();

// Delays SIGINT, SIGTERM and SIGHUP from the first call to the second: for work that must not be interrupted
// before there are handlers, and for the end of a process, from which these are gone.
void block_ending_signals();
void unblock_ending_signals();

// Whether the signal is ignored, for example SIGHUP by nohup: then the process that started this one wants it
// to have no effect.
bool is_ignored(int signal);

}  // namespace io
