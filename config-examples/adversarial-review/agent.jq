def capital: .[:1] | ascii_upcase;
def first_line: split("\n")[0];
def imperative: { Added: "Add", Changed: "Change", Fixed: "Fix", Removed: "Remove" };

# The rules, each with the way to mend it.
def rules: [
  { fault: "The first line begins with a small letter.",
    broken: (first_line | .[:1] != capital),
    mended: (capital + .[1:]) },
  { fault: "The verb is not in the imperative.",
    broken: (imperative[split(" ")[0]] != null),
    mended: (split(" ") | .[0] |= imperative[.] | join(" ")) },
  { fault: "The first line ends with a full stop.",
    broken: (first_line | endswith(".")),
    mended: (split("\n") | .[0] |= rtrimstr(".") | join("\n")) },
  { fault: "The first line has more than 50 characters.",
    broken: (first_line | length > 50),
    mended: ((first_line[:51] | rindex(" ") // 50) as $cut | .[:$cut] + "\n\n…" + .[$cut:]) }
];

.task.value as $value |
if .task.kind == "Draft" then
  { kind: "Critique", value: { message: $value.change, round: 0, max_rounds: $value.max_rounds, to: $value.to } }
elif .task.kind == "Critique" then
  [$value.message | rules[] | select(.broken).fault] as $faults |
  if $faults == [] then { kind: "Publish", value: ($value + { accepted: true }) }
  else { kind: "Revise", value: ($value + { faults: $faults }) } end
elif .task.kind == "Revise" then
  ([$value.message | rules[] | select(.fault == $value.faults[0]).mended][0]) as $message |
  { kind: "Critique", value: ($value + { message: $message } | del(.faults)) }
else error("agent.jq knows no task of kind \(.task.kind)") end | [.]
