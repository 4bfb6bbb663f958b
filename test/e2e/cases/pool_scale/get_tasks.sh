# Many agents on a machine that grants few inotify instances. ARGS: instances, agents, a directory, troupe and its options.
# What each printed is DIRECTORY/NUMBER.out, complete once it is there.
set -eu
instances=$1 agents=$2 directory=$3
shift 3
echo "$instances" > /proc/sys/user/max_inotify_instances
for number in $(seq "$agents"); do
  { "$@" > "$directory/$number.part" 2> "$directory/$number.err" && mv "$directory/$number.part" "$directory/$number.out"; } &
done
wait
