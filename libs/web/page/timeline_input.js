// Mouse, wheel and fingers on the timeline: pan, zoom, point, click. What they do is reported to `on`:
//   pan(pixels), zoom(factor, x), point({ x, y } or null), click({ x, y }), scroll(pixels): of mouse drags, downwards
// x and y are from the upper left corner of the element.

const CLICK = 4;  // pixels that a click may move

export function listen(element, on, canScroll) {
    const pointers = new Map();
    let moved = 0;
    const at = (event) => {
        const area = element.getBoundingClientRect();
        return { x: event.clientX - area.left, y: event.clientY - area.top };
    };
    const spread = () => {
        const [a, b] = [...pointers.values()];
        return { x: (a.x + b.x) / 2, length: Math.max(10, Math.abs(a.x - b.x)) };
    };
    const move = (event) => {
        const now = at(event);
        const before = pointers.get(event.pointerId);
        if (before === undefined) return on.point(now);
        const old = pointers.size === 2 ? spread() : null;
        pointers.set(event.pointerId, now);
        moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
        if (old !== null) on.zoom(old.length / spread().length, spread().x);
        else if (moved > CLICK) drag(event, now, before);
    };
    const drag = (event, now, before) => {
        element.setPointerCapture(event.pointerId);
        on.point(null);
        on.pan(before.x - now.x);
        if (event.pointerType === 'mouse') on.scroll(before.y - now.y);
    };
    const end = (event) => {
        const was = pointers.delete(event.pointerId);
        if (was && event.type === 'pointerup' && moved <= CLICK) on.click(at(event));
    };
    element.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        if (pointers.size === 0) moved = 0;
        pointers.set(event.pointerId, at(event));
    });
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
    element.addEventListener('pointerleave', () => on.point(null));
    element.addEventListener('wheel', (event) => wheel(event, at(event).x, on, canScroll), { passive: false });
}

// A wheel zooms, unless it is needed to scroll; sideways it pans.
function wheel(event, x, on, canScroll) {
    const unit = event.deltaMode === 1 ? 16 : 1;
    const zooms = event.ctrlKey || event.metaKey || (!event.shiftKey && Math.abs(event.deltaY) > Math.abs(event.deltaX)
        && !canScroll());
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (zooms) on.zoom(Math.exp(event.deltaY * unit / 300), x);
    else if (sideways !== 0) on.pan(sideways * unit);
    else return;
    event.preventDefault();
}
