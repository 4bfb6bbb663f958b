// Which attempt of the timeline is chosen, and which one is beside it. Pure, but for the choice itself.
// `placed`: of timeline_rows.js.

import { topOfBars } from './timeline_rows.js';

export class Selection {
    #at = null;  // { key (of the lane), line (its sublane), row }

    // trace: that of the attempts; now: for what is running.
    constructor(trace) {
        this.trace = trace;
    }

    get row() {
        return this.#at?.row ?? -1;
    }

    clear() {
        this.#at = null;
    }

    // The attempt at a place (of timeline_rows.at) and time: a row, or -1. `slack` ms beside it count as on it.
    find({ placed, sublane }, time, slack) {
        if (sublane < 0) return -1;
        const line = placed.lane.sublanes[sublane];
        const live = placed.lane.live.find((one) => one.sublane === sublane);
        const until = live ? Math.max(0, live.since - time) : Infinity;
        const index = line.nearest(time, Math.min(slack, until));
        if (index >= 0) return line.rows[index];
        return until <= slack && live ? live.row : -1;
    }

    choose({ placed, sublane }, row) {
        this.#at = row < 0 ? null : { key: placed.lane.key, line: sublane, row };
    }

    // The attempt before (-1) or after (1) on the same line; at first, one in the middle of what is in sight.
    along(placed, by, window) {
        const own = this.#line(placed);
        if (own === null) return this.across(placed, by, window);
        const rows = rowsOf(own.placed.lane, this.#at.line);
        const next = rows.at(rows.indexOf(this.#at.row) + by);
        if (next >= 0) this.#at = { ...this.#at, row: next };
    }

    // The attempt nearest in time on the next line with any, above (-1) or below (1).
    across(placed, by, window) {
        const lines = placed.filter(({ mode }) => mode === 'bars').flatMap((one) =>
            one.lane.sublanes.map((_, line) => ({ placed: one, line })));
        const own = lines.findIndex((one) => this.#at !== null && one.placed.lane.key === this.#at.key && one.line === this.#at.line);
        const span = this.span(window.to);
        const time = span === null ? (window.from + window.to) / 2
            : Math.max(window.from, Math.min(window.to, (span.from + span.to) / 2));
        for (let i = own < 0 ? (by > 0 ? 0 : lines.length - 1) : own + by; i >= 0 && i < lines.length; i += by) {
            const row = this.find({ placed: lines[i].placed, sublane: lines[i].line }, time, Infinity);
            if (row < 0) continue;
            this.#at = { key: lines[i].placed.lane.key, line: lines[i].line, row };
            return;
        }
    }

    #line(placed) {
        const found = placed.find(({ lane }) => lane.key === this.#at?.key);
        return found === undefined || found.mode !== 'bars' || this.#at.line >= found.lane.sublanes.length ? null : { placed: found };
    }

    // { from, to } of the chosen attempt, in ms; null if there is none.
    span(now) {
        if (this.#at === null) return null;
        const { row } = this.#at;
        const from = this.trace.startOf(row);
        const ended = this.trace.ended[row];
        return { from: from >= 0 ? from : ended, to: ended >= 0 ? ended : now };
    }

    // What to draw around it: { from, to, y, height } in ms and pixels, or null.
    frame(placed, now) {
        const own = this.#line(placed);
        if (own === null) return null;
        return { ...this.span(now), y: topOfBars(own.placed) + this.#at.line * own.placed.row, height: own.placed.row };
    }
}

// The rows of a line in order, as an array with at() and indexOf() that does not copy them.
function rowsOf(lane, line) {
    const sublane = lane.sublanes[line];
    const live = lane.live.find((one) => one.sublane === line);
    const ended = sublane.rows.subarray(0, sublane.length);
    return {
        indexOf: (row) => (live?.row === row ? sublane.length : ended.indexOf(row)),
        at: (index) => (index < 0 ? -1 : index < sublane.length ? ended[index] : index === sublane.length && live ? live.row : -1),
    };
}
