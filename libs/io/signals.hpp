// What a program of ours asks of the kernel about signals.
#pragma once

namespace io {

// SIGPIPE: a peer that is gone is an error of the write. SIGIO: somebody opens a file that we hold a lease
// on. Children get the defaults back.
void ignore_unwanted_signals();

}  // namespace io
