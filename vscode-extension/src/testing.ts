// The test explorer: programs that print PASS when their results are right (docs/project.md). A test passes if the program
// ends with status 0 and prints a line that is PASS, and fails otherwise with what it printed.
import * as cp from 'child_process';
import * as path from 'path';
import * as vscode from 'vscode';
import { projectFolder, workingDirectory } from './folders';
import { mayRun, settings } from './languages';
import { Server } from './server';

const FILES = '**/*.{cuf,CUF,f90,F90,f95,F95,f03,F03,f08,F08,f,F,for,FOR}';
const IGNORED = '**/{build,node_modules,.git}/**';
const MOST_FILES = 2000;
const PRINTS_PASS = /^[^!\n]*\b(?:print|write)\b[^!\n]*['"]\s*PASS\b/im;
const PROGRAM = /^\s*program\s+(\w+)/im;

export function isTestProgram(text: string): boolean {
  return PROGRAM.test(text) && PRINTS_PASS.test(text);
}

// The first error with a place, to show it there.
function placeOf(output: string, folder: string): { message: string; location?: vscode.Location } {
  const match = /^(.+?):(\d+):(\d+): (?:error|fatal error): (.*)$/m.exec(output);
  if (!match) return { message: output.trim().slice(-4000) || 'the program printed nothing' };
  const position = new vscode.Position(Number(match[2]) - 1, Number(match[3]) - 1);
  return { message: match[4], location: new vscode.Location(vscode.Uri.file(path.resolve(folder, match[1])), position) };
}

async function addFile(controller: vscode.TestController, uri: vscode.Uri): Promise<void> {
  const id = uri.toString();
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  if (!isTestProgram(text)) return controller.items.delete(id);
  const item = controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
  const line = text.slice(0, PROGRAM.exec(text)?.index ?? 0).split('\n').length - 1;
  item.range = new vscode.Range(line, 0, line, 0);
  controller.items.add(item);
}

function runOne(run: vscode.TestRun, item: vscode.TestItem, program: string, cancel: vscode.CancellationToken): Promise<void> {
  const file = (item.uri as vscode.Uri).fsPath;
  const device = settings(item.uri).get<string>('run.device') ?? 'auto';
  const started = Date.now();
  run.started(item);
  return new Promise((resolve) => {
    let printed = '', errors = '';
    const uri = item.uri as vscode.Uri, folder = projectFolder(uri);
    const child = cp.spawn(program, ['run', file, `--device=${device}`, `--directory=${workingDirectory(uri)}`], { cwd: folder });
    const cancelled = cancel.onCancellationRequested(() => child.kill());
    const show = (text: string) => run.appendOutput(text.replace(/\r?\n/g, '\r\n'), undefined, item);
    child.stdout.on('data', (data: Buffer) => { printed += data; show(String(data)); });
    child.stderr.on('data', (data: Buffer) => { errors += data; show(String(data)); });
    const finish = (code: number | null, failure?: string) => {
      cancelled.dispose();
      const took = Date.now() - started;
      if (code === 0 && /^\s*PASS\s*$/m.test(printed)) run.passed(item, took);
      else if (cancel.isCancellationRequested) run.skipped(item);
      else {
        const found = failure ? { message: failure } : placeOf(`${errors}\n${printed}`, folder);
        const message = new vscode.TestMessage(code === 0 ? `no line PASS\n${found.message}` : found.message);
        message.location = found.location ?? new vscode.Location(item.uri as vscode.Uri, item.range ?? new vscode.Position(0, 0));
        run.failed(item, message, took);
      }
      resolve();
    };
    child.on('error', (error) => finish(null, error.message));
    child.on('close', (code) => finish(code));
  });
}

export function registerTests(context: vscode.ExtensionContext, server: Server): void {
  const controller = vscode.tests.createTestController('cufls', 'CUDA Fortran');
  const discover = async () => {
    for (const uri of await vscode.workspace.findFiles(FILES, IGNORED, MOST_FILES)) await addFile(controller, uri);
  };
  const run = async (request: vscode.TestRunRequest, cancel: vscode.CancellationToken) => {
    const program = (await mayRun('Test')) ? server.program() : undefined;
    if (!program) return;
    if (!request.include) await discover(); // all tests: also those that nobody has looked for yet
    const items = request.include ?? [...controller.items].map(([, item]) => item);
    const current = controller.createTestRun(request);
    items.forEach((item) => current.enqueued(item));
    for (const item of items)
      if (!cancel.isCancellationRequested && !request.exclude?.includes(item)) await runOne(current, item, program, cancel);
    current.end();
  };
  controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, run, true);
  controller.resolveHandler = discover;
  controller.refreshHandler = discover;
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  context.subscriptions.push(
    controller, watcher,
    watcher.onDidCreate((uri) => void addFile(controller, uri).catch(() => undefined)),
    watcher.onDidChange((uri) => void addFile(controller, uri).catch(() => undefined)),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
  );
}
