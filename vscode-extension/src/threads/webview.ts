// The view itself: the block as a grid of its threads, x from left to right, coloured by where they are.
import { BlockThreads, FromView, ThreadGroup, ToView } from './protocol';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const host = acquireVsCodeApi();
const main = document.getElementById('main') as HTMLElement;
const WIDEST = 32; // threads in a row: a warp

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = '', className = ''): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

const shown = (index: number[]) => `(${index.join(',')})`;

// Colours repeat; the legend and the titles of the cells have the words.
function colourOf(group: ThreadGroup, number: number): string {
  if (group.state === 'ended') return 'ended';
  if (group.state === 'not begun') return 'begun';
  if (group.state === 'stopped here') return 'here';
  return `at${number % 4}`;
}

function legend(block: BlockThreads): HTMLElement {
  const list = element('ul', '', 'legend');
  block.groups.forEach((group, number) => {
    const row = element('li');
    row.append(element('span', '', `cell ${colourOf(group, number)}`));
    const { path, line } = group;
    if (path && line) {
      const link = element('button', `${group.state}, line ${line}`, 'link');
      link.onclick = () => host.postMessage({ kind: 'open', path, line });
      row.append(link);
    } else {
      row.append(element('span', group.state));
    }
    row.append(element('span', `${group.count}`, 'count'));
    row.title = `threads ${group.threads}`;
    list.append(row);
  });
  return list;
}

function grid(block: BlockThreads): HTMLElement {
  const cells = element('div', '', 'grid');
  const [x, y] = block.blockDim;
  cells.style.setProperty('--columns', String(Math.min(x, WIDEST)));
  block.groupOfThread.forEach((group, number) => {
    const index = [(number % x) + 1, (Math.floor(number / x) % y) + 1, Math.floor(number / x / y) + 1];
    const cell = element('button', '', `cell ${colourOf(block.groups[group], group)}`);
    const place = block.groups[group].line ? `, line ${block.groups[group].line}` : '';
    cell.title = `thread ${shown(index)}: ${block.groups[group].state}${place}`;
    cell.setAttribute('aria-label', cell.title);
    if (block.thread && shown(block.thread) === shown(index)) cell.classList.add('shown');
    cell.onclick = () => host.postMessage({ kind: 'select', thread: index, block: block.block });
    cells.append(cell);
  });
  return cells;
}

function blockChoice(block: BlockThreads): HTMLElement {
  const choice = element('select');
  choice.setAttribute('aria-label', 'Block');
  const blocks = block.blocks.length > 1 ? block.blocks : [block.block];
  for (const each of blocks) choice.append(new Option(`block ${shown(each)}`, shown(each), false, shown(each) === shown(block.block)));
  choice.disabled = blocks.length < 2;
  choice.onchange = () => host.postMessage({ kind: 'select', thread: [1, 1, 1], block: blocks[choice.selectedIndex] });
  return choice;
}

function draw(block: BlockThreads | null): void {
  if (!block) return main.replaceChildren(element('p', 'While a kernel is stopped on the CPU, the threads of its block are here.', 'note'));
  const bar = element('div', '', 'bar');
  const barrier = element('button', 'Next barrier', 'secondary');
  barrier.onclick = () => host.postMessage({ kind: 'barrier' });
  bar.append(blockChoice(block), barrier);
  const thread = block.thread ? `, thread ${shown(block.thread)}` : '';
  main.replaceChildren(element('p', `${block.kernel}${thread}`), bar, grid(block), legend(block));
}

window.addEventListener('message', (event: MessageEvent<ToView>) => draw(event.data.block));
draw(null);
host.postMessage({ kind: 'ready' });
