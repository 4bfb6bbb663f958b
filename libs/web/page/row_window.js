// Which rows of a long list are in sight. Pure.
//
// A browser cannot scroll more than some ten million pixels, which a million rows have. So the scrolled area is at most
// MOST_PIXELS high, and the list lies under it with a `shift`: a row is at row * height - shift. Scrolling by less than
// some screens keeps the shift, so the rows follow the finger; a jump (the scroll bar, a key) goes to the same share of the list.

export const MOST_PIXELS = 4_000_000;
const JUMP = 4;  // screens

// The height of the scrolled area.
export function areaHeight(rows, height) {
    return Math.min(rows * height, MOST_PIXELS);
}

// The new shift after scrolling. `was`: { scroll, shift }; `view`: the height of the window.
export function shiftAfter(was, scroll, rows, height, view) {
    const total = rows * height;
    const area = areaHeight(rows, height);
    if (total === area) return 0;
    const most = total - view;
    const kept = Math.abs(scroll - was.scroll) < JUMP * view ? was.shift : NaN;
    const top = scroll + kept;
    if (scroll > 0 && scroll < area - view && top >= 0 && top <= most) return kept;
    return Math.round(Math.min(1, scroll / (area - view)) * most) - scroll;
}

// Where to scroll, and with which shift, so that the list is at `top` pixels: { scroll, shift }.
export function placeAt(top, rows, height, view) {
    const total = rows * height;
    const area = areaHeight(rows, height);
    top = Math.max(0, Math.min(top, total - view));
    if (total === area) return { scroll: top, shift: 0 };
    const scroll = Math.round(top / (total - view) * (area - view));
    return { scroll, shift: top - scroll };
}

// The top at which row `index` is in sight, with the least movement.
export function topToShow(index, top, height, view) {
    if (index * height < top) return index * height;
    if ((index + 1) * height > top + view) return (index + 1) * height - view;
    return top;
}

// The rows to draw: [first, end), with `extra` rows on each side.
export function rowsInSight(top, rows, height, view, extra) {
    const first = Math.max(0, Math.floor(top / height) - extra);
    const end = Math.min(rows, Math.ceil((top + view) / height) + extra);
    return [Math.min(first, end), end];
}
