#!/usr/bin/env bash
# The Command of ListFiles: a Measure task for each C++ file below the directory. Without a directory it takes the
# libs/ of the repository that this example lies in.
set -euo pipefail

directory=$(jq -r '.value.directory // empty')
directory=${directory:-$BARNUM_CONFIG_DIR/../../libs}
[[ -d $directory ]] || {
    echo "$directory is no directory: give one with --entrypoint-value '{\"directory\": \"/some/folder\"}'" >&2
    exit 1
}
cd "$directory"
find . \( -name '.?*' -o -name 'build*' \) -prune -o \
    -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cc' -o -name '*.hh' -o -name '*.cxx' -o -name '*.h' \) -print |
    cut -c 3- | LC_ALL=C sort |
    jq -Rnc --arg top "$PWD" '[inputs | { kind: "Measure", value: { path: "\($top)/\(.)", name: . } }]'
