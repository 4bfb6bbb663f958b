// Numbers as people read them. Pure; times are in milliseconds since 1970 and shown in local time.

// "412 ms", "4.2 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"; "" if it is not known.
export function duration(ms) {
    if (!Number.isFinite(ms)) return '';
    ms = Math.max(0, ms);
    if (ms < 999.5) return `${Math.round(ms)} ms`;
    if (ms < 59950) return `${(ms / 1000).toFixed(1)} s`;
    const seconds = Math.round(ms / 1000);
    if (seconds < 3600) return two(seconds, 60, 'min', 's');
    const minutes = Math.round(seconds / 60);
    if (minutes < 24 * 60) return two(minutes, 60, 'h', 'min');
    return two(Math.round(minutes / 60), 24, 'd', 'h');
}

function two(amount, per, large, small) {
    const rest = amount % per;
    return `${Math.floor(amount / per)} ${large}` + (rest ? ` ${rest} ${small}` : '');
}

// A duration with what is below a millisecond: "0.42 ms", "12 ms"; "–" if it is not known.
export function latency(ms) {
    if (ms === null || ms === undefined) return '–';
    return ms < 10 ? (ms < 0.01 ? '<0.01 ms' : `${ms.toFixed(2)} ms`) : duration(ms);
}

// "0:04", "3:20", "2:05:00": for clocks that run.
export function clock(ms) {
    if (!Number.isFinite(ms)) return '';
    const seconds = Math.max(0, Math.floor(ms / 1000));
    const pad = (n) => String(n).padStart(2, '0');
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    return (hours ? `${hours}:${pad(minutes)}` : `${minutes}`) + ':' + pad(seconds % 60);
}

function dateOf(date) {
    const pad = (n) => String(n).padStart(2, '0');
    return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

// "09:46:31" of today, else "2026-11-21 09:46:31".
export function time(ms, now = Date.now()) {
    if (!Number.isFinite(ms)) return '';
    const date = new Date(ms);
    const clockOf = date.toTimeString().slice(0, 8);
    const day = dateOf(date);
    return day === dateOf(new Date(now)) ? clockOf : `${day} ${clockOf}`;
}

// The time of day, with the number of days since `origin` if there are any: "09:46:31", "+2 d 09:46:31".
export function timeSince(ms, origin) {
    if (!Number.isFinite(ms)) return '';
    const midnight = (of) => new Date(of).setHours(0, 0, 0, 0);
    const days = Number.isFinite(origin) ? Math.round((midnight(ms) - midnight(origin)) / 86400000) : 0;
    return (days > 0 ? `+${days} d ` : '') + new Date(ms).toTimeString().slice(0, 8);
}

// "2026-11-21 09:46:31.417": for titles and details.
export function exactTime(ms) {
    if (!Number.isFinite(ms)) return '';
    const date = new Date(ms);
    return `${dateOf(date)} ${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

// "1,234,567"
export function count(n) {
    return Number.isFinite(n) ? String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',') : '';
}

// "950", "12k", "1.4M": at most four characters.
export function short(n) {
    if (!Number.isFinite(n)) return '';
    for (const [unit, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
        if (n >= unit * 0.9995) return (n < unit * 9.95 ? (n / unit).toFixed(1) : Math.round(n / unit)) + letter;
    }
    return String(Math.round(n));
}

// "$1.48", "$0.0031", "$1,204": "" if it is not known.
export function dollars(usd) {
    if (!Number.isFinite(usd)) return '';
    if (usd >= 999.995) return '$' + count(usd);
    if (usd >= 0.01 || usd === 0) return '$' + usd.toFixed(2);
    return '$' + usd.toPrecision(2).replace(/e.*/, '').padEnd(3, '0');
}

// "$0.008", "$1.480", "$12.40": for columns, whose points stand below each other.
export function price(usd) {
    return usd < 9.9995 ? '$' + usd.toFixed(3) : dollars(usd);
}

// "512 B", "4.2 kB", "1.3 MB"
export function size(bytes) {
    if (!Number.isFinite(bytes)) return '';
    if (bytes < 1000) return `${bytes} B`;
    const units = ['kB', 'MB', 'GB', 'TB'];
    const power = Math.min(Math.floor(Math.log10(bytes * 1.0005) / 3), units.length);
    const amount = bytes / 1000 ** power;
    return `${amount < 99.95 ? amount.toFixed(1) : Math.round(amount)} ${units[power - 1]}`;
}

// "1.4/s", "120/s", "3.0/min"
export function rate(perSecond) {
    if (!Number.isFinite(perSecond)) return '';
    if (perSecond > 0 && perSecond < 0.1) return `${(perSecond * 60).toFixed(1)}/min`;
    return `${perSecond < 99.95 ? perSecond.toFixed(1) : count(perSecond)}/s`;
}

// "1 task", "12 tasks"
export function plural(n, noun, nouns = noun + 's') {
    return `${count(n)} ${n === 1 ? noun : nouns}`;
}

export function percent(part, whole) {
    if (!(whole > 0)) return '';
    return part === whole ? '100 %' : `${Math.min(99, Math.floor(100 * part / whole))} %`;
}
