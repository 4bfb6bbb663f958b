// Where the boxes and the arrows of a workflow's graph go. Pure: the same graph always gives the same picture.
//
// Each box is in a rank, which is the length of the longest way to it from the entry. Arrows to later ranks are bent in
// the ranks between, so that they pass boxes at their sides. Lengths are in pixels.

import { backEdges, cutEdges, longestPathRanks, reduceCrossings } from './graph_ranks.js';
import { place } from './graph_place.js';

const between = 20;     // boxes of a rank
const bend = 10;        // the width that an arrow needs between two boxes
const ranksApart = 52;
const loop = 30;        // how far a loop stands out
const portsApart = 18;

// graph: {nodes: [{width, height}], edges: [{from, to, …}], entry}; `from`, `to` and `entry` are indices of nodes.
// direction: "down" or "right".
// Returns {width, height, direction, boxes: [{x, y, width, height, rank}], arrows: [{edge, back, path, head}]}; `path` is
// the `d` of an SVG path, and `head` the three corners of its arrowhead as the `points` of a polygon.
export function layout(graph, direction) {
    const turned = direction === 'right';
    const edges = graph.edges.map((edge, index) => ({ ...edge, index }));
    const loops = edges.filter((edge) => edge.from === edge.to);
    const others = edges.filter((edge) => edge.from !== edge.to);
    const back = backEdges(graph.nodes.length, others, graph.entry);
    const forward = others.map((edge, i) => (back[i] ? { ...edge, from: edge.to, to: edge.from } : edge));
    const ranks = longestPathRanks(graph.nodes.length, forward, graph.entry);
    const cut = cutEdges(graph.nodes.length, forward, ranks);
    const layers = reduceCrossings(cut.layers, cut.pieces, cut.total);
    const boxes = placeBoxes(graph.nodes, cut, layers, ranks, new Set(loops.map((edge) => edge.from)), turned);
    const ports = placePorts(cut, boxes);
    const arrows = forward.map((edge, i) => arrow(edge, back[i] === 1, cut.chains[i], ports[i], boxes));
    arrows.push(...loops.map((edge) => loopArrow(edge, boxes.real[edge.from])));
    return asPicture(boxes, arrows.sort((a, b) => a.edge - b.edge), turned, direction);
}

// At what scale a picture is shown in so much room: all of it, if it is not made smaller than `smallest` for that, else as wide
// as the room, as far as it stays that large.
export function scaleOf(picture, width, height, smallest) {
    const whole = Math.min(1, width / picture.width, height / picture.height);
    return whole >= smallest ? whole : Math.max(smallest, Math.min(1, width / picture.width));
}

// The layout in the direction in which less of the picture is out of sight, or if that is equal, in which it is larger.
export function bestLayout(graph, width, height, smallest) {
    const [right, down] = ['right', 'down'].map((direction) => layout(graph, direction));
    const scale = (picture) => scaleOf(picture, width, height, smallest);
    const hidden = (picture) => 10 * Math.max(0, picture.width * scale(picture) - width)
        + Math.max(0, picture.height * scale(picture) - height);
    if (hidden(right) !== hidden(down)) return hidden(right) < hidden(down) ? right : down;
    return scale(right) >= scale(down) ? right : down;
}

// The boxes in a graph that leads down: `across` is the centre, `along` the upper side. `bands`: upper and lower side of
// each rank.
function placeBoxes(nodes, cut, layers, ranks, looped, turned) {
    const size = (node) => (turned ? { across: node.height, along: node.width } : { across: node.width, along: node.height });
    const sizes = [];
    for (let i = 0; i < cut.total; ++i)
        sizes.push(i < nodes.length ? size(nodes[i]).across + (looped.has(i) ? loop : 0) : bend);
    const centres = place(layers, cut.pieces, sizes, between, nodes.length);
    const bands = [];
    for (const layer of layers) {
        const from = bands.length === 0 ? 0 : bands[bands.length - 1].to + ranksApart;
        const longest = Math.max(0, ...layer.filter((i) => i < nodes.length).map((i) => size(nodes[i]).along));
        bands.push({ from, to: from + longest });
    }
    const real = nodes.map((node, i) => ({
        across: centres[i] - (looped.has(i) ? loop / 2 : 0), along: bands[ranks[i]].from, rank: ranks[i],
        breadth: size(node).across, length: size(node).along,
    }));
    const rankOf = bendRanks(cut, ranks);
    const breadth = Math.max(0, ...centres.map((centre, i) => centre + sizes[i] / 2));
    return { real, centres, bands, rankOf, breadth };
}

