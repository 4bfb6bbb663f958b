#!/bin/sh
echo "sorting three lines"
test "$(printf '%s\n' c a b | sort | tr -d '\n')" = abc
