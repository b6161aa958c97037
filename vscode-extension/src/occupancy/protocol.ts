// What the server answers to cufls/occupancy (docs/language-server.md), and what the panel and its host say
// to each other.

export interface Point {
  x: number;
  activeBlocksPerSM: number;
  activeWarpsPerSM: number;
  occupancy: number; // 0 to 1
}

export interface Launch {
  uri: string;
  line: number; // from 1
  gridText?: string;
  blockText?: string;
  block: number[] | null;
  grid: number[] | null;
  dynamicSharedBytes?: number;
  occupancy?: number;
  reason?: string;
  waves?: number;
  idleMultiprocessors?: number;
  idleThreadsInLastWarp?: number;
}

export interface Kernel {
  name: string;
  uri: string;
  line: number;
  registers: number;
  sharedBytes: number;
  dynamicSharedBytes: number;
  localBytes: number;
  spillStoreBytes: number;
  spillLoadBytes: number;
  blockSize: number;
  activeBlocksPerSM: number;
  activeWarpsPerSM: number;
  occupancy: number;
  limitedBy: string[];
  reason?: string;
  suggestedBlockSize?: number;
  changes?: { text: string; occupancyFrom: number; occupancyTo: number }[];
  curves: Record<Curve, Point[]>;
  launches: Launch[];
}

export type Curve = 'blockSize' | 'registers' | 'sharedBytes';

export interface Occupancy {
  state: 'ready' | 'computing' | 'unavailable';
  message?: string;
  stale?: boolean;
  gpu: string;
  chip?: string;
  multiprocessors?: number;
  gpus?: { gpu: string; chip: string; multiprocessors: number }[];
  limits?: Record<string, number>;
  kernel?: Kernel;
}

// What the user asks instead of what the source says.
export interface WhatIf {
  block?: number;
  registers?: number;
  sharedBytes?: number;
  gpu?: string;
  chip?: string;
}

export type FromPanel =
  | { kind: 'ready' }
  | { kind: 'ask'; whatIf: WhatIf }
  | { kind: 'open'; uri: string; line: number };

// `moved`: the answer is about another kernel than before, so the sliders go back to its values.
export interface ToPanel {
  answer: Occupancy | null;
  moved: boolean;
}
