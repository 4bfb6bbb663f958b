#!/bin/bash
# The documented agent, with work to do: it answers with the task it was given, and notes which agent did it.
while true; do
    RESPONSE=$(troupe get_task --name "$1")
    KIND=$(echo "$RESPONSE" | jq -r '.kind')
    RESPONSE_FILE=$(echo "$RESPONSE" | jq -r '.response_file')
    if [ "$KIND" = Task ]; then
        sleep 0.1
        echo "$RESPONSE" | jq -r .agent_name >> served
        echo "$RESPONSE" | jq -c '[{kind: "Echo", value: .content}]' > "$RESPONSE_FILE"
    fi
done
