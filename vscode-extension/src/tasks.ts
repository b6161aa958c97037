// Builds and runs in a terminal: the program `cufls` itself with a command, so the terminal shows what CI
// and a shell show. Code lenses, commands and tasks of tasks.json come together in makeTask.
import * as fs from 'fs';
import * as os from 'os';
import * as path from 'path';
import * as vscode from 'vscode';
import { Findings } from './findings';
import { projectFolder, workingDirectory } from './folders';
import { isOurs, mayRun, settings, sourceOf } from './languages';
import { Server } from './server';

export interface Definition extends vscode.TaskDefinition {
  command: 'build' | 'run' | 'check';
  file?: string;
  target?: string;
  device?: string;
  report?: boolean;
  check?: boolean;
  arguments?: string[];
  workingDirectory?: string;
  messagesTo?: string;
  measureTo?: string;
}

interface RunOptions {
  check?: boolean;
  device?: string;
  arguments?: string[];
  target?: string;
  environment?: Record<string, string>;
}

function argumentsOf(definition: Definition): string[] {
  const { command, file, target, device } = definition;
  const result: string[] = [command];
  if (command === 'run' && (file || target)) result.push((file ?? target) as string);
  if (command === 'build' && target) result.push(`--target=${target}`);
  if (command === 'check') result.push(file ?? '.');
  if (command === 'run' && device) result.push(`--device=${device}`);
  if (command === 'run' && definition.check) result.push('--check');
  if (command === 'run' && (definition.report ?? settings().get<boolean>('run.report'))) result.push('--report');
  if (command === 'run' && definition.workingDirectory) result.push(`--directory=${definition.workingDirectory}`);
  if (command === 'run' && definition.messagesTo) result.push(`--messages-to=${definition.messagesTo}`);
  if (command === 'run' && definition.measureTo) result.push(`--measure-to=${definition.measureTo}`);
  if (command === 'run' && definition.arguments?.length) result.push('--', ...definition.arguments);
  return result;
}

function nameOf({ command, file, target, device }: Definition): string {
  const what = target ?? (file && path.basename(file));
  return [command, what, device === 'host' ? 'on the CPU' : device === 'gpu' ? 'on the GPU' : ''].filter(Boolean).join(' ');
}

export function makeTask(program: string, definition: Definition, folder: vscode.WorkspaceFolder | undefined,
  environment: Record<string, string> = {}): vscode.Task {
  const cwd = definition.cwd ?? folder?.uri.fsPath ?? (definition.file && path.dirname(definition.file));
  const execution = new vscode.ProcessExecution(program, argumentsOf(definition), { cwd, env: environment });
  const scope = folder ?? vscode.TaskScope.Workspace;
  // VS Code marks a run with warnings as failed, and the server says them anyway.
  const task = new vscode.Task(definition, scope, nameOf(definition), 'cufls', execution, ['$cufls-errors']);
  task.group = definition.command === 'build' ? vscode.TaskGroup.Build : undefined;
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true, showReuseMessage: false,
  };
  return task;
}

// Runs a program and waits for its end; its exit status, undefined if nothing ran.
async function execute(task: vscode.Task): Promise<number | undefined> {
  const execution = await vscode.tasks.executeTask(task);
  return new Promise((resolve) => {
    const ended = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution !== execution) return;
      ended.dispose();
      resolve(event.exitCode);
    });
  });
}

// What is compiled is what stands in the editor.
async function saveSources(): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isUntitled);
  for (const document of dirty)
    if (/\.(json|inc|h|f\d\d|f|for|cu)$/i.test(document.fileName) || isOurs(document)) await document.save();
}

async function start(server: Server, definition: Definition, uri: vscode.Uri | undefined, environment = {}) {
  if (!(await mayRun(definition.command === 'build' ? 'Build' : 'Run'))) return undefined;
  const program = server.program();
  if (!program) return undefined;
  await saveSources();
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? (uri ? undefined : vscode.workspace.workspaceFolders?.[0]);
  return { exitCode: await execute(makeTask(program, definition, folder, environment)) };
}

async function withFolder<T>(use: (folder: string) => Thenable<T>): Promise<T> {
  const place = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'cufls-run-'));
  try {
    return await use(place);
  } finally {
    await fs.promises.rm(place, { recursive: true, force: true });
  }
}

// What a run with checks says goes into the texts when it has ended.
function withFindings(findings: Findings, folder: string, run: (more: Partial<Definition>) => Thenable<unknown>): Promise<unknown> {
  findings.clear();
  return withFolder(async (place) => {
    const messagesTo = path.join(place, 'messages');
    const result = await run({ messagesTo });
    await findings.show(messagesTo, folder);
    return result;
  });
}

