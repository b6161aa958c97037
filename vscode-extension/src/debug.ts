// Debugging: the program is built with -g, and `cufls debug` runs it on the CPU under gdb (docs/debugger.md). On a
// GPU cuda-gdb does, and who has chosen a debugger gets that one: in VS Code's own interface if it speaks the
// Debug Adapter Protocol (gdb 14 and later with Python), otherwise in a terminal, with the breakpoints that are
// set in VS Code.
import * as cp from 'child_process';
import * as path from 'path';
import { promisify } from 'util';
import * as vscode from 'vscode';
import { projectFolder, workingDirectory } from './folders';
import { mayRun, settings, sourceOf } from './languages';
import { Server } from './server';
import { findGpu } from './status';

const execFile = promisify(cp.execFile);

interface Configuration extends vscode.DebugConfiguration {
  program?: string;
  args?: string[];
  device?: 'auto' | 'gpu' | 'host';
  debugger?: string;
  inTerminal?: boolean;
  check?: boolean;
  cwd?: string;
}

interface Debugger {
  name: string;
  adapter: boolean;
  problem: string; // why it cannot be VS Code's own
}

async function answers(program: string, given: string[]): Promise<string | undefined> {
  try {
    return (await execFile(program, given, { timeout: 20_000 })).stdout;
  } catch {
    return undefined;
  }
}

async function chooseDebugger(configuration: Configuration): Promise<Debugger | undefined> {
  const wanted = configuration.debugger || settings().get<string>('debugger.path');
  const onGpu = configuration.device !== 'host' && (await findGpu());
  for (const name of wanted ? [wanted] : onGpu ? ['cuda-gdb', 'gdb'] : ['gdb', 'cuda-gdb']) {
    // cuda-gdb says its own version first, and then which gdb it is.
    const version = (await answers(name, ['--version']))?.replace(/\(.*?\)/g, '');
    if (version === undefined) continue;
    const [, number, major] = /GNU gdb\s+((\d+)\.[\d.]+)/.exec(version) ?? /((\d+)\.\d+)/.exec(version) ?? ['', '0', '0'];
    const old = Number(major) < 14;
    const python = !old && (await answers(name, ['-batch', '-ex', 'python print("yes")']))?.includes('yes');
    const problem = old ? `this is ${path.basename(name)} ${number}` : python ? '' : `this ${path.basename(name)} has no Python`;
    return { name, adapter: !!python && !configuration.inTerminal, problem };
  }
  return undefined;
}

function environment(device: string | undefined): Record<string, string> {
  // gdb stops at each SIGSEGV, which the checks of addresses on the CPU use.
  return { CUF_HOST_PROTECT: 'off', ...(device && device !== 'auto' ? { CUF_DEVICE: device } : {}) };
}

// Builds for the debugger; the path of the program.
async function buildFor(cufls: string, source: string, cwd: string, options: string[]): Promise<string> {
  try {
    const { stdout } = await execFile(cufls, ['run', source, '-g', '--print-program', ...options], { cwd, maxBuffer: 1 << 24 });
    return stdout.trim();
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr || String(error));
  }
}

// What the user has set in VS Code, as gdb's commands; the program then runs to the first of them.
function commandsFor(): string[] {
  const set = vscode.debug.breakpoints.flatMap((point) =>
    point instanceof vscode.SourceBreakpoint && point.enabled && point.location.uri.scheme === 'file'
      ? [`break ${point.location.uri.fsPath}:${point.location.range.start.line + 1}${point.condition ? ` if ${point.condition}` : ''}`]
      : []);
  return set.length ? ['set breakpoint pending on', ...set, 'run'] : [];
}

function inTerminal(source: string, program: string, found: Debugger, configuration: Configuration): void {
  const commands = commandsFor().flatMap((each) => ['-ex', each]);
  const terminal = vscode.window.createTerminal({
    name: `${path.basename(found.name)} ${path.basename(source)}`, cwd: configuration.cwd,
    shellPath: found.name, shellArgs: ['-q', ...commands, '--args', program, ...(configuration.args ?? [])],
    env: environment(configuration.device),
  });
  terminal.show();
  if (configuration.inTerminal || !found.problem) return;
  const kept = commands.length ? 'Your breakpoints are set there.' : 'Breakpoints of the editor are set there when it starts.';
  void vscode.window.showInformationMessage(
    `The debugger runs in a terminal: VS Code's own view needs gdb 14 or later with Python, and ${found.problem}. ${kept} ` +
    'The setting cufls.debugger.path takes another gdb.');
}

async function resolve(server: Server, configuration: Configuration): Promise<Configuration | undefined> {
  if (!(await mayRun('Debug'))) return undefined;
  const cufls = server.program();
  const source = configuration.program ?? sourceOf(undefined)?.fsPath;
  if (!cufls || !source) return undefined;
  if (configuration.noDebug) {
    const device = configuration.device === 'host' ? 'cufls.runOnCpu' : 'cufls.buildAndRun';
    await vscode.commands.executeCommand(device, vscode.Uri.file(source));
    return undefined;
  }
  await vscode.workspace.saveAll(false);
  const uri = vscode.Uri.file(source);
  const chosen = configuration.debugger || settings().get<string>('debugger.path') || configuration.inTerminal;
  const found = await chooseDebugger(configuration);
  if (!found) {
    void vscode.window.showErrorMessage('No debugger was found: install gdb, or cuda-gdb of the CUDA Toolkit.');
    return undefined;
  }
  const onGpu = configuration.device === 'gpu' || (configuration.device !== 'host' && path.basename(found.name) === 'cuda-gdb');
  const build = [...(chosen || onGpu ? [] : ['--device=host']), ...(configuration.check ? ['--check'] : [])];
  const program = await buildFor(cufls, source, projectFolder(uri), build);
  const args = configuration.args ?? settings(uri).get<string[]>('run.arguments') ?? [];
  const whole = { ...configuration, program, args, cwd: configuration.cwd ?? workingDirectory(uri) };
  // The adapter takes it from here; without a debugger's name the session is its own.
  if (!chosen) return { ...whole, device: onGpu ? 'gpu' : 'host', adapter: cufls };
  if (found.adapter) return { ...whole, env: environment(configuration.device), debugger: found.name };
  inTerminal(source, program, found, whole);
  return undefined;
}

export function registerDebugging(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('cufls', {
      resolveDebugConfigurationWithSubstitutedVariables: (_folder, configuration) =>
        resolve(server, configuration as Configuration).catch((error: Error) => {
          void vscode.window.showErrorMessage(`The program was not built: ${error.message}`);
          return undefined;
        }),
      resolveDebugConfiguration: (_folder, configuration) =>
        configuration.type ? configuration : { type: 'cufls', request: 'launch', name: 'CUDA Fortran', program: '${file}' },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('cufls', {
      createDebugAdapterDescriptor: (session) =>
        session.configuration.adapter
          ? new vscode.DebugAdapterExecutable(session.configuration.adapter, ['debug'])
          : new vscode.DebugAdapterExecutable(session.configuration.debugger, ['-i=dap']),
    }),
    ...(['cufls.debug', 'cufls.debugWithChecks'] as const).map((command) => vscode.commands.registerCommand(command, (given) => {
      const uri = sourceOf(given);
      if (!uri) return undefined;
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      const checks = command === 'cufls.debugWithChecks' ? { check: true, device: 'host' } : {};
      return vscode.debug.startDebugging(folder, { type: 'cufls', request: 'launch', name: path.basename(uri.fsPath), program: uri.fsPath, ...checks });
    })),
  );
}
