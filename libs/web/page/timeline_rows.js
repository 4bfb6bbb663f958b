// Where the lanes of a timeline are from top to bottom, and which of them is at a place. Pure. Lengths in pixels.

import { FEW } from './timeline_lanes.js';

const PADDING = 6;    // above and below the bars of a lane
const LEAST = 26;
const DENSE = 56;     // the height of a lane whose attempts are shown as a curve

// [{ lane, top, height, mode: 'bars' or 'curve', row (height of a sublane), canOpen }]. `open`: the keys of the lanes of many
// sublanes that are shown with bars.
export function place(lanes, open) {
    let top = 0;
    return lanes.map((lane) => {
        const many = lane.sublanes === null || lane.sublanes.length > FEW;
        const canOpen = many && lane.sublanes !== null;
        const bars = !many || (canOpen && open.has(lane.key));
        const count = bars ? Math.max(1, lane.sublanes.length) : 0;
        const row = count <= 4 ? 14 : count <= FEW ? 10 : 7;
        const height = bars ? Math.max(LEAST, count * row + PADDING * 2) : DENSE;
        const placed = { lane, top, height, mode: bars ? 'bars' : 'curve', row, canOpen };
        top += height;
        return placed;
    });
}

export function heightOf(placed) {
    return placed.length === 0 ? 0 : placed[placed.length - 1].top + placed[placed.length - 1].height;
}

// What is at `y`: { placed, sublane } or null; the sublane is -1 in a curve or beside the bars.
export function at(placed, y) {
    const found = placed.find((one) => y >= one.top && y < one.top + one.height);
    if (!found) return null;
    const sublane = found.mode === 'bars' ? Math.floor((y - topOfBars(found)) / found.row) : -1;
    return { placed: found, sublane: found.mode === 'bars' && sublane >= 0 && sublane < found.lane.sublanes.length ? sublane : -1 };
}

// The bars are in the middle of their lane.
export function topOfBars({ lane, top, height, row }) {
    return top + (height - Math.max(1, lane.sublanes.length) * row) / 2;
}
