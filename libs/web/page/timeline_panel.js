// The picture of the timeline: canvases, names, pointer and keys. What it shows is given to show().

import { h } from './dom.js';
import { listen } from './timeline_input.js';
import { LaneLabels } from './timeline_labels.js';
import { paintLanes, paletteOf, sized } from './timeline_paint.js';
import { AXIS, CHART, paintAxis, paintCharts } from './timeline_chart.js';
import { at, heightOf, place } from './timeline_rows.js';
import { Selection } from './timeline_selection.js';
import { TimelineTip } from './timeline_tip_box.js';
import { attemptLines, curveLines, momentLines, startOf } from './timeline_tip.js';
import { including, panned, zoomed } from './timeline_window.js';

const SLACK = 3;  // pixels beside an attempt that count as on it

export class TimelinePanel {
    window = { from: 0, to: 1 };
    #shown = null;      // what show() was given
    #placed = [];
    #open = new Set();  // keys of lanes whose single attempts are wanted
    #frame = 0;
    #stale = true;      // more than the pointer has changed
    #pointer = null;    // the time under the mouse
    #palette = null;
    #charts = [];
    #selection = new Selection(null);

    constructor(app) {
        this.app = app;
        const canvas = (part) => h('canvas', { class: `timeline-${part}`, 'aria-hidden': 'true' });
        this.axis = canvas('axis');
        this.canvas = canvas('canvas');
        this.charts = canvas('charts');
        this.labels = new LaneLabels((lane) => this.#toggle(lane));
        this.drawing = h('div', { class: 'timeline-drawing' }, this.canvas);
        this.room = h('div', { class: 'timeline-room' }, this.labels.element, this.drawing);
        this.lanes = h('div', { class: 'timeline-lanes', tabindex: 0, role: 'group', 'aria-label': 'Lanes of attempts',
            on: { scroll: () => this.draw() } }, this.room);
        this.tip = new TimelineTip();
        this.element = h('div', { class: 'timeline', role: 'group', 'aria-label': 'Timeline' },
            this.axis, this.lanes, this.charts, this.tip.element, this.tip.spoken);
        this.buttons = this.#zoomButtons();
        this.keys = this.#keyTable();
        this.#listen();
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.lanes);
    }

    // { run, lanes: [of timeline_lanes.js], key (of their kind), curves, window, whole, now }
    show(shown) {
        if (shown.key !== this.#shown?.key || shown.run.trace !== this.#shown.run.trace) {
            this.labels.clear();
            this.#open.clear();
            this.#selection = new Selection(shown.run.trace);
        }
        this.#shown = shown;
        this.window = shown.window;
        this.draw();
    }

    setPalette() {
        this.#palette = paletteOf(this.element);
        this.draw();
    }

    draw() {
        this.#stale = true;
        this.#drawSoon();
    }

