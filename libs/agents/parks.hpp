// The parks of this user's accounts: files that all agents of the user on this machine share, and that
// outlive their processes.
#pragma once

#include "agents/park.hpp"
#include "base/error.hpp"
#include "io/directory.hpp"
#include "io/directory_watch.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agents {

class Parks {
  public:
    // The parks are files in ${XDG_STATE_HOME:-~/.local/state}/barnum/parks, which is created by the first
    // park.
    Parks();

    // The park of the account; nothing if it is not parked now. A file that has no possible park is not
    // believed, which is logged once.
    std::optional<Park> current(const Account& account) const;
    // The account has reached a usage limit. If its park cannot be written, only this object knows it, which
    // is logged under the agent's name.
    Park park(std::string_view agent, const Account& account, std::string reason,
              std::optional<Park::Time> told);
    // A task was done: the next limit whose end is unknown begins with the shortest park again.
    void succeeded(const Account& account);

    // All that are parked now, in the order of their ends. Fails if the directory of parks cannot be read, or
    // is not to be trusted; if there is none, no account is parked.
    base::Result<std::vector<Park>> all() const;
    base::Result<void> lift(const Account& account);

    // Returns when the account is not parked, at once or later.
    boost::asio::awaitable<void> wait(io::DirectoryWatch& watch, Account account) const;

  private:
    base::Result<io::Directory> open() const;
    std::optional<Park> read(const Account& account) const;
    std::optional<Park> read(const io::Directory& directory, const std::string& name) const;
    base::Result<void> write(const Park& park) const;

    std::string path_;                           // empty if there is no home directory
    std::optional<Park> unkept_;                 // the last one that could not be written
    mutable std::set<std::string> disbelieved_;  // the names of the files that were told to be no parks
};

}  // namespace agents
