# The post hook of all three agents' steps: counts the rounds, and publishes what there is when they are used up. What
# an agent wrote into `round`, `max_rounds` and `to` makes no difference.
(.input | { round: (.round // 0), max_rounds, to }) as $kept |
if .kind != "Success" then .
elif .next | length != 1 then { kind: "Error", input, error: "one task was wanted, and not \(.next | length)" }
elif .next[0].kind != "Revise" then .next[0].value += $kept
elif $kept.round < $kept.max_rounds then .next[0].value += ($kept | .round += 1)
else .next[0] = { kind: "Publish", value: ($kept + { message: .input.message, accepted: false }) } end
