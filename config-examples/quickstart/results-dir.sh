# shellcheck shell=bash
# Sourced by record.sh and report.sh: the folder of this run's results, made if need be.
results=${REVIEW_DIR:-${TMPDIR:-/tmp}/barnum-review-$(id -u)/$BARNUM_RUN_ID}
(umask 077 && mkdir -p "$results/files")
