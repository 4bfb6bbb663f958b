// The graph of a workflow as graph_layout.js wants it: a box for each step, and its arrows. Pure.

export const BOX = { width: 272, height: 74, finally: 30 };

// steps: as in GET /api/runs/ID; emitted: pairs of steps, see step_counts.js.
// Returns { nodes, edges: [{ from, to, kind: 'next' | 'gather' | 'emits' }], entry }; a pair has at most one arrow.
export function graphOf(steps, entrypoint, emitted) {
    const index = new Map(steps.map(({ name }, i) => [name, i]));
    const edges = new Map();
    const add = (from, to, kind) => {
        const key = `${from} ${to}`;
        if (to !== undefined && !edges.has(key)) edges.set(key, { from, to, kind });
    };
    steps.forEach(({ next }, from) => (next ?? []).forEach((name) => add(from, index.get(name), 'next')));
    steps.forEach(({ gather }, from) => gather && add(from, index.get(gather.into), 'gather'));
    for (const [from, to] of emitted) if (to < steps.length) add(from, to, 'emits');
    return {
        nodes: steps.map((step) => ({ width: BOX.width, height: BOX.height + (hasFinal(step) ? BOX.finally : 0) })),
        edges: [...edges.values()], entry: Math.max(0, index.get(entrypoint) ?? 0),
    };
}

export function hasFinal(step) {
    return Boolean(step.finally || step.gather);
}

// The steps from the entry on, rank by rank: the order in which one reads the picture.
export function readingOrder(boxes) {
    return [...boxes.keys()].sort((a, b) => boxes[a].rank - boxes[b].rank || boxes[a].y - boxes[b].y || boxes[a].x - boxes[b].x);
}
