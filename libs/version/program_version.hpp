// The version of the programs: that of the project, and the time and the beginning of the hash of the commit
// from which they were built, "0.1.0+20261126.142500.4f1c2ab39". For a source without a commit, it is only
// the former.
#pragma once

namespace version {

extern const char* const program_version;

}  // namespace version
