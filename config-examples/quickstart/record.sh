#!/usr/bin/env bash
# The Command of Record: keeps its task, one file's result. A file a task, because several of these run at once.
set -euo pipefail
. ./results-dir.sh
cat >"$results/files/$BARNUM_TASK_ID.json"
echo '[]'
