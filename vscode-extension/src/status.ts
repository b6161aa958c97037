// The status item: what the server does, whether programs use a GPU or the CPU, and how much memory the
// server and its workers take. A click offers all actions.
import * as cp from 'child_process';
import * as fs from 'fs';
import * as vscode from 'vscode';
import { isOurs } from './languages';
import { Server, Status } from './server';

const ICONS: Record<Status['state'], string> = {
  stopped: '$(circle-slash)', starting: '$(sync~spin)', failed: '$(error)',
  idle: '$(check)', analysing: '$(sync~spin)', indexing: '$(sync~spin)',
};

// The name of the first GPU; undefined without one.
export function findGpu(): Promise<string | undefined> {
  return new Promise((resolve) => {
    cp.execFile('nvidia-smi', ['--query-gpu=name', '--format=csv,noheader'], { timeout: 10_000 }, (error, output) =>
      resolve(error ? undefined : output.split('\n')[0].trim() || undefined));
  });
}

// Resident memory of a process and its children in MB, from Linux' /proc; undefined elsewhere.
function memoryOf(id: number): number | undefined {
  try {
    const pages = Number(fs.readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]);
    const children = fs.readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean);
    return pages * 4096 / 1e6 + children.reduce((sum, child) => sum + (memoryOf(Number(child)) ?? 0), 0);
  } catch {
    return undefined;
  }
}

function describe(status: Status): string {
  if (status.message) return status.message;
  if (status.state === 'indexing') return `${status.indexed} of ${status.sources} files analysed`;
  const opened = `${status.openFiles ?? 0} open, ${status.sources ?? 0} in the project`;
  return status.state === 'idle' || status.state === 'analysing' ? `${status.state}: ${opened}` : status.state;
}

function tooltip(server: Server, gpu: string | undefined): vscode.MarkdownString {
  const lines = [`**CUDA Fortran**: ${describe(server.status)}`, `Programs run on: ${gpu ?? 'the CPU (no GPU found)'}`];
  const memory = server.processId && memoryOf(server.processId);
  if (memory) lines.push(`Memory of the server: ${Math.round(memory)} MB`);
  if (server.place) lines.push(`Server: \`${server.place.program}\` (${server.place.origin})`);
  if (!vscode.workspace.isTrusted) lines.push('The workspace is not trusted: nothing is built or run.');
  return new vscode.MarkdownString(lines.join('\n\n'));
}

async function showMenu(): Promise<void> {
  const rows: [string, string][] = [
    ['$(play) Build and Run', 'cufls.buildAndRun'], ['$(chip) Run on the CPU', 'cufls.runOnCpu'],
    ['$(shield) Run with Checks on the CPU', 'cufls.runWithChecks'], ['$(debug-alt) Debug', 'cufls.debug'],
    ['$(debug-alt) Debug with Checks on the CPU', 'cufls.debugWithChecks'],
    ['$(graph-line) Show Occupancy', 'cufls.showOccupancy'], ['$(file-code) Show PTX', 'cufls.showPtx'],
    ['$(checklist) Check the Installation', 'cufls.doctor'], ['$(mortar-board) First Steps', 'cufls.openWalkthrough'],
    ['$(debug-restart) Restart the Language Server', 'cufls.restartServer'], ['$(output) Show Its Output', 'cufls.showOutput'],
    ['$(note) Open Its Log', 'cufls.openServerLog'],
  ];
  const choice = await vscode.window.showQuickPick(rows.map(([label, command]) => ({ label, command })), { title: 'CUDA Fortran' });
  if (choice) await vscode.commands.executeCommand(choice.command);
}

export function registerStatus(context: vscode.ExtensionContext, server: Server): void {
  const item = vscode.window.createStatusBarItem('cufls.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'CUDA Fortran';
  item.command = 'cufls.showMenu';
  let gpu: string | undefined;
  const show = () => {
    const { state } = server.status;
    item.text = `${ICONS[state]} CUDA Fortran: ${gpu ? 'GPU' : 'CPU'}`;
    item.accessibilityInformation = { label: `CUDA Fortran: ${describe(server.status)}`, role: 'button' };
    item.tooltip = tooltip(server, gpu);
    item.backgroundColor = state === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    const editors = vscode.window.visibleTextEditors;
    if (state === 'failed' || editors.some((editor) => isOurs(editor.document))) item.show();
    else item.hide();
  };
  const timer = setInterval(show, 5000);
  context.subscriptions.push(
    item, { dispose: () => clearInterval(timer) }, server.onStatus(show),
    vscode.window.onDidChangeVisibleTextEditors(show), vscode.workspace.onDidGrantWorkspaceTrust(show),
    vscode.commands.registerCommand('cufls.showMenu', showMenu),
  );
  void findGpu().then((name) => { gpu = name; show(); });
  show();
}
