// stdin, stdout and stderr of a program that was started without some of them.
#pragma once

namespace io {

// Opens /dev/null in place of each that is closed, so that no other file gets its number and with it what is
// meant for the stream. To be called before anything is opened.
void open_missing_streams();

}  // namespace io
