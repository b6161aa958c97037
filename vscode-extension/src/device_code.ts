// Shows the PTX or the machine code of a source beside it. The server's request cufls/deviceCode knows which
// lines belong together; a server without it leaves the whole file's PTX, which cufc writes.
import * as cp from 'child_process';
import * as fs from 'fs';
import * as os from 'os';
import * as path from 'path';
import { promisify } from 'util';
import * as vscode from 'vscode';
import { sourceOf } from './languages';
import { Server } from './server';

const execFile = promisify(cp.execFile);
const SCHEME = 'cufls-code';
type Kind = 'ptx' | 'sass';

interface DeviceCode {
  state?: string;
  message?: string;
  text?: string;
}

async function fromCompiler(cufls: string, source: string, kind: Kind): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cufls-'));
  const file = path.join(folder, kind === 'ptx' ? 'code.ptx' : 'code.cubin');
  const cufc = path.join(path.dirname(cufls), 'cufc');
  try {
    const emit = kind === 'ptx' ? ['--emit=ptx'] : ['--emit=cubin', '-gpu=cc90'];
    await execFile(cufc, [...emit, source, '-o', file], { cwd: folder });
    if (kind === 'ptx') return fs.readFileSync(file, 'utf8');
    return (await execFile('cuobjdump', ['-sass', file], { maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    const failed = error as NodeJS.ErrnoException & { stderr?: string };
    if (failed.code === 'ENOENT' && kind === 'sass') return '// cuobjdump was not found: it comes with the CUDA Toolkit.\n';
    return `// There is no ${kind.toUpperCase()} of this file:\n${(failed.stderr || failed.message).replace(/^/gm, '// ')}\n`;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

class Provider implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  // The URI's query is the source's URI.
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source = vscode.Uri.parse(uri.query);
    const kind = uri.fragment as Kind;
    const found = await this.server.request<DeviceCode>('cufls/deviceCode', { textDocument: { uri: uri.query }, kind });
    if (found?.text) return found.text;
    const program = this.server.program();
    return program ? fromCompiler(program, source.fsPath, kind) : '// cufls was not found\n';
  }

  saved(document: vscode.TextDocument): void {
    for (const shown of vscode.workspace.textDocuments)
      if (shown.uri.scheme === SCHEME && shown.uri.query === document.uri.toString()) this.changed.fire(shown.uri);
  }
}

export function registerDeviceCode(context: vscode.ExtensionContext, server: Server): void {
  const provider = new Provider(server);
  const show = (kind: Kind) => async (given: unknown) => {
    const source = sourceOf(given);
    if (!source) return;
    const name = `${path.basename(source.fsPath)}.${kind}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: source.toString(), fragment: kind });
    provider.saved({ uri: source } as vscode.TextDocument);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidSaveTextDocument((document) => provider.saved(document)),
    vscode.commands.registerCommand('cufls.showPtx', show('ptx')),
    vscode.commands.registerCommand('cufls.showSass', show('sass')),
  );
}