function bendRanks(cut, ranks) {
    const rankOf = [...ranks];
    for (const chain of cut.chains)
        chain.slice(1, -1).forEach((node, i) => (rankOf[node] = ranks[chain[0]] + 1 + i));
    return rankOf;
}

// For each edge where it leaves its upper box and where it reaches its lower one: side by side, in the order of what they
// lead to, so that they do not cross at the box.
function placePorts(cut, boxes) {
    const ends = cut.chains.map((chain) => ({ upper: chain[0], lower: chain[chain.length - 1], chain }));
    const ports = ends.map(() => ({ upper: 0, lower: 0 }));
    boxes.real.forEach((box, node) => {
        for (const end of ['upper', 'lower']) {
            const toward = (i) => boxes.centres[end === 'upper' ? ends[i].chain[1] : ends[i].chain[ends[i].chain.length - 2]];
            const mine = [...ends.keys()].filter((i) => ends[i][end] === node).sort((a, b) => toward(a) - toward(b) || a - b);
            const apart = Math.min(portsApart, (box.breadth * 0.8) / Math.max(1, mine.length));
            mine.forEach((edge, i) => (ports[edge][end] = box.across + (i - (mine.length - 1) / 2) * apart));
        }
    });
    return ports;
}

// Points alternate between the end of a straight part, along a box or a bend, and the end of a curve between two ranks.
function arrow(edge, back, chain, port, boxes) {
    const upper = boxes.real[chain[0]];
    const points = [[port.upper, upper.along + upper.length], [port.upper, boxes.bands[upper.rank].to]];
    for (const node of chain.slice(1, -1)) {
        const band = boxes.bands[boxes.rankOf[node]];
        points.push([boxes.centres[node], band.from], [boxes.centres[node], band.to]);
    }
    points.push([port.lower, boxes.real[chain[chain.length - 1]].along]);
    const along = back ? -1 : 1;
    return { edge: edge.index, back, curves: curvesThrough(back ? points.reverse() : points, back), along };
}

function curvesThrough(points, back) {
    const curves = [{ at: points[0] }];
    for (let i = 1; i < points.length; ++i) {
        const [x, y] = points[i];
        const [beforeX, beforeY] = points[i - 1];
        const isCurve = back ? (points.length - i) % 2 === 0 : i % 2 === 0;
        const middle = (beforeY + y) / 2;
        curves.push(isCurve ? { by: [[beforeX, middle], [x, middle]], at: [x, y] } : { at: [x, y] });
    }
    return curves;
}

function loopArrow(edge, box) {
    const side = box.across + box.breadth / 2;
    const middle = box.along + box.length / 2;
    const half = Math.min(14, box.length / 3);
    const curves = [{ at: [side, middle + half] },
        { by: [[side + loop * 1.2, middle + half], [side + loop * 1.2, middle - half]], at: [side, middle - half] }];
    return { edge: edge.index, back: true, loop: true, curves, along: 0 };
}

function asPicture(boxes, arrows, turned, direction) {
    const last = boxes.bands[boxes.bands.length - 1];
    const size = turn([boxes.breadth, last === undefined ? 0 : last.to], turned);
    return {
        width: size[0], height: size[1], direction,
        boxes: boxes.real.map((box) => {
            const [x, y] = turn([box.across - box.breadth / 2, box.along], turned);
            const [width, height] = turn([box.breadth, box.length], turned);
            return { x, y, width, height, rank: box.rank };
        }),
        arrows: arrows.map((one) => ({
            edge: one.edge, back: one.back, path: pathOf(one.curves, turned), head: headOf(one, turned),
        })),
    };
}

function turn([across, along], turned) {
    return turned ? [along, across] : [across, along];
}

function pathOf(curves, turned) {
    const text = (point) => turn(point, turned).map((n) => Math.round(n * 10) / 10).join(' ');
    return curves.map((curve, i) => {
        if (i === 0) return `M${text(curve.at)}`;
        return curve.by === undefined ? `L${text(curve.at)}` : `C${curve.by.map(text).join(' ')} ${text(curve.at)}`;
    }).join('');
}

function headOf({ curves, along }, turned) {
    const [across, at] = curves[curves.length - 1].at;
    const corners = along === 0
        ? [[across, at], [across + 8, at - 4], [across + 8, at + 4]]
        : [[across, at], [across - 4, at - 8 * along], [across + 4, at - 8 * along]];
    return corners.map((corner) => turn(corner, turned).map((n) => Math.round(n * 10) / 10).join(',')).join(' ');
}
