// What the occupancy panel and its host say to each other.
import { Curves, Occupancy, OccupancyParams } from '../protocol';

export type Curve = keyof Curves;

// What the user asks instead of what the source says.
export type WhatIf = Omit<OccupancyParams, 'textDocument' | 'position'>;

// An answer of the server, or what is shown when it gave none.
export type Shown = Pick<Occupancy, 'state' | 'message' | 'gpu'> & Partial<Occupancy>;

export type FromPanel =
  | { kind: 'ready' }
  | { kind: 'ask'; whatIf: WhatIf }
  | { kind: 'open'; uri: string; line: number };

// `moved`: the answer is about another kernel than before, so the sliders go back to its values.
export interface ToPanel {
  answer: Shown | null;
  moved: boolean;
}
