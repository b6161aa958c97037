// One curve of the panel: occupancy over a quantity, as an SVG with steps, a mark where the kernel stands and
// small marks for its launches. Colours come from the theme by classes.
import { CurvePoint } from '../protocol';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 320, HEIGHT = 130, LEFT = 38, BOTTOM = 22, TOP = 8, RIGHT = 10;

function add(parent: Element, name: string, attributes: Record<string, string | number>, text?: string): Element {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// The value of a curve at x: that of the first point which is not before it, since each point stands for the
// allocation units up to it.
export function at(points: CurvePoint[], x: number): CurvePoint | undefined {
  return points.find((point) => point.x >= x) ?? points[points.length - 1];
}

export interface Marks {
  current: { x: number; occupancy: number };
  launches: number[];
  label: string;
  format: (x: number) => string;
}

export function chart(points: CurvePoint[], marks: Marks): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('role', 'img');
  const first = points[0]?.x ?? 0, last = Math.max(points[points.length - 1]?.x ?? 1, first + 1);
  const px = (x: number) => LEFT + ((Math.min(Math.max(x, first), last) - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const py = (occupancy: number) => TOP + (1 - occupancy) * (HEIGHT - TOP - BOTTOM);
  const { current } = marks;
  svg.setAttribute('aria-label', `${marks.label}: ${Math.round(current.occupancy * 100)} percent at ${marks.format(current.x)}`);

  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    add(svg, 'line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: py(share), y2: py(share) });
    if (share * 2 === Math.round(share * 2)) add(svg, 'text', { class: 'tick', x: LEFT - 5, y: py(share) + 4, 'text-anchor': 'end' }, `${share * 100} %`);
  }
  for (const x of [first, (first + last) / 2, last])
    add(svg, 'text', { class: 'tick', x: px(x), y: HEIGHT - 7, 'text-anchor': x === first ? 'start' : x === last ? 'end' : 'middle' }, marks.format(x));

  let path = '';
  points.forEach((point, index) => {
    const from = index === 0 ? point.x : points[index - 1].x;
    path += `${index === 0 ? 'M' : 'L'}${px(from)} ${py(point.occupancy)} L${px(point.x)} ${py(point.occupancy)} `;
  });
  if (path) {
    add(svg, 'path', { class: 'area', d: `${path} L${px(last)} ${py(0)} L${px(first)} ${py(0)} Z` });
    add(svg, 'path', { class: 'curve', d: path });
  }
  for (const x of marks.launches) add(svg, 'line', { class: 'launch', x1: px(x), x2: px(x), y1: py(0), y2: py(1) });
  add(svg, 'line', { class: 'current', x1: px(current.x), x2: px(current.x), y1: py(0), y2: py(current.occupancy) });
  add(svg, 'circle', { class: 'current', cx: px(current.x), cy: py(current.occupancy), r: 4.5 });
  return svg;
}
