#!/bin/sh
echo "adding two numbers"
test $((2 + 2)) = 4