// What any other run measures is shown by the server.
function withTimes(server: Server, run: (more: Partial<Definition>) => Thenable<unknown>): Promise<unknown> {
  return withFolder(async (place) => {
    const result = await run({ measureTo: place });
    await server.request('cufls/timesMeasured', { folder: place });
    return result;
  });
}

async function run(server: Server, findings: Findings, given: unknown, options: RunOptions = {}) {
  const uri = sourceOf(given);
  if (!uri) return void vscode.window.showInformationMessage('Open a CUDA Fortran file with a main program to run it.');
  const chosen = settings(uri);
  const device = options.device ?? chosen.get<string>('run.device');
  const definition: Definition = {
    type: 'cufls', command: 'run', file: options.target ? undefined : uri.fsPath, target: options.target,
    check: options.check, device: device === 'auto' ? undefined : device, workingDirectory: workingDirectory(uri),
    arguments: options.arguments ?? chosen.get<string[]>('run.arguments'),
  };
  const go = (more: Partial<Definition>) => start(server, { ...definition, ...more }, uri, options.environment);
  if (options.check) return withFindings(findings, projectFolder(uri), go);
  return chosen.get<boolean>('codeLens.times') ? withTimes(server, go) : go({});
}

function build(server: Server, uri: vscode.Uri | undefined, target?: string) {
  // A file outside of the workspace is built where it lies.
  const outside = uri && !vscode.workspace.getWorkspaceFolder(uri) ? path.dirname(uri.fsPath) : undefined;
  return start(server, { type: 'cufls', command: 'build', target, ...(outside && { cwd: outside }) }, uri);
}

// Commands of code lenses: {uri, device?, target?, arguments?}, or a URI alone.
function lensArgument(argument: unknown): { uri: vscode.Uri } & RunOptions {
  if (typeof argument === 'string') return { uri: vscode.Uri.parse(argument) };
  const { uri, ...options } = argument as { uri: string } & RunOptions;
  return { uri: vscode.Uri.parse(uri), ...options };
}

function provider(server: Server): vscode.TaskProvider {
  return {
    provideTasks: () => {
      if (!vscode.workspace.isTrusted || !server.place) return [];
      const program = server.place.program;
      const tasks = (vscode.workspace.workspaceFolders ?? []).map((folder) =>
        makeTask(program, { type: 'cufls', command: 'build' }, folder));
      const document = vscode.window.activeTextEditor?.document;
      if (isOurs(document)) {
        const folder = vscode.workspace.getWorkspaceFolder(document.uri);
        tasks.push(makeTask(program, { type: 'cufls', command: 'run', file: document.fileName }, folder));
        tasks.push(makeTask(program, { type: 'cufls', command: 'run', file: document.fileName, device: 'host' }, folder));
      }
      return tasks;
    },
    resolveTask: (task) => {
      const program = server.program();
      const folder = typeof task.scope === 'object' ? task.scope : undefined;
      return program ? makeTask(program, task.definition as Definition, folder) : undefined;
    },
  };
}

export function registerTasks(context: vscode.ExtensionContext, server: Server): void {
  const findings = new Findings();
  context.subscriptions.push(findings);
  const command = (name: string, action: (given: unknown) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  command('cufls.buildAndRun', (given) => run(server, findings, given));
  command('cufls.runOnCpu', (given) => run(server, findings, given, { device: 'host' }));
  command('cufls.runWithChecks', (given) => run(server, findings, given, { device: 'host', check: true }));
  command('cufls.buildProject', (given) => build(server, sourceOf(given)));
  command('cufls.doctor', async () => {
    const program = server.program();
    if (!program) return undefined;
    const task = new vscode.Task({ type: 'cufls', command: 'doctor' }, vscode.TaskScope.Workspace, 'doctor', 'cufls',
      new vscode.ProcessExecution(program, ['doctor']), []);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, showReuseMessage: false };
    return execute(task);
  });
  // The server asks the build and says what came of it.
  command('cufls.askBuild', async (given) => {
    const uri = sourceOf(given) ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    if (uri) await vscode.commands.executeCommand('cufls.findFlags', vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? uri.toString());
  });
  server.commandHandlers.set('cufls.run', (argument) => {
    const { uri, ...options } = lensArgument(argument);
    return run(server, findings, uri, options);
  });
  server.commandHandlers.set('cufls.build', (argument) => {
    const { uri, target } = lensArgument(argument);
    return build(server, uri, target);
  });
  context.subscriptions.push(vscode.tasks.registerTaskProvider('cufls', provider(server)));
}
