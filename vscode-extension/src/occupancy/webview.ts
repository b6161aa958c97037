// The occupancy panel itself: shows an answer of the server, and asks again when a slider or the GPU is
// changed. What belongs to one answer is drawn anew each time; the sliders stay, so they keep the focus.
import { at, chart } from './chart';
import { Kernel } from '../protocol';
import { Curve, FromPanel, Shown, ToPanel, WhatIf } from './messages';

declare function acquireVsCodeApi(): { postMessage(message: FromPanel): void };

const host = acquireVsCodeApi();
const main = document.getElementById('main') as HTMLElement;

interface Quantity {
  curve: Curve;
  label: string;
  whatIf: 'block' | 'registers' | 'sharedBytes';
  of: (kernel: Kernel) => number;
  format: (x: number) => string;
}

const bytes = (x: number) => (x >= 1024 ? `${(x / 1024).toFixed(x % 1024 ? 1 : 0)} KB` : `${Math.round(x)} B`);
const QUANTITIES: Quantity[] = [
  { curve: 'blockSize', label: 'Threads in a block', whatIf: 'block', of: (kernel) => kernel.blockSize, format: (x) => String(Math.round(x)) },
  { curve: 'registers', label: 'Registers of a thread', whatIf: 'registers', of: (kernel) => kernel.registers, format: (x) => String(Math.round(x)) },
  { curve: 'sharedBytes', label: 'Shared memory of a block', whatIf: 'sharedBytes',
    of: (kernel) => kernel.sharedBytes + kernel.dynamicSharedBytes, format: bytes },
];

let whatIf: WhatIf = {};
let built = '';

function element<K extends keyof HTMLElementTagNameMap>(name: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const result = document.createElement(name);
  if (className) result.className = className;
  if (text) result.textContent = text;
  return result;
}

