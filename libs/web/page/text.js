// Text of others (values, names, output) may contain anything. It is shown as it is, in order and without effect on what
// is around it: control characters and those that turn the direction of text are shown as their codes. Pure.

// Except for tab and newline, which are shown as such, and for the joiners within a word of a script that needs them.
const HIDDEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uD800-\uDFFF]|[\u{E0000}-\u{E007F}]|(?<![^\u0000-\u007F])[\u200C\u200D]|[\u200C\u200D](?![^\u0000-\u007F])/gu;

// Names of those that people know better than the number.
const NAMES = { 0x00: 'NUL', 0x07: 'BEL', 0x08: 'BS', 0x0D: 'CR', 0x1B: 'ESC', 0x7F: 'DEL', 0xFEFF: 'BOM' };

// The parts of a text: strings to show as they are, and { code: 'U+202E' } between them.
export function parts(text) {
    const found = [];
    let at = 0;
    for (const hit of text.matchAll(HIDDEN)) {
        if (hit.index > at) found.push(text.slice(at, hit.index));
        found.push({ code: codeOf(hit[0].codePointAt(0)) });
        at = hit.index + hit[0].length;
    }
    if (at < text.length) found.push(text.slice(at));
    return found;
}

function codeOf(point) {
    return NAMES[point] ?? 'U+' + point.toString(16).toUpperCase().padStart(4, '0');
}

// As parts(), in one string: for titles and for canvases, which cannot have marks. Newlines become spaces.
export function plain(text, limit = 300) {
    const cut = cutAt(text, limit);
    const shown = parts(cut).map((part) => typeof part === 'string' ? part : `[${part.code}]`).join('').replace(/\s+/g, ' ');
    return cut.length < text.length ? shown + '…' : shown;
}

// The beginning of a text, at most `limit` UTF-16 units, not ending within a character.
export function cutAt(text, limit) {
    if (text.length <= limit) return text;
    const last = text.charCodeAt(limit - 1);
    return text.slice(0, last >= 0xD800 && last < 0xDC00 ? limit - 1 : limit);
}

// The first line with anything in it.
export function firstLine(text) {
    return /\S[^\n\r]*/.exec(cutAt(text, 4096))?.[0] ?? '';
}

// A long text in pieces of at most `size` units, which end with a line if one ends near.
export function pieceEnd(text, begin, size) {
    if (text.length - begin <= size) return text.length;
    const line = text.lastIndexOf('\n', begin + size - 1);
    return line >= begin + size / 2 ? line + 1 : begin + cutAt(text.slice(begin, begin + size), size - 1).length;
}
