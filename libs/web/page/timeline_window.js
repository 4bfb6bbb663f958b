// Which part of a run the timeline shows: zoom and pan as plain numbers, and the marks of its axis. Pure.
// A window and the whole are { from, to } in ms.

export const SHORTEST = 10;  // ms

export function limited({ from, to }, whole) {
    const length = Math.min(Math.max(to - from, SHORTEST), Math.max(whole.to - whole.from, SHORTEST));
    const begin = Math.max(whole.from, Math.min(from, whole.to - length));
    return { from: begin, to: begin + length };
}

// `factor` below 1 shows less; what is at `at` stays where it is.
export function zoomed(window, factor, at, whole) {
    const length = Math.max(SHORTEST, (window.to - window.from) * factor);
    const share = (at - window.from) / (window.to - window.from);
    return limited({ from: at - share * length, to: at + (1 - share) * length }, whole);
}

export function panned(window, ms, whole) {
    return limited({ from: window.from + ms, to: window.to + ms }, whole);
}

// Moves it so that [from, to], or at least its beginning, is in sight.
export function including(window, from, to, whole) {
    const length = window.to - window.from;
    if (from >= window.from && to <= window.to) return window;
    const begin = to - from > length || from < window.from ? from - Math.min(length * 0.1, length - Math.min(length, to - from))
        : to - length * 0.9;
    return limited({ from: begin, to: begin + length }, whole);
}

// What is shown first: the run from its own start, `started`, without what it took over from another run.
export function firstWindow(started, whole) {
    return started > whole.from && started < whole.to ? limited({ from: started, to: whole.to }, whole) : { ...whole };
}

// Grows with a run that goes on: all of it stays all of it, also from `started`, and its end stays its end.
export function followed(window, before, whole, started = NaN) {
    const wasEnd = window.to >= before.to - 1;
    if (!wasEnd) return limited(window, whole);
    if (Math.abs(window.from - started) <= 1) return limited({ from: window.from, to: whole.to }, whole);
    return window.from <= before.from + 1 ? { ...whole } : panned(window, whole.to - window.to, whole);
}

const SECOND = 1000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
    ...[1, 2, 5, 10, 15, 30].map((n) => n * 60 * SECOND), ...[1, 2, 3, 6, 12].map((n) => n * 3600 * SECOND),
    ...[1, 2, 7, 14, 28].map((n) => n * 86400 * SECOND)];

// The marks of the axis, at least `apart` pixels from each other: [{ at, text }], with the time since `zero`.
export function ticks({ from, to }, width, zero, apart = 90) {
    const least = (to - from) / width * apart;
    const step = STEPS.find((one) => one >= least) ?? Math.ceil(least / STEPS[STEPS.length - 1]) * STEPS[STEPS.length - 1];
    const found = [];
    for (let n = Math.ceil((from - zero) / step); zero + n * step <= to; ++n) found.push({ at: zero + n * step,
        text: sinceText(n * step, step) });
    return found;
}

// "1:05", "2:00:00", "0:04.25": as exact as the marks need it.
export function sinceText(ms, step = SECOND) {
    const pad = (n) => String(n).padStart(2, '0');
    const digits = step >= SECOND ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
    const whole = Math.floor(ms / SECOND);
    const hours = Math.floor(whole / 3600);
    const text = `${hours ? `${hours}:${pad(Math.floor(whole / 60) % 60)}` : Math.floor(whole / 60)}:${pad(whole % 60)}`;
    return digits ? `${text}.${String(Math.round(ms - whole * SECOND)).padStart(3, '0').slice(0, digits)}` : text;
}

// The first round number at or above n, for the upper end of a scale: 1, 2, 5, 10, 20, …
export function ceiling(n) {
    if (!(n > 1)) return 1;
    const power = 10 ** Math.floor(Math.log10(n));
    return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= n * (1 - 1e-9));
}
