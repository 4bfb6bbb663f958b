# Every command of the workflow reads this file: `phase=action drop=0; . ./task.sh`. It notes in `ran` that it begins and,
# as its last act before it prints, that it ends; how it ends depends on its value and the attempt only. LIFE is the number
# of the barnum process that started it. All but `dd` and `sleep` is built into the shell: it has to be quick.
# shellcheck shell=sh disable=SC2154,SC2086

# Whoever has the pipe of a life open is one of its commands.
if [ ! -e "checked.$LIFE" ]; then
    for other in alive.*; do
        [ "$other" = "alive.$LIFE" ] && continue
        dd if=/dev/null of="$other" oflag=nonblock conv=nocreat,notrunc 2>/dev/null &&
            printf '%s\n' "a command with $other lives when $LIFE begins" >>overlaps
    done
    : >"checked.$LIFE"
fi
exec 9<>"alive.$LIFE"

read -r input
case $phase in
    action) value=${input#*\"value\":\"} ;;
    post) value=${input#*\"input\":\"} ;;
    *) value=${input#\"} ;;
esac
value=${value%%\"*}

note() {
    printf '%s\n' "$LIFE $BARNUM_TASK_ID $BARNUM_ATTEMPT $BARNUM_STEP $phase $1 $value" >>ran
}

answer() {
    note end
    printf '%s\n' "$1"
    exit 0
}

fail() {
    note end
    exit 3
}

note begin
set -- $value # a group, and a number in it
number=$(($1 * 24 + $2))

case "$phase $((number % 16)) $BARNUM_ATTEMPT" in
    "pre 1 1" | "action 2 1" | "action 3 "[12] | "post 4 1" | "finally 5 1" | "finally 6 "[12]) fail ;;
    "action 7 1") answer "no tasks" ;;
    "action 8 1") note end && kill -9 $$ ;;
    "action 9 "*) [ "$BARNUM_STEP" != Whole ] || fail ;;
    "action 10 "* | "finally 11 "*) [ "$drop" = 0 ] || [ "$1" = 0 ] || fail ;;
esac

tasks=
add() {
    tasks=$tasks${tasks:+,}"{\"kind\":\"$1\",\"value\":\"$2\"}"
}

add_all() { # the tasks `$1 N`, with the values `$2 N`, for the numbers from $3 to $4
    i=$3
    while [ "$i" -le "$4" ]; do
        add "$1" "$2 $i"
        i=$((i + 1))
    done
}

case "$BARNUM_STEP $phase" in
    "Root action")
        group=1
        while [ "$group" -le 9 ]; do
            add Group "$group 0"
            group=$((group + 1))
        done
        ;;
    "Group action") add_all Plain "$1" 1 6 && add_all Pre "$1" 7 12 && add_all Post "$1" 13 18 && add_all Whole "$1" 19 24 ;;
    "Plain action") [ $((number % 2)) = 0 ] || add Leaf "$1 $(($2 + 50))" ;;
    "Leaf action") sleep 10 & sleep 0.02 ;; # the first one goes on until it is killed with its group
    "Root finally") add_all Tidy 0 1 2 ;;
    "Group finally") add_all Tidy "$1" 30 31 ;;
    "Tidy finally") add Sweep "$1 $(($2 + 10))" ;;
    "Whole finally") [ $((number % 5)) != 0 ] || add Sweep "$1 $(($2 + 60))" ;;
    *" pre") answer "\"$value\"" ;;
    "Whole post")
        case $input in
            '{"kind":"Error"'*) # mends what can't succeed; what failed once gets its next attempt
                [ $((number % 16)) = 9 ] || answer "$input"
                add Leaf "$1 $(($2 + 80))"
                answer "{\"kind\":\"Success\",\"input\":\"$value\",\"output\":[],\"next\":[$tasks]}"
                ;;
        esac
        answer "$input"
        ;;
    *" post") answer "$input" ;;
esac
answer "[$tasks]"