    #drawSoon() {
        if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#drawNow());
    }

    // Where the pointer is, is seen in the charts alone.
    #drawNow() {
        this.#frame = 0;
        const width = this.drawing.clientWidth;
        if (this.#shown === null || this.#palette === null || width === 0) return;
        if (this.#stale) this.#drawLanes(width);
        const context = sized(this.charts, width, CHART * this.#charts.length);
        paintCharts(context, { width, ...this.window }, this.#charts, this.#pointer, this.#palette);
    }

    #drawLanes(width) {
        this.#stale = false;
        const { run, lanes, now } = this.#shown;
        this.#placed = place(lanes, this.#open);
        this.room.style.height = `${heightOf(this.#placed)}px`;
        const view = { width, height: this.lanes.clientHeight, top: this.lanes.scrollTop, now, ...this.window };
        const chosen = this.#selection.frame(this.#placed, now);
        paintLanes(sized(this.canvas, width, view.height), view, this.#placed, run.trace, this.#palette, chosen);
        paintAxis(sized(this.axis, width, AXIS), view, startOf(run), this.#palette);
        this.#charts = this.#chartsOf(view);
        this.labels.show(run, this.#placed, view.top, view.top + view.height);
    }

    #chartsOf({ from, to, width }) {
        const { curves } = this.#shown;
        const values = () => new Float64Array(Math.max(1, Math.floor(width)));
        return [{ label: 'running or at pool', values: curves.running(from, to, values()), color: this.#palette.running },
            { label: 'waiting', values: curves.waiting(from, to, values()), color: this.#palette.waiting }];
    }

    #zoomButtons() {
        const button = (text, label, run) => h('button',
            { type: 'button', class: 'quiet', 'aria-label': label, title: label, on: { click: run } }, text);
        return h('span', { class: 'timeline-zoom' }, button('−', 'Show more time', () => this.#zoom(1 / 0.6)),
            button('+', 'Show less time', () => this.#zoom(0.6)), button('all', 'all of the run', () => this.#showWhole()));
    }

    #keyTable() {
        const choose = (by) => this.#select(() => this.#selection.along(this.#placed, by, this.window));
        const along = (by) => ({ shiftKey }) => (shiftKey ? this.#pan(by * 0.25) : choose(by));
        const across = (by) => () => this.#select(() => this.#selection.across(this.#placed, by, this.window));
        return {
            'ArrowLeft': ['attempt before; with Shift: earlier', along(-1)],
            'ArrowRight': ['attempt after; with Shift: later', along(1)],
            'ArrowUp': ['line above', across(-1)], 'ArrowDown': ['line below', across(1)],
            'k': ['line above', across(-1)], 'j': ['line below', across(1)],
            'Enter': ['opens the task', () => this.#openTask(this.#selection.row)],
            'Escape': ['chooses none', () => this.#select(() => this.#selection.clear())],
            '+': ['shows less time', () => this.#zoom(0.6)], '-': ['shows more time', () => this.#zoom(1 / 0.6)],
            '0': ['shows the whole run', () => this.#showWhole()],
        };
    }

    #listen() {
        const on = {
            pan: (pixels) => this.#move(panned(this.window, pixels * this.#perPixel, this.#shown.whole)),
            zoom: (factor, x) => this.#move(zoomed(this.window, factor, this.#timeAt(x), this.#shown.whole)),
            scroll: (pixels) => this.lanes.scrollBy(0, pixels),
            point: (point) => this.#pointAt(point), click: (point) => this.#click(point),
        };
        const guarded = (handlers) => Object.fromEntries(Object.entries(handlers).map(([name, run]) =>
            [name, (...given) => this.#shown !== null && run(...given)]));
        listen(this.drawing, guarded(on), () => this.lanes.scrollHeight > this.lanes.clientHeight + 1);
        const beside = guarded({ ...on, point: (point) => this.#pointChart(point), click: () => {} });
        listen(this.axis, beside, () => false);
        listen(this.charts, beside, () => false);
    }

    get #perPixel() {
        return (this.window.to - this.window.from) / Math.max(1, this.drawing.clientWidth);
    }

    #timeAt(x) {
        return this.window.from + x * this.#perPixel;
    }

    #move(window) {
        this.window = window;
        this.tip.hide();
        this.draw();
    }

    #pan(share) {
        if (this.#shown) this.#move(panned(this.window, share * (this.window.to - this.window.from), this.#shown.whole));
    }

    // About the chosen attempt if it is in sight, else about the middle.
    #zoom(factor) {
        if (this.#shown === null) return;
        const { from, to } = this.window;
        const span = this.#selection.span(this.#shown.now);
        const seen = span !== null && span.from < to && span.to > from;
        const about = seen ? (Math.max(from, span.from) + Math.min(to, span.to)) / 2 : (from + to) / 2;
        this.#move(zoomed(this.window, factor, about, this.#shown.whole));
    }

    #showWhole() {
        if (this.#shown) this.#move({ ...this.#shown.whole });
    }

    #toggle(lane) {
        if (!this.#open.delete(lane.key)) this.#open.add(lane.key);
        this.draw();
    }

    #pointAt(point) {
        this.#pointer = point === null ? null : this.#timeAt(point.x);
        const found = point === null ? null : at(this.#placed, point.y);
        const row = found === null ? -1 : this.#selection.find(found, this.#pointer, this.#perPixel * SLACK);
        this.drawing.classList.toggle('pointing', row >= 0);
        const { run, now } = this.#shown;
        if (row >= 0) this.#showTip(attemptLines(run, row, now), point);
        else if (found?.placed.mode === 'curve') this.#showTip(curveLines(run, found.placed.lane, this.#pointer, this.#perPixel), point);
        else this.tip.hide();
        this.#drawSoon();
    }

    #pointChart(point) {
        this.#pointer = point === null ? null : this.#timeAt(point.x);
        if (point === null || this.#charts.length === 0) this.tip.hide();
        else this.#showTip(momentLines(this.#shown.run, this.#pointer, this.#charts, Math.floor(point.x)), { ...point, y: -Infinity });
        this.#drawSoon();
    }

    // x, y: in the drawing, which is as high as all lanes.
    #showTip(lines, { x, y }) {
        this.tip.show(lines, { x: x + this.drawing.offsetLeft, y: y + this.lanes.offsetTop - this.lanes.scrollTop });
    }

    #click(point) {
        const found = at(this.#placed, point.y);
        if (found === null) return;
        const row = this.#selection.find(found, this.#timeAt(point.x), this.#perPixel * SLACK);
        if (row >= 0) this.#openTask(row);
        else if (found.placed.canOpen) this.#toggle(found.placed.lane);
    }

    #openTask(row) {
        if (row >= 0) this.app.go({ view: 'task', run: this.#shown.run.id, row });
    }

    // Chooses, and brings what is chosen into sight.
    #select(choose) {
        if (this.#shown === null) return;
        choose();
        const frame = this.#selection.frame(this.#placed, this.#shown.now);
        if (frame === null) {
            this.tip.hide();
            this.tip.say([]);
            return this.draw();
        }
        this.#move(including(this.window, frame.from, frame.to, this.#shown.whole));
        const { scrollTop, clientHeight } = this.lanes;
        if (frame.y < scrollTop || frame.y + frame.height > scrollTop + clientHeight) this.lanes.scrollTop = frame.y - clientHeight / 2;
        const lines = attemptLines(this.#shown.run, this.#selection.row, this.#shown.now);
        this.#showTip(lines, { x: Math.max(0, (frame.from - this.window.from) / this.#perPixel), y: frame.y + frame.height - 8 });
        this.tip.say(lines);
    }

    unmount() {
        cancelAnimationFrame(this.#frame);
        this.observer.disconnect();
    }
}
