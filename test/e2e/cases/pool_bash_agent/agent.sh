#!/bin/bash
# A simple agent that processes tasks in a loop

while true; do
# Get next task (blocks until work available)
RESPONSE=$(troupe get_task)

KIND=$(echo "$RESPONSE" | jq -r '.kind')
RESPONSE_FILE=$(echo "$RESPONSE" | jq -r '.response_file')

case "$KIND" in
Task)
TASK=$(echo "$RESPONSE" | jq '.content')
# ... do work with $TASK ...
RESULT='[]' # or array of next tasks
echo "$RESULT" > "$RESPONSE_FILE"
;;
Heartbeat)
echo '"ok"' > "$RESPONSE_FILE"
;;
Kicked)
# Reconnect on next iteration
;;
esac
done
