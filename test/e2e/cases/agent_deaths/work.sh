#!/bin/sh
# The command of an agent, for the task {"n": N}. Notes in the file `notes`:
#   begin N PID PPID    at the start
#   child N PID         of the process that it leaves behind, in a session of its own; only if the file `hang` exists
#   overlap N PID       for each process of another execution of this task that is alive
#   end N               before it answers with []
# While the file `hang` exists at its start, it hangs instead of answering; it and its child ignore SIGTERM. While the
# file `closed` exists, it waits.

number=$(sed -n 's/.*"n": *\([0-9][0-9]*\).*/\1/p')

is_alive() {
    state=$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)
    [ -n "$state" ] && [ "$state" != Z ]
}

echo "begin $number $$ $PPID" >>notes
others=$(sed -n "s/^\(begin\|child\) $number \([0-9]*\).*/\2/p" notes | grep -vx $$)
for pid in $others; do
    if is_alive "$pid"; then echo "overlap $number $pid" >>notes; fi
done

if [ -e hang ]; then
    trap '' TERM HUP
    setsid sh -c "echo child $number \$\$ >>notes; exec sleep 1000" >/dev/null 2>&1 &
    exec sleep 1000
fi

while [ -e closed ]; do sleep 0.1; done
echo "end $number" >>notes
echo '[]'
