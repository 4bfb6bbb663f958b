// Draws the lanes of a timeline on a canvas: what is in sight, with rectangles of few kinds, each kind at once. Failures
// are higher than what succeeded, and have a cross or a dark edge where there is room, so that they are
// seen without their colour.

import { FAILED, LEVELS } from './timeline_sublane.js';
import { NONE } from './trace_store.js';
import { averages, counts } from './sorted_times.js';
import { ceiling } from './timeline_window.js';
import { topOfBars } from './timeline_rows.js';

const KINDS = ['succeeded', 'retried', 'dropped'];  // by the codes of FAILED
const LEAST_PHASE = 3;   // pixels of a phase that is shown
const MARKED = 9;        // pixels of a failed attempt that has a cross

// The colours of the page, for drawing.
export function paletteOf(element) {
    const style = getComputedStyle(element);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    return { succeeded: color('done'), succeededPale: color('done-pale'), retried: color('retried'), retriedPale: color('retried-pale'),
        dropped: color('dropped'), droppedPale: color('dropped-pale'), running: color('running'), runningPale: color('running-pale'),
        human: color('human'), humanPale: color('human-pale'), waiting: color('waiting'), waitingPale: color('waiting-pale'),
        line: color('line'), text: color('text'), muted: color('muted'), background: color('bg'), font: style.fontFamily };
}

// Rectangles by what they are filled with.
class Layers {
    #byColor = new Map();

    add(color, alpha, x, y, width, height) {
        const key = `${color} ${alpha}`;
        let found = this.#byColor.get(key);
        if (!found) this.#byColor.set(key, found = { color, alpha, rectangles: [] });
        found.rectangles.push(x, y, width, height);
    }

    fill(context) {
        for (const { color, alpha, rectangles } of this.#byColor.values()) {
            context.fillStyle = color;
            context.globalAlpha = alpha;
            for (let i = 0; i < rectangles.length; i += 4)
                context.fillRect(rectangles[i], rectangles[i + 1], rectangles[i + 2], rectangles[i + 3]);
        }
        context.globalAlpha = 1;
    }
}

// view: { width, height, top (how far it is scrolled), from, to (the window), now }; placed: of timeline_rows.js; selected: row or -1.
export function paintLanes(context, view, placed, trace, palette, selected) {
    context.clearRect(0, 0, view.width, view.height);
    const layers = new Layers();
    const crosses = [];
    for (const one of placed) {
        if (one.top + one.height < view.top || one.top > view.top + view.height) continue;
        layers.add(palette.line, 1, 0, one.top + one.height - 1 - view.top, view.width, 1);
        if (one.mode === 'bars') paintBars(layers, crosses, view, one, trace, palette);
        else paintCurve(layers, view, one, palette);
    }
    layers.fill(context);
    context.strokeStyle = palette.background;
    context.lineWidth = 1.5;
    context.beginPath();
    for (const [x, y] of crosses) {
        context.moveTo(x - 2.5, y - 2.5);
        context.lineTo(x + 2.5, y + 2.5);
        context.moveTo(x + 2.5, y - 2.5);
        context.lineTo(x - 2.5, y + 2.5);
    }
    context.stroke();
    if (selected !== null) paintSelected(context, view, selected, palette);
}

function paintBars(layers, crosses, view, placed, trace, palette) {
    const { lane, row } = placed;
    lane.sublanes.forEach((sublane, i) => {
        const y = topOfBars(placed) + i * row - view.top;
        if (y + row < 0 || y > view.height) return;
        sublane.draw(view.from, view.to, view.width,
            (x, end, index) => {
                const bar = { x, end, ...extent(y, row, sublane.failedIn(index, index + 1)), at: sublane.rows[index] };
                paintAttempt(layers, crosses, view, bar, trace, palette);
            },
            (x, end, level, failed) => {
                const { top, height } = extent(y, row, failed);
                const alpha = failed !== FAILED.none ? 1 : 0.25 + 0.75 * level / LEVELS;
                layers.add(palette[KINDS[failed]], alpha, x, top, end - x, height);
            });
    });
    for (const live of lane.live) {
        if (live.sublane >= 0) paintLive(layers, view, topOfBars(placed) + live.sublane * row - view.top, row, live, palette);
    }
}

