// What this process has from the user's shell, and changes for itself. The umask: it is 077, so that what is
// created without a mode of its own is for this user alone, and can be read again. The limit of open files:
// it is the highest that is allowed, since one process serves all agents of a run. What the process starts,
// and files that are meant for other programs, get what the user has set. All of it holds for the whole
// process: other threads see it as well.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

namespace io {

// Called first in main(): keeps what the user has set, and changes it.
void take_over_limits();

mode_t user_umask();

// Sets what the user has set, for as long as it lives.
class AsUser {
  public:
    AsUser();
    ~AsUser();
    AsUser(const AsUser&) = delete;
    AsUser& operator=(const AsUser&) = delete;

  private:
    mode_t umask_;
    rlim_t open_files_;
};

}  // namespace io
