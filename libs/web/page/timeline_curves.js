// How many tasks ran and how many waited, over time. What waits for a person counts as neither. Pure.

import { addTimes } from './timeline_lanes.js';
import { SortedTimes, averages } from './sorted_times.js';

export class Curves {
    #rows = 0;         // that were taken
    #completions = 0;

    constructor(trace, steps) {
        this.trace = trace;
        this.human = steps.map((step) => step.action === 'Human');
        const times = () => new SortedTimes(trace.submitted[0] >= 0 ? trace.submitted[0] : 0);
        Object.assign(this, { submitted: times(), starts: times(), ends: times(), failures: times(), live: times() });
    }

    // Takes what is new, or so much of it. Whether there is more.
    take(most = Infinity) {
        const { trace } = this;
        const counted = (row) => this.#isCounted(row);
        const rows = Math.min(trace.rows, this.#rows + most);
        const times = new Float64Array(rows - this.#rows);
        let length = 0;
        for (; this.#rows < rows; ++this.#rows)
            if (counted(this.#rows) && trace.submitted[this.#rows] >= 0) times[length++] = trace.submitted[this.#rows];
        this.submitted.add(times.subarray(0, length));
        const completions = Math.min(trace.completions, this.#completions + most);
        addTimes(this, trace, this.#completions, completions, counted);
        this.#completions = completions;
        return rows < trace.rows || completions < trace.completions;
    }

    // Takes what runs at the moment.
    setLive() {
        const { trace } = this;
        this.live = new SortedTimes(this.starts.base);
        this.live.add(Float64Array.from([...trace.live].filter(([row]) => this.#isCounted(row)).map(([, { since }]) => since)));
    }

    #isCounted(row) {
        return this.trace.final[row] === 1 || !this.human[this.trace.step[row]];
    }

    // Both on average for each of out.length equal parts of [from, to].
    running(from, to, out) {
        return averages([this.starts, this.live], [this.ends], from, to, out);
    }

    waiting(from, to, out) {
        return averages([this.submitted], [this.starts, this.live], from, to, out);
    }
}