// What failed is as high as its line, what succeeded is less.
function extent(y, row, failed) {
    if (failed !== FAILED.none) return { top: y, height: row - 1, failed };
    const gap = row > 8 ? 2 : 1;
    return { top: y + gap, height: row - 2 * gap, failed };
}

function paintAttempt(layers, crosses, view, { x, end, top, height, failed, at }, trace, palette) {
    const kind = KINDS[failed];
    const width = Math.max(1, end - x - (end - x > 4 ? 1 : 0));
    layers.add(palette[kind], 1, x, top, width, height);
    const scale = view.width / (view.to - view.from);
    const pale = (from, to) => {
        const left = Math.max(x, from);
        const length = Math.min(to, x + width) - left;
        if (to - from >= LEAST_PHASE && length > 0) layers.add(palette[`${kind}Pale`], 0.85, left, top + 1, length, height - 2);
    };
    const started = (trace.started[at] - view.from) * scale;
    const ended = (trace.ended[at] - view.from) * scale - 1;
    if (trace.pre[at] !== NONE) pale(started, started + trace.pre[at] * scale);
    if (trace.post[at] !== NONE) pale(ended - trace.post[at] * scale, ended);
    if (failed === FAILED.none) return;
    if (width >= MARKED && height >= 8) crosses.push([x + width / 2, top + height / 2]);
    else if (width >= 4) layers.add(palette.text, 1, x, top, 2, height);
}

function paintLive(layers, view, y, row, { since, phase }, palette) {
    const scale = view.width / (view.to - view.from);
    const x = Math.max(0, (since - view.from) * scale);
    const end = Math.min(view.width, Math.max((view.now - view.from) * scale, x + 1));
    if (end <= x) return;
    const kind = phase === 'human' ? 'human' : 'running';
    layers.add(palette[`${kind}Pale`], 1, x, y + 1, end - x, row - 2);
    layers.add(palette[kind], 1, x, y + 1, end - x, 1.5);
    layers.add(palette[kind], 1, x, y + row - 2.5, end - x, 1.5);
    layers.add(palette[kind], 1, x, y + 1, Math.min(2, end - x), row - 2);
}

// How many ran at once, and above that the failures.
function paintCurve(layers, view, { lane, top, height }, palette) {
    const width = Math.floor(view.width);
    const { starts, ends, failures } = lane.dense;
    const running = averages([starts], [ends], view.from, view.to, new Float64Array(width));
    const failed = counts(failures, view.from, view.to, new Uint32Array(width));
    const most = ceiling(Math.max(...running));
    const mostFailed = Math.max(1, ...failed);
    const base = top + height - 3 - view.top;
    const room = height - 15;
    for (let x = 0; x < width; ++x) {
        const bar = running[x] / most * room;
        if (bar > 0) layers.add(palette.succeeded, 0.75, x, base - bar, 1, bar);
        if (failed[x] > 0) layers.add(palette.dropped, 1, x - 0.5, top + 2 - view.top, 2, 2 + 7 * failed[x] / mostFailed);
    }
}

function paintSelected(context, view, { from, to, y, height }, palette) {
    const scale = view.width / (view.to - view.from);
    const x = (from - view.from) * scale;
    const width = Math.max(3, (to - from) * scale);
    context.strokeStyle = palette.text;
    context.lineWidth = 2;
    context.strokeRect(x - 2, y - view.top - 1, width + 4, height + 2);
}

// A canvas for so many CSS pixels, sharp on any screen; its context.
export function sized(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}
