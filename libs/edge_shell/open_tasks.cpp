#include "edge_shell/open_tasks.hpp"

#include "edge_shell/edge.hpp"
#include "edge_shell/notes.hpp"

namespace edge_shell {

base::Result<bool> has_open_tasks(const io::Directory& directory) {
    if (!directory.contains(journal_name)) return false;
    auto journal = Journal::open(directory, journal_name);
    if (journal.has_error()) return journal.error();
    for (const std::string& key : journal->keys()) {
        auto text = journal->get(key);
        if (text.has_error()) return text.error();
        if (key.starts_with(agent_prefix) && parse_agent_note(*text)) return true;
        auto submission = parse_submitter_note(*text);
        if (key.starts_with(submitter_prefix) && submission && !submission->task.is_closed) return true;
    }
    return false;
}

}  // namespace edge_shell
