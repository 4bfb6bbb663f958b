// A kill between any two system calls, played in one process: from the chosen call on, whatever would change
// something that others can see (files, names, bytes in a socket) does nothing and reports success, until the
// test lets go of the daemon. And a full disk: what needs room on it fails. The linker leads the calls of the
// whole program through here (CMakeLists.txt).
#pragma once

#include <cstdint>

namespace model::kill_point {

// The next `calls` calls still do what they should; those after them don't.
void arm(std::uint64_t calls);
// Until disarm(): no file can be made, and what is written is cut short, or is refused.
void set_disk_full(bool is_full);
// Everything works again. True if a call was reached that did nothing.
bool disarm();

}  // namespace model::kill_point
