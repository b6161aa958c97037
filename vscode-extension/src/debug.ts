// Debugging: the program is built with -g, and cuda-gdb or gdb is started. Debuggers that speak the Debug
// Adapter Protocol (gdb 14 and later with Python) get VS Code's own interface; others run in a terminal.
// On the CPU kernels are ordinary functions, so breakpoints in them work with gdb.
import * as cp from 'child_process';
import * as path from 'path';
import { promisify } from 'util';
import * as vscode from 'vscode';
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
}

async function answers(program: string, given: string[]): Promise<string | undefined> {
  try {
    return (await execFile(program, given, { timeout: 20_000 })).stdout;
  } catch {
    return undefined;
  }
}

// The debugger's name, and whether it can be an adapter.
async function chooseDebugger(configuration: Configuration): Promise<{ name: string; adapter: boolean } | undefined> {
  const wanted = configuration.debugger || settings().get<string>('debugger.path');
  const onGpu = configuration.device !== 'host' && (await findGpu());
  for (const name of wanted ? [wanted] : onGpu ? ['cuda-gdb', 'gdb'] : ['gdb', 'cuda-gdb']) {
    const version = await answers(name, ['--version']);
    if (!version) continue;
    const major = Number(/(\d+)\.\d+/.exec(version.split('\n')[0])?.[1] ?? 0);
    const python = major >= 14 && (await answers(name, ['-batch', '-ex', 'python print("yes")']))?.includes('yes');
    return { name, adapter: !!python && !configuration.inTerminal };
  }
  return undefined;
}

function environment(device: string | undefined): Record<string, string> {
  // gdb stops at each SIGSEGV, which the checks of addresses on the CPU use.
  return { CUF_HOST_PROTECT: 'off', ...(device && device !== 'auto' ? { CUF_DEVICE: device } : {}) };
}

// Builds for the debugger's interface; the path of the program.
async function buildFor(cufls: string, source: string, cwd: string): Promise<string> {
  try {
    const { stdout } = await execFile(cufls, ['run', source, '-g', '--print-program'], { cwd, maxBuffer: 1 << 24 });
    return stdout.trim();
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr || String(error));
  }
}

function inTerminal(cufls: string, source: string, name: string, configuration: Configuration): void {
  const terminal = vscode.window.createTerminal({
    name: `${path.basename(name)} ${path.basename(source)}`, cwd: path.dirname(source),
    shellPath: cufls, shellArgs: ['run', source, `--debugger=${name}`, '--', ...(configuration.args ?? [])],
    env: environment(configuration.device),
  });
  terminal.show();
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
  const found = await chooseDebugger(configuration);
  if (!found) {
    void vscode.window.showErrorMessage('No debugger was found: install gdb, or cuda-gdb of the CUDA Toolkit.');
    return undefined;
  }
  if (!found.adapter) {
    inTerminal(cufls, source, found.name, configuration);
    return undefined;
  }
  const program = await buildFor(cufls, source, path.dirname(source));
  return { ...configuration, program, cwd: path.dirname(source), env: environment(configuration.device), debugger: found.name };
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
        new vscode.DebugAdapterExecutable(session.configuration.debugger, ['-i=dap']),
    }),
    vscode.commands.registerCommand('cufls.debug', (given) => {
      const uri = sourceOf(given);
      if (!uri) return undefined;
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      return vscode.debug.startDebugging(folder, { type: 'cufls', request: 'launch', name: path.basename(uri.fsPath), program: uri.fsPath });
    }),
  );
}
