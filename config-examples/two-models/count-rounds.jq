# The post hook of all three agents' steps: adds what the agents need not know to the value of the next task, counts the
# revisions, and publishes what there is when the rounds are used up.
(.input | { round: (.round // 0), max_rounds, to }) as $kept |
if .kind != "Success" then .
elif .next | length != 1 then { kind: "Error", input, error: "one task was wanted, and not \(.next | length)" }
elif .next[0].kind != "Revise" then .next[0].value |= del(.faults) + $kept
elif $kept.round < $kept.max_rounds then .next[0].value += ($kept | .round += 1)
else .next[0] = { kind: "Publish", value: ($kept + (.input | { topic, text })) } end
