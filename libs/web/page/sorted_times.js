// Moments in order, for a million of them and growing: how many there were up to a time. Pure.
// Two of them give a curve: what has begun by a time and not ended by then is running.

const BLOCK = 64;  // moments for which one sum is kept

export class SortedTimes {
    length = 0;
    #times = new Float64Array(BLOCK);
    #sums = new Float64Array(1);  // of the times before each block, less the base

    // `base`: a time near all of them, in ms, which keeps the sums small.
    constructor(base) {
        this.base = base;
    }

    // Takes a Float64Array, which it sorts. Cheap if most of them are later than what is here.
    add(batch) {
        if (batch.length === 0) return;
        batch.sort();
        this.#reserve(this.length + batch.length);
        const times = this.#times;
        let old = this.length - 1;
        let to = this.length + batch.length - 1;
        for (let i = batch.length - 1; i >= 0; ) {
            if (old >= 0 && times[old] > batch[i]) times[to--] = times[old--];
            else times[to--] = batch[i--];
        }
        this.length += batch.length;
        this.#addUp(Math.floor((old + 1) / BLOCK));
    }

    #reserve(length) {
        if (length <= this.#times.length) return;
        const capacity = Math.max(length, this.#times.length * 2);
        const times = new Float64Array(capacity);
        times.set(this.#times);
        this.#times = times;
        const sums = new Float64Array(Math.ceil(capacity / BLOCK) + 1);
        sums.set(this.#sums);
        this.#sums = sums;
    }

    #addUp(block) {
        let sum = this.#sums[block];
        for (; (block + 1) * BLOCK <= this.length; ++block) {
            for (let i = block * BLOCK; i < (block + 1) * BLOCK; ++i) sum += this.#times[i] - this.base;
            this.#sums[block + 1] = sum;
        }
    }

    // How many are at `time` or before it.
    countUpTo(time) {
        let low = 0;
        let high = this.length;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.#times[middle] <= time) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    // The sum of the times that have passed since each of them until `time`.
    passed(time) {
        const count = this.countUpTo(time);
        const block = Math.floor(count / BLOCK);
        let sum = this.#sums[block];
        for (let i = block * BLOCK; i < count; ++i) sum += this.#times[i] - this.base;
        return count * (time - this.base) - sum;
    }
}

// How many had begun and not ended, on average in each of out.length equal parts of [from, to]. `begun` and `ended`: lists
// of SortedTimes.
export function averages(begun, ended, from, to, out) {
    const open = (time) => begun.reduce((sum, times) => sum + times.passed(time), 0) - ended.reduce((sum, times) => sum
        + times.passed(time), 0);
    const part = (to - from) / out.length;
    let before = open(from);
    for (let i = 0; i < out.length; ++i) {
        const now = open(from + (i + 1) * part);
        out[i] = Math.max(0, (now - before) / part);
        before = now;
    }
    return out;
}

// How many there were in each of out.length equal parts of (from, to].
export function counts(times, from, to, out) {
    const part = (to - from) / out.length;
    let before = times.countUpTo(from);
    for (let i = 0; i < out.length; ++i) {
        const now = times.countUpTo(from + (i + 1) * part);
        out[i] = now - before;
        before = now;
    }
    return out;
}
