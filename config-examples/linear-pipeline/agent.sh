#!/bin/sh
# The demonstration agent for Summarize: chooses the two sentences whose words occur most in the whole text.
set -eu
value=$(jq -c .task.value)
summary=$(printf '%s' "$value" | jq -r .text | awk '
    function score(sentence,    words, count, i, sum, long_ones) {
        count = split(tolower(sentence), words, /[^a-z]+/)
        for (i = 1; i <= count; ++i) if (length(words[i]) > 3) { sum += uses[words[i]]; ++long_ones }
        return long_ones ? sum / long_ones : 0
    }
    { text = text $0 " " }
    END {
        count = split(tolower(text), all, /[^a-z]+/)
        for (i = 1; i <= count; ++i) ++uses[all[i]]
        gsub(/[.!?] +/, "&\n", text)
        count = split(text, sentences, / *\n/)
        for (i = 1; i <= count; ++i) {
            s = score(sentences[i])
            if (s > best) { second = best; second_at = best_at; best = s; best_at = i }
            else if (s > second) { second = s; second_at = i }
        }
        for (i = 1; i <= count; ++i) if (i == best_at || i == second_at) print sentences[i]
    }')
printf '%s' "$value" | jq -c --arg summary "$summary" '[{ kind: "Publish", value: { summary: $summary, to } }]'
