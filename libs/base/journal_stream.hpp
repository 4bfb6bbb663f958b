// Whether a descriptor leads to the journal of systemd. There each line may begin with its priority, "<4>",
// and needs no time of its own.
#pragma once

#include <string_view>

namespace base {

// Compares the file with the one that JOURNAL_STREAM names (systemd.exec(5)). It may be inherited by a
// process whose stderr leads elsewhere.
bool is_journal_stream(int fd);

// The same for a value of JOURNAL_STREAM and the numbers of a file. Pure.
bool is_stream(std::string_view journal_stream, unsigned long device, unsigned long inode);

}  // namespace base
