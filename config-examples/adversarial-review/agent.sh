#!/bin/sh
# The demonstration agent for all three parts: the critic knows four rules, the author mends one fault in each round.
exec jq -c -f "$(dirname "$0")/agent.jq"