function part(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

// Rounded down, as the server does in its texts.
const percent = (share: number) => `${Math.floor(share * 100 + 1e-6)} %`;

function ask(): void {
  host.postMessage({ kind: 'ask', whatIf });
}

// The frame with its sliders: once for each GPU and set of curves.
function build(answer: Shown, kernel: Kernel): void {
  const key = JSON.stringify([answer.gpus, QUANTITIES.map(({ curve }) => kernel.curves[curve]?.map((point) => point.x))]);
  if (key === built && part('head')) return;
  built = key;
  const focused = document.activeElement?.id;
  const charts = element('div', 'charts');
  for (const quantity of QUANTITIES) charts.append(chartFrame(quantity, kernel));
  main.replaceChildren(section('head'), charts, section('advice'), section('launches'));
  if (focused) part(focused)?.focus();
}

function section(id: string): HTMLElement {
  const result = element('section');
  result.id = id;
  return result;
}

function chartFrame(quantity: Quantity, kernel: Kernel): HTMLElement {
  const points = kernel.curves[quantity.curve] ?? [];
  const frame = element('figure');
  const label = element('label', '', quantity.label);
  const value = element('output');
  value.id = `${quantity.curve}-value`;
  const slider = element('input');
  slider.type = 'range';
  slider.id = `${quantity.curve}-slider`;
  label.htmlFor = slider.id;
  // The slider's ends and steps are those of the plot, so that its thumb stands below the plot's mark.
  const xs = points.map((point) => point.x);
  slider.min = String(xs[0] ?? 0);
  slider.max = String(xs[xs.length - 1] ?? 1);
  slider.step = String(Math.min(...xs.slice(1).map((x, i) => x - xs[i]).filter((gap) => gap > 0), Number(slider.max) || 1));
  slider.addEventListener('input', () => {
    const x = at(points, Number(slider.value))?.x;
    if (x === undefined) return;
    whatIf = { ...whatIf, [quantity.whatIf]: x };
    value.textContent = quantity.format(x);
    slider.setAttribute('aria-valuetext', quantity.format(x));
    ask();
  });
  const caption = element('figcaption');
  caption.append(label, value);
  const drawing = element('div');
  drawing.id = `${quantity.curve}-chart`;
  frame.append(caption, drawing, slider);
  return frame;
}

function drawCharts(kernel: Kernel): void {
  for (const quantity of QUANTITIES) {
    const points = kernel.curves[quantity.curve] ?? [];
    const x = quantity.of(kernel);
    const launches = quantity.curve !== 'blockSize' ? [] : kernel.launches.flatMap((launch) =>
      launch.block ? [launch.block.reduce((product, extent) => product * extent, 1)] : []);
    part(`${quantity.curve}-chart`).replaceChildren(
      chart(points, { current: { x, occupancy: kernel.occupancy }, launches, label: quantity.label, format: quantity.format }));
    part(`${quantity.curve}-value`).textContent = quantity.format(x);
    const slider = part(`${quantity.curve}-slider`) as HTMLInputElement;
    const nearest = at(points, x);
    if (nearest && document.activeElement !== slider) slider.value = String(x);
    slider.setAttribute('aria-valuetext', quantity.format(x));
  }
}

function gpuChoice(answer: Shown): HTMLElement {
  const choice = element('select');
  choice.id = 'gpu';
  choice.setAttribute('aria-label', 'GPU');
  const all = answer.gpus?.length ? answer.gpus : [{ gpu: answer.gpu, chip: answer.chip ?? '', multiprocessors: answer.multiprocessors ?? 0 }];
  for (const each of all) {
    const option = element('option', '', `${each.chip || each.gpu} (${each.gpu}, ${each.multiprocessors} multiprocessors)`);
    option.value = JSON.stringify([each.gpu, each.chip]);
    option.selected = each.gpu === answer.gpu && each.chip === answer.chip;
    choice.append(option);
  }
  choice.addEventListener('change', () => {
    const [gpu, chip] = JSON.parse(choice.value);
    whatIf = { ...whatIf, gpu, chip };
    ask();
  });
  return choice;
}

function drawHead(answer: Shown, kernel: Kernel): void {
  const title = element('h1');
  const name = element('button', 'link', kernel.name);
  name.addEventListener('click', () => host.postMessage({ kind: 'open', uri: kernel.uri, line: kernel.line }));
  title.append(name);
  const big = element('p', 'big');
  big.setAttribute('role', 'status');
  big.append(element('strong', '', percent(kernel.occupancy)),
    ` occupancy: ${kernel.activeBlocksPerSM} blocks, ${kernel.activeWarpsPerSM} of ${answer.limits?.warpsPerSM ?? '?'} warps on a multiprocessor`);
  const rows: [string, string][] = [
    ['limited by', kernel.limitedBy.join(', ') || 'nothing'], ['registers', String(kernel.registers)],
    ['shared memory', bytes(kernel.sharedBytes + kernel.dynamicSharedBytes)],
    ['spills', kernel.spillStoreBytes + kernel.spillLoadBytes ? `${bytes(kernel.spillStoreBytes)} stored, ${bytes(kernel.spillLoadBytes)} loaded` : 'none'],
  ];
  const facts = element('dl');
  for (const [term, value] of rows) {
    const row = element('div');
    row.append(element('dt', '', term), element('dd', '', value));
    facts.append(row);
  }
  const asked = whatIf.block !== undefined || whatIf.registers !== undefined || whatIf.sharedBytes !== undefined;
  const reset = element('button', 'secondary', 'Back to the source');
  reset.id = 'reset';
  reset.disabled = !asked;
  reset.addEventListener('click', () => { whatIf = { gpu: whatIf.gpu, chip: whatIf.chip }; ask(); });
  const bar = element('div', 'bar');
  bar.append(gpuChoice(answer), reset);
  const notes = [kernel.reason, answer.message, answer.stale ? 'of the text before the last edit' : ''].filter(Boolean) as string[];
  part('head').replaceChildren(title, bar, big, facts, ...notes.map((note) => element('p', 'note', note)));
}

function drawAdvice(kernel: Kernel): void {
  const list = element('ul');
  for (const change of kernel.changes ?? []) list.append(element('li', '', change.text));
  if (kernel.suggestedBlockSize && kernel.suggestedBlockSize !== kernel.blockSize)
    list.append(element('li', '', `most threads are active with blocks of ${kernel.suggestedBlockSize}`));
  part('advice').replaceChildren(...(list.children.length ? [element('h2', '', 'What would change it'), list] : []));
}

function drawLaunches(kernel: Kernel): void {
  const table = element('table');
  const head = table.createTHead().insertRow();
  for (const title of ['line', 'grid', 'block', 'occupancy', 'waves', '']) head.append(element('th', '', title));
  const body = table.createTBody();
  for (const launch of kernel.launches) {
    const row = body.insertRow();
    const link = element('button', 'link', String(launch.line));
    link.addEventListener('click', () => host.postMessage({ kind: 'open', uri: launch.uri, line: launch.line }));
    row.insertCell().append(link);
    row.insertCell().textContent = launch.grid?.join(' x ') ?? launch.gridText ?? '';
    row.insertCell().textContent = launch.block?.join(' x ') ?? launch.blockText ?? '';
    row.insertCell().textContent = launch.occupancy === undefined ? 'not known' : percent(launch.occupancy);
    row.insertCell().textContent = launch.waves === undefined ? '' : launch.waves.toFixed(2);
    row.insertCell().textContent = launch.reason ?? '';
  }
  part('launches').replaceChildren(...(kernel.launches.length ? [element('h2', '', 'Launches'), table] : []));
}

function show({ answer, moved }: ToPanel): void {
  if (moved) whatIf = { gpu: whatIf.gpu, chip: whatIf.chip };
  if (!answer?.kernel) {
    built = '';
    const text = answer?.message || (answer?.state === 'computing' ? 'The kernel is being compiled ...' : 'Put the cursor into a kernel or on a launch.');
    main.replaceChildren(element('p', 'note', text));
    return;
  }
  build(answer, answer.kernel);
  drawHead(answer, answer.kernel);
  drawCharts(answer.kernel);
  drawAdvice(answer.kernel);
  drawLaunches(answer.kernel);
}

window.addEventListener('message', (event: MessageEvent<ToPanel>) => show(event.data));
host.postMessage({ kind: 'ready' });
