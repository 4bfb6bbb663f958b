// The tasks that a filter shows, in order, for a trace that grows. Makes them anew as seldom as their number demands: a
// million takes some ten milliseconds, which must not happen ten times a second.

import { filter, sort } from './trace_query.js';

const SHARE = 8;  // making them takes at most one part in so many of the time

export class TaskList {
    rows = new Uint32Array(0);
    #made = -Infinity;
    #took = 0;

    // `wanted`: { criteria, order, found }. Whether the rows were made anew; unless `now` is true only when it is time.
    make(trace, wanted, clock, at, now = false) {
        if (!now && clock() - this.#made < this.#took * SHARE) return false;
        const begin = clock();
        const rows = filter(trace, { ...wanted.criteria, found: wanted.found });
        this.rows = wanted.order ? sort(trace, rows, wanted.order.key, wanted.order.descending, at) : rows;
        this.#made = clock();
        this.#took = this.#made - begin;
        return true;
    }
}
