#include "cli/manual.hpp"

#include "base/text.hpp"
#include "cli/details.hpp"
#include "cli/roff.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace cli {

namespace {

const std::vector<Command>& commands_of(const Program& program, const Path& path) {
    return path.empty() ? program.commands : path.back()->commands;
}

const std::string& summary_of(const Program& program, const Path& path) {
    return path.empty() ? program.summary : path.back()->summary;
}

const std::string& details_of(const Program& program, const Path& path) {
    return path.empty() ? program.details : path.back()->details;
}

std::string section(std::string_view name) {
    return base::concat(".SH ", name, "\n");
}

std::string tagged(std::string_view tag, std::string_view text) {
    return base::concat(".TP\n", tag, "\n", text, "\n");
}

std::string upper_case(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// A summary as the one line that a list of pages has: no full stop, no markup.
std::string short_summary(std::string summary) {
    std::erase(summary, '`');
    if (summary.ends_with('.')) summary.pop_back();
    return summary;
}

std::string heading(const Program& program, const Manual& manual, const Path& path) {
    std::string name = page_name(program, path);
    // The page has no date: what is built from the same sources is the same. It has no hyphens and no
    // stretched spaces: JSON and shell stay as they are.
    return base::concat(".TH \"", roff::literal(upper_case(name)), "\" 1 \"\" \"",
                        roff::literal(program.name), " ", roff::literal(manual.version),
                        "\" \"User Commands\"\n.nh\n.ad l\n", section("NAME"), roff::literal(name), " \\- ",
                        roff::literal(short_summary(summary_of(program, path))), "\n");
}

// The words of --help's usage line: what is to be typed as it stands in bold, the rest in italics.
std::string synopsis(const Program& program, const Path& path) {
    std::string out = section("SYNOPSIS") + roff::bold(invocation(program, path));
    if (!commands_of(program, path).empty()) out += " " + roff::italic("COMMAND");
    out += " [" + roff::italic("OPTIONS") + "]";
    if (!path.empty() && !positional_names(*path.back()).empty())
        out += " " + roff::italic(positional_names(*path.back()).substr(1));
    return out + "\n";
}

std::string render(const std::vector<Block>& blocks) {
    std::string out;
    for (const Block& block : blocks)
        switch (block.form) {
            case Block::Form::prose:
                out += base::concat(".PP\n", roff::prose(block.text), "\n");
                break;
            case Block::Form::verbatim:
                out += base::concat(".PP\n.nf\n", roff::literal(block.text), "\n.fi\n");
                break;
            case Block::Form::remark:
                out += base::concat(".RS 4\n", roff::prose(block.text), "\n.RE\n");
                break;
        }
    return out;
}

std::string description(const Program& program, const Path& path, const Details& details) {
    return base::concat(section("DESCRIPTION"), roff::prose(summary_of(program, path)), "\n",
                        render(details.description));
}

std::string command_list(const Program& program, const Path& path) {
    std::string out;
    for (const Command& command : commands_of(program, path)) {
        Path its_path = path;
        its_path.push_back(&command);
        out += tagged(roff::bold(page_name(program, its_path)) + "(1)", roff::prose(command.summary));
    }
    return out.empty() ? "" : section("COMMANDS") + out;
}

std::string option_entry(const Option& option) {
    std::string tag;
    if (option.letter != '\0') tag = roff::bold(base::concat('-', option.letter)) + ", ";
    tag += roff::bold("--" + option.name);
    if (option.value.kind != Value::Kind::none) tag += " " + roff::italic(option.value.name);
    std::string text = description(option);
    if (!option.value.preset.empty()) text += base::concat(" (default: ", option.value.preset, ")");
    return tagged(tag, roff::prose(text));
}

std::string options(const Program& program, const Path& path) {
    std::string out = section("OPTIONS");
    if (!path.empty() && !path.back()->options.empty()) {
        for (const Option& own : path.back()->options)
            out += option_entry(own);
        out += ".SS Options of every command\n";
    }
    for (const Option& global : program.global_options)
        out += option_entry(global);
    return out;
}

std::string exit_status(const Details& details) {
    if (details.exit_codes.empty()) return "";
    std::string out = section("EXIT STATUS");
    for (const ExitMeaning& exit : details.exit_codes)
        out += tagged(roff::bold(exit.codes), roff::prose(exit.meaning));
    if (!details.exit_remark.empty()) out += base::concat(".PP\n", roff::prose(details.exit_remark), "\n");
    return out;
}

// Whether a text names the command, as `prog config validate` or with more behind it.
bool mentions(const std::string& text, const std::string& call) {
    for (std::string_view end : {"`", " "})
        if (text.find(base::concat("`", call, end)) != text.npos) return true;
    return false;
}

bool begins_with(const Path& path, const Path& above) {
    return path.size() >= above.size() && std::equal(above.begin(), above.end(), path.begin());
}

// The pages above, those that the text names (but those below are listed as commands), and what all refer to.
std::set<PageReference> references(const Program& program, const Manual& manual, const Path& path) {
    std::set<PageReference> found(manual.related.begin(), manual.related.end());
    std::string text = summary_of(program, path) + details_of(program, path);
    for (const Path& other : pages(program)) {
        bool named = !other.empty() && mentions(text, invocation(program, other));
        if (begins_with(path, other) || (named && !begins_with(other, path)))
            found.insert({1, page_name(program, other)});
    }
    found.erase({1, page_name(program, path)});
    return found;
}

std::string see_also(const Program& program, const Manual& manual, const Path& path) {
    std::vector<std::string> lines;
    for (const PageReference& reference : references(program, manual, path))
        lines.push_back(base::concat(roff::bold(reference.name), "(", reference.section, ")"));
    if (lines.empty()) return "";
    std::string out = section("SEE ALSO");
    for (const std::string& line : lines)
        out += line + (&line == &lines.back() ? "\n" : ",\n");
    if (details_of(program, path).find("docs/") != std::string::npos && !manual.documents.empty())
        out += base::concat(".PP\n", roff::prose(manual.documents), "\n");
    return out;
}

void add_pages(const std::vector<Command>& commands, const Path& path, std::vector<Path>& found) {
    for (const Command& command : commands) {
        Path its_path = path;
        its_path.push_back(&command);
        found.push_back(its_path);
        add_pages(command.commands, its_path, found);
    }
}

}  // namespace

std::string page_name(const Program& program, const Path& path) {
    std::string name = invocation(program, path);
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::vector<Path> pages(const Program& program) {
    std::vector<Path> found{{}};
    add_pages(program.commands, {}, found);
    return found;
}

std::string page(const Program& program, const Manual& manual, const Path& path) {
    Details details = read_details(details_of(program, path));
    std::string examples = render(details.examples);
    return base::concat(
        heading(program, manual, path), synopsis(program, path), description(program, path, details),
        command_list(program, path), options(program, path), exit_status(details),
        examples.empty() ? "" : section("EXAMPLES") + examples, see_also(program, manual, path));
}

}  // namespace cli
