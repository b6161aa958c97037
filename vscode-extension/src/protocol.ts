// Messages of cufls beyond the Language Server Protocol. Generated from compiler/tables/protocol_messages.toml by compiler/tables/generate/protocol_messages.py.

export interface Position {
  line: number; // from 0
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextDocumentIdentifier {
  uri: string;
}

// What a run has measured.
export interface TimesMeasuredParams {
  folder: string; // its path
}

// What the server does.
export type ServerState = 'idle' | 'analysing' | 'indexing';

// The server as a whole.
export interface ServerStatus {
  state: ServerState;
  openFiles: number;
  sources: number; // of all projects
  indexed: number; // of these, analysed
  restarts: number; // of the process that analyses, after it has died
  memory: number; // bytes that all processes have together, as of some seconds ago
}

// Where a program prints.
export type OutputStream = 'stdout' | 'stderr';

// A piece of what a task prints.
export interface TaskOutput {
  task: string; // the token of its progress
  command: string; // that was executed
  stream: OutputStream;
  text: string;
}

// What is left out of a document.
export interface InactiveRegions {
  textDocument: TextDocumentIdentifier;
  regions: Range[]; // whole lines
}

// For which document results are there.
export interface OccupancyChanged {
  uri: string;
  version: number | null; // of the document, as the client counts
}

// Which kernel, and what to take instead of what was found.
export interface OccupancyParams {
  textDocument: TextDocumentIdentifier;
  position: Position;
  gpu?: string; // `cc90`
  chip?: string; // a product, `H200`
  block?: number; // threads of a block
  registers?: number; // of a thread
  sharedBytes?: number; // of a block, static and dynamic
}

// Whether there is an answer.
export type AnswerState = 'ready' | 'computing' | 'unavailable';

// What a kernel costs on a GPU.
export interface Occupancy {
  state: AnswerState;
  message: string; // why it is unavailable, or what is uncertain
  stale: boolean; // it is of an earlier text
  gpu: string;
  chip: string;
  multiprocessors: number;
  limits: GpuLimits;
  gpus: ChosenGpu[]; // that can be asked for
  kernel?: Kernel; // if the state is `ready`
}

// A GPU that can be asked for.
export interface ChosenGpu {
  gpu: string;
  chip: string;
  multiprocessors: number;
}

// What a multiprocessor holds.
export interface GpuLimits {
  threadsPerSM: number;
  warpsPerSM: number;
  blocksPerSM: number;
  registersPerSM: number;
  sharedBytesPerSM: number;
  sharedBytesPerBlock: number;
  reservedSharedPerBlock: number; // that the system takes of each block
}

// A kernel and its launches.
export interface Kernel {
  name: string; // `solver::step`
  uri: string;
  line: number; // from 1
  range?: Range; // in the text as it is now
  symbol: string; // in PTX
  problem?: string; // why nothing is known of it
  registers: number; // of a thread
  sharedBytes: number; // static
  dynamicSharedBytes: number; // of the launch
  localBytes: number; // of a thread
  spillStoreBytes: number;
  spillLoadBytes: number;
  constantBytes: number;
  barriers: number;
  ptxBytes: number;
  sassBytes: number;
  callsOtherFiles: boolean; // device code of other files, whose costs are not known
  blockSize: number; // of the request, otherwise of the first launch with a constant one, otherwise 256
  activeBlocksPerSM: number;
  activeWarpsPerSM: number;
  occupancy: number; // from 0 to 1
  limitedBy: string[];
  reason: string; // in words
  suggestedBlockSize: number;
  changes: CostChange[]; // that raise or lower occupancy
  curves: Curves;
  launches: Launch[];
  performance: Performance | null; // `null` where nothing can be said; [occupancy](../occupancy.md) describes it
}

// What another number would give.
export interface CostChange {
  what: string; // `registers`, `sharedBytes` or `blockSize`
  from: number;
  to: number;
  occupancyFrom: number;
  occupancyTo: number;
  text: string; // in words
}

// Occupancy over what decides it.
export interface Curves {
  blockSize: CurvePoint[];
  registers: CurvePoint[];
  sharedBytes: CurvePoint[]; // static and dynamic together
}

// A point of a curve.
export interface CurvePoint {
  x: number;
  activeBlocksPerSM: number;
  activeWarpsPerSM: number;
  occupancy: number;
}

// A launch of the kernel. What is not known, because the configuration is not constant, is left out.
export interface Launch {
  uri: string;
  line: number; // from 1
  range?: Range; // in the text as it is now
  gridText: string; // as it is written
  blockText: string;
  grid: number[] | null; // `null` if it is not constant
  block: number[] | null;
  dynamicSharedBytes?: number;
  activeBlocksPerSM?: number;
  activeWarpsPerSM?: number;
  occupancy?: number;
  limitedBy?: string[];
  reason?: string;
  idleThreadsInLastWarp?: number;
  blocks?: number; // of the grid
  blocksPerWave?: number;
  waves?: number;
  lastWave?: number; // how full it is
  idleMultiprocessors?: number;
  idleThreadsInGrid?: number; // beyond the elements that the grid is made for
}

// What bounds a kernel, by the roofline.
export interface Performance {
  bound: string; // `memory`, `compute` or `latency`; `unknown` where the grid is not known
  boundOnFullChip: string | null; // of a grid that fills the chip, where the grid is not known
  bytesPerThread: number;
  operationsPerThread: number;
  intensity: number; // operations a byte
  ridge: number; // the intensity from which the chip computes rather than waits for memory
  shareOfPeak: number;
  reason: string; // in words
  assumptions: string[];
}

// Which code.
export type CodeKind = 'ptx' | 'sass';

// Which code of a document.
export interface DeviceCodeParams {
  textDocument: TextDocumentIdentifier;
  kind?: CodeKind; // `ptx` without it
  position?: Position; // in the one kernel that is wanted
  range?: Range; // the lines whose code is wanted
  gpu?: string;
  chip?: string;
}

// Code of kernels as a text.
export interface DeviceCode {
  state: AnswerState;
  message: string; // why it is unavailable
  kind: CodeKind;
  gpu: string; // for which it was made
  text?: string; // if the state is `ready`, as the others
  lines?: [number, number][]; // lines of the text, from 0, with the lines of the source that they come from, from 1
  kernels?: KernelCode[];
}

// A kernel in that text.
export interface KernelCode {
  name: string;
  codeLine: number; // where it begins in the text, from 0
  mix: Record<string, number>; // instructions by kind
  memory: MemoryAccess[];
}

// An instruction that reads or writes memory.
export interface MemoryAccess {
  codeLine: number; // from 0
  sourceLine: number; // from 1
  operation: string; // `ld.global`
  bytes: number; // of a thread
  verdict: string; // how the accesses of a warp lie; empty for memory where it does not matter
}

// Of the client, with what is answered.
export interface Requests {
  'cufls/occupancy': { params: OccupancyParams; result: Occupancy | null };
  'cufls/deviceCode': { params: DeviceCodeParams; result: DeviceCode };
  'cufls/timesMeasured': { params: TimesMeasuredParams; result: number };
}

// Of the server.
export interface Notifications {
  'cufls/status': ServerStatus;
  'cufls/output': TaskOutput;
  'cufls/inactiveRegions': InactiveRegions;
  'cufls/occupancyChanged': OccupancyChanged;
}
