// How many tasks of each run end per second, observed over the last half minute. Pure.

const WINDOW = 30000;  // ms
const LEAST = 5000;    // ms between two changes, for a rate: records change in steps of seconds

export class Rates {
    #seen = new Map();  // run id -> { ended (tasks), changes: [[ms, ended tasks]] }

    // `runs`: records; `now`: ms of any clock that does not jump.
    observe(runs, now) {
        for (const run of runs) {
            if (!canEndTasks(run)) {
                this.#seen.delete(run.id);
                continue;
            }
            const ended = run.tasks.done + run.tasks.dropped;
            const seen = this.#seen.get(run.id) ?? { ended, changes: [] };
            const { changes } = seen;
            if (seen.ended !== ended) changes.push([now, seen.ended = ended]);
            while (changes.length > 2 && changes[1][0] < now - WINDOW) changes.shift();
            this.#seen.set(run.id, seen);
        }
    }

    // Per second; NaN if it is not known yet. When the first record was written is not known, so it is no change.
    of(id) {
        const { changes } = this.#seen.get(id) ?? { changes: [] };
        if (changes.length < 2) return NaN;
        const [first, last] = [changes[0], changes[changes.length - 1]];
        return last[0] - first[0] < LEAST ? NaN : (last[1] - first[1]) / (last[0] - first[0]) * 1000;
    }
}

// Whether it has more to do than to wait for people.
function canEndTasks({ state, tasks }) {
    return state === 'running' && Boolean(tasks) && tasks.left > (tasks.waiting_for_human ?? 0);
}
