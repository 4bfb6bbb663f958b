// Draws the axis of the timeline, and below the lanes how many tasks ran and how many waited.

import { ceiling, ticks } from './timeline_window.js';
import * as format from './format.js';

export const AXIS = 24;         // heights in pixels
export const CHART = 54;
const LABEL = 14;

const xOf = (view, time) => (time - view.from) / (view.to - view.from) * view.width;

export function paintAxis(context, view, zero, palette) {
    context.clearRect(0, 0, view.width, AXIS);
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'middle';
    for (const { at, text } of ticks(view, view.width, zero)) {
        const x = Math.round(xOf(view, at));
        context.fillStyle = palette.line;
        context.fillRect(x, AXIS - 6, 1, 6);
        context.fillStyle = palette.muted;
        context.fillText(text, x + 4, AXIS / 2);
    }
}

// charts: [{ label, values: Float64Array, color }], one above the other. Returns what the highest value of each is.
export function paintCharts(context, view, charts, pointer, palette) {
    context.clearRect(0, 0, view.width, charts.length * CHART);
    charts.forEach((chart, i) => paintChart(context, view, chart, i * CHART, palette));
    if (pointer === null) return;
    context.fillStyle = palette.text;
    context.fillRect(Math.round(xOf(view, pointer)), 0, 1, charts.length * CHART);
}

function paintChart(context, view, { label, values, color }, top, palette) {
    const highest = values.reduce((a, b) => Math.max(a, b), 0);
    const most = ceiling(highest);
    const room = CHART - LABEL - 3;
    const base = top + CHART - 1;
    const step = view.width / values.length;
    context.fillStyle = palette.line;
    context.fillRect(0, base, view.width, 1);
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, base);
    values.forEach((value, i) => {
        const y = base - Math.max(value > 0 ? 1 : 0, value / most * room);
        context.lineTo(i * step, y);
        context.lineTo((i + 1) * step, y);
    });
    context.lineTo(view.width, base);
    context.fill();
    context.font = `11px ${palette.font}`;
    context.textBaseline = 'top';
    const text = `${label}: at most ${format.short(Math.ceil(highest - 0.05))}`;
    context.fillStyle = palette.background;
    context.globalAlpha = 0.75;
    context.fillRect(2, top + 1, context.measureText(text).width + 6, LABEL);
    context.globalAlpha = 1;
    context.fillStyle = palette.text;
    context.fillText(text, 5, top + 3);
}
