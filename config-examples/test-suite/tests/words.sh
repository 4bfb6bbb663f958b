#!/bin/sh
echo "counting words"
test "$(echo one two three | wc -w)" -eq 3
