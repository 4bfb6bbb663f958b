// Whether a descriptor leads to the journal of systemd. There each line may begin with its priority, "<4>",
// and needs no time of its own.
#pragma once

#include <string_view>

namespace base {

// Compares the file with the one that JOURNAL_STREAM names (systemd.exec(5)). It may be inherited by a
// process whose stderr leads elsewhere.
bool is_journal_stream(int fd);

// Whether a value of JOURNAL_STREAM names the file with these numbers. Pure.
bool is_stream(std::string_view journal_stream, unsigned long device, unsigned long inode);

}  // namespace base
