// What a program of ours asks of the kernel about signals.
#pragma once

namespace io {

// SIGPIPE: a peer that is gone is an error of the write. SIGIO: somebody opens a file that we hold a lease
// on. Children get the defaults back.
// SIGXFSZ: a file that may not grow is an error of the write, too.
void ignore_unwanted_signals();

// SIGINT, SIGTERM and SIGHUP wait from the one call to the other: for a stretch of work that must not be left
// half done, before there is a handler.
void block_ending_signals();
void unblock_ending_signals();

// As nohup leaves SIGHUP: whoever started us wants it to have no effect.
bool is_ignored(int signal);

}  // namespace io
