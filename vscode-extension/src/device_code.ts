// Shows the PTX or the machine code of a source beside it, or why there is none.
import * as path from 'path';
import * as vscode from 'vscode';
import { sourceOf } from './languages';
import { Server } from './server';

const SCHEME = 'cufls-code';
type Kind = 'ptx' | 'sass';

interface DeviceCode {
  message?: string;
  text?: string;
}

// Lines of a comment in PTX, in machine code and in this extension's languages.
function comment(text: string): string {
  return `${text.trim().replace(/^/gm, '// ')}\n`;
}

class Provider implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  // The URI's query is the source's URI.
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const found = await this.server.request<DeviceCode>('cufls/deviceCode', { textDocument: { uri: uri.query }, kind: uri.fragment });
    if (found?.text) return found.text;
    return comment(found?.message || 'The language server does not run; its output says why.');
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
