// The occupancy panel's host: asks the server for the kernel at the cursor, again when the cursor moves, the
// server has new results or the user moves a slider, and passes the answer to the webview.
import * as vscode from 'vscode';
import { isOurs } from '../languages';
import { Server } from '../server';
import { FromPanel, Shown, ToPanel, WhatIf } from './messages';

const FOLLOW_DELAY = 120; // milliseconds, so that a moving cursor does not ask for each line

class Panel {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[] = [];
  private place: { uri: vscode.Uri; position: vscode.Position } | undefined;
  private whatIf: WhatIf = {};
  private shown = '';
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;

  constructor(private readonly context: vscode.ExtensionContext, private readonly server: Server, private readonly onClose: () => void) {
    const root = context.extensionUri;
    this.panel = vscode.window.createWebviewPanel('cufls.occupancy', 'Occupancy',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [root] });
    this.panel.iconPath = new vscode.ThemeIcon('graph-line') as unknown as vscode.Uri;
    this.panel.webview.html = this.html();
    this.panel.webview.onDidReceiveMessage((message: FromPanel) => this.receive(message), undefined, this.subscriptions);
    this.panel.onDidDispose(() => this.dispose(), undefined, this.subscriptions);
    vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor), undefined, this.subscriptions);
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor), undefined, this.subscriptions);
    this.listen();
    server.onStarted(() => this.listen(), undefined, this.subscriptions);
    this.take(vscode.window.activeTextEditor);
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
    this.take(vscode.window.activeTextEditor);
    void this.ask(false);
  }

  private listen(): void {
    const refresh = this.server.onNotification('cufls/occupancyChanged', () => void this.ask(false));
    if (refresh) this.subscriptions.push(refresh);
  }

  private take(editor: vscode.TextEditor | undefined): void {
    if (isOurs(editor?.document)) this.place = { uri: editor.document.uri, position: editor.selection.active };
  }

  private follow(editor: vscode.TextEditor): void {
    if (!isOurs(editor.document)) return;
    this.take(editor);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(true), FOLLOW_DELAY);
  }

  private receive(message: FromPanel): void {
    if (message.kind === 'open') {
      const place = new vscode.Position(message.line - 1, 0);
      void vscode.window.showTextDocument(vscode.Uri.parse(message.uri),
        { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(place, place) });
      return;
    }
    if (message.kind === 'ask') this.whatIf = message.whatIf;
    void this.ask(false);
  }

  // Where the cursor is at no kernel, the last one stays. A slider's question is about the kernel that is
  // shown; another kernel begins with its own values, on the GPU that was chosen.
  private async ask(following: boolean): Promise<void> {
    if (!this.place) return;
    const number = ++this.asked;
    const { uri, position } = this.place;
    const send = (whatIf: WhatIf) => this.server.request('cufls/occupancy', {
      textDocument: { uri: uri.toString() }, position: { line: position.line, character: position.character }, ...whatIf });
    const { gpu, chip } = this.whatIf;
    let answer = await send(this.whatIf);
    if (number !== this.asked) return;
    const name = answer?.kernel ? `${answer.kernel.uri}#${answer.kernel.name}` : '';
    const moved = !!name && name !== this.shown;
    if (moved && this.shown) {
      this.whatIf = { gpu, chip };
      answer = await send(this.whatIf);
    }
    if (following && !answer && this.shown) return;
    if (name) this.shown = name;
    const known = answer === undefined && this.server.client ? unavailable('This server has no occupancy.') : answer;
    void this.panel.webview.postMessage({ answer: known ?? null, moved } satisfies ToPanel);
  }

  private html(): string {
    const uri = (...parts: string[]) => this.panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, ...parts));
    const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const policy = `default-src 'none'; style-src ${this.panel.webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${uri('media', 'occupancy.css')}">
<title>Occupancy</title>
</head>
<body><main id="main"><p>Put the cursor into a kernel or on a launch.</p></main>
<script nonce="${nonce}" src="${uri('dist', 'occupancy.js')}"></script>
</body>
</html>`;
  }

  private dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((each) => each.dispose());
    this.onClose();
  }
}

function unavailable(message: string): Shown {
  return { state: 'unavailable', message, gpu: '' };
}

export function registerOccupancy(context: vscode.ExtensionContext, server: Server): void {
  let panel: Panel | undefined;
  context.subscriptions.push(vscode.commands.registerCommand('cufls.showOccupancy', () => {
    if (panel) panel.reveal();
    else panel = new Panel(context, server, () => { panel = undefined; });
  }));
}
