#!/bin/sh
# file.sh LIST TEMPLATE: the Command of all branches. Adds a line to a list, $OUT_DIR/LIST.txt; the template is the
# inside of a jq string, filled in from the task's value.
set -eu
mkdir -p "${OUT_DIR:?the folder for the lists}"
line=$(jq -r ".value | \"$2\"")
printf '%s\n' "$line" >>"$OUT_DIR/$1.txt"
echo '[]'
