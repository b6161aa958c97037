// What the view of a block's threads is told, and says: the answer of the debug adapter to cufls/blockThreads
// (docs/debugger.md).
export interface ThreadGroup {
  state: string; // "waiting at a barrier"
  path?: string;
  line?: number;
  threads: string; // "1-4, 7"
  count: number;
}

export interface BlockThreads {
  kernel: string;
  block: number[];
  blockDim: number[];
  gridDim: number[];
  thread?: number[]; // the one that is shown
  groups: ThreadGroup[];
  groupOfThread: number[]; // x fastest
  blocks: number[][]; // that are under way
}

export type ToView = { kind: 'block'; block: BlockThreads | null };
export type FromView =
  | { kind: 'ready' }
  | { kind: 'select'; thread: number[]; block?: number[] }
  | { kind: 'open'; path: string; line: number }
  | { kind: 'barrier' };
