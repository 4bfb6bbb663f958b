#include "base/exit_code.hpp"
#include "cli/completion.hpp"
#include "cli/option_table.hpp"

#include <iostream>

namespace cli {

namespace {

constexpr const char* details =
    R"(The script completes commands, options and values: words from a fixed set, files, directories, and
@FOUND@.

To load it in the current shell, or in every shell with a line in the startup file:

  bash   ~/.bashrc:                    source <(@PROGRAM@ completion bash)
  zsh    ~/.zshrc, after compinit:     source <(@PROGRAM@ completion zsh)
  fish   ~/.config/fish/config.fish:   @PROGRAM@ completion fish | source

To install it as a file, which the shell loads when it needs it:

  bash   @PROGRAM@ completion bash >~/.local/share/bash-completion/completions/@PROGRAM@   (with the package bash-completion)
  zsh    @PROGRAM@ completion zsh >DIR/_@PROGRAM@   (DIR: one of $fpath)
  fish   @PROGRAM@ completion fish >~/.config/fish/completions/@PROGRAM@.fish

`cmake --install` installs these files in PREFIX/share. On each Tab the script runs `@PROGRAM@ __complete`, which prints
the candidates, so the script works with later versions of @PROGRAM@ as well.
)";

constexpr const char* bash_script = R"(# Completion of @PROGRAM@ in bash: source <(@PROGRAM@ completion bash)
_@PROGRAM@_complete() {
    local rest=${COMP_LINE:0:COMP_POINT} words=() kind='' text head i
    # COMP_WORDS is split at = and : as well; spaces tell what belongs together.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        [[ $i != 0 && $rest != [[:space:]]* ]] || words+=('')
        rest=${rest#"${rest%%[![:space:]]*}"}
        words[${#words[@]} - 1]+=${rest:0:${#COMP_WORDS[i]}}
        rest=${rest:${#COMP_WORDS[i]}}
    done
    # What stands before the piece that readline replaces: --option=, an opening quote.
    head=${words[${#words[@]} - 1]}
    head=${head%"$2"}
    head=${head//[\"\']/}
    COMPREPLY=()
    while IFS=$'\t' read -r text _; do
        if [[ -z $kind ]]; then
            kind=$text
        elif text=${text#"$head"} && [[ $text == "$2"* ]]; then
            COMPREPLY+=("$text")
        fi
    done < <("${1/#\~\//"${HOME-}/"}" __complete bash -- "${words[@]:1}" 2>/dev/null)
    case $kind in
        files) compopt -o default ;;
        directories) compopt -o dirnames ;;
        parts) compopt -o nospace ;;
    esac
}
complete -F _@PROGRAM@_complete @PROGRAM@
)";

constexpr const char* zsh_script = R"(#compdef @PROGRAM@
# Completion of @PROGRAM@ in zsh, as _@PROGRAM@ in a folder of $fpath, or: source <(@PROGRAM@ completion zsh)
_@PROGRAM@() {
    local -a lines described more
    local line text head='' program=${(Q)words[1]}
    lines=("${(@f)$("${program/#\~\//${HOME-}/}" __complete zsh -- "${(@)words[2,CURRENT-1]}" \
        "$QIPREFIX$PREFIX" 2>/dev/null)}")
    if [[ $PREFIX == --*=* ]]; then
        head=${PREFIX%%=*}=
        compset -P 1 '*='
    fi
    case $lines[1] in
        files) _files ;;
        directories) _files -/ ;;
        words | parts)
            for line in "${(@)lines[2,-1]}"; do
                text=${${line%%$'\t'*}#$head}
                text=${${text//\\/\\\\}//:/\\:}
                [[ $line == *$'\t' ]] || text+=:${line#*$'\t'}
                described+=("$text")
            done
            [[ $lines[1] == words ]] || more=(-S '')
            _describe @PROGRAM@ described "${(@)more}"
            ;;
    esac
}
if [[ $funcstack[1] == _@PROGRAM@ ]]; then
    _@PROGRAM@ "$@"
elif (( $+functions[compdef] )); then
    compdef _@PROGRAM@ @PROGRAM@
else
    print -u2 'completion of @PROGRAM@: run `autoload -U compinit; compinit` before it is loaded'
fi
)";

constexpr const char* fish_script = R"(# Completion of @PROGRAM@ in fish: @PROGRAM@ completion fish | source
function __@PROGRAM@_complete
    set -l words (commandline -opc)
    set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
    set -l current (commandline -ct | string collect)
    set -l head (string match -r -- '^--[^=]*=' $current)
    set -l value (string replace -- "$head" '' "$current")
    set -l lines ($program __complete fish -- $words[2..] "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            printf '%s\n' "$head"(complete -C "'' $value")
        case directories
            printf '%s\n' "$head"(__fish_complete_directories "$value" '')
        case words parts
            printf '%s\n' $lines[2..]
    end
end
complete -c @PROGRAM@ -f -a '(__@PROGRAM@_complete)'
)";

std::string with(std::string text, const std::string& mark, const std::string& words) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += words.size())
        text.replace(at, mark.size(), words);
    return text;
}

std::string with_name(std::string text, const std::string& program) {
    return with(std::move(text), "@PROGRAM@", program);
}

}  // namespace

std::string completion_script(const std::string& shell, const std::string& program) {
    if (shell == "bash") return with_name(bash_script, program);
    return with_name(shell == "zsh" ? zsh_script : fish_script, program);
}

Command completion_command(const std::string& program, const std::string& found) {
    Command command;
    command.name = "completion";
    command.summary = "Print a script with which bash, zsh or fish completes this program's command lines.";
    command.details = with(with_name(details, program), "@FOUND@", found);
    command.options = {{.name = "shell",
                        .value = choice("SHELL", {{"bash"}, {"zsh"}, {"fish"}}),
                        .summary = "the shell; --shell may be left out",
                        .is_positional = true,
                        .is_required = true}};
    command.run = [program, shell = command.options.front()](const Options& given) {
        std::cout << completion_script(texts_of(shell, given).front(), program);
        return base::ExitCode::ok;
    };
    return command;
}

}  // namespace cli
