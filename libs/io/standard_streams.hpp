// For a program that is started without some of its standard streams.
#pragma once

namespace io {

// Opens /dev/null for each closed standard stream, so that no other file gets its number and receives the
// output. Writing to such a stdout fails (EBADF), because the requested output would be lost; output to such
// a stderr is discarded. To be called before anything else is opened.
void open_missing_streams();

}  // namespace io
