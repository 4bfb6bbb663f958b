// stdin, stdout and stderr of a program that was started without some of them.
#pragma once

namespace io {

// Opens /dev/null in place of each that is closed, so that no other file gets its number and with it what is
// meant for the stream. What is written to such a stdout fails (EBADF), as what somebody asked for is lost;
// what is logged to such a stderr is not missed. To be called before anything is opened.
void open_missing_streams();

}  // namespace io
