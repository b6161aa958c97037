// Shows the PTX or the machine code of a source beside it, or why there is none. It opens at the code of the
// line with the cursor and follows it; a cursor in the code shows the line of the source.
import * as path from 'path';
import * as vscode from 'vscode';
import { isOurs, sourceOf } from './languages';
import { CodeKind } from './protocol';
import { Server } from './server';

const SCHEME = 'cufls-code';

// Lines of a comment in PTX, in machine code and in this extension's languages.
function comment(text: string): string {
  return `${text.trim().replace(/^/gm, '// ')}\n`;
}

class Provider implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly lines = new Map<string, [number, number][]>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  // The URI's query is the source's URI.
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const found = await this.server.request('cufls/deviceCode', { textDocument: { uri: uri.query }, kind: uri.fragment as CodeKind });
    this.lines.set(uri.toString(), found?.lines ?? []);
    if (found?.text) return found.text;
    return comment(found?.message || 'The language server does not run; its output says why.');
  }

  linesOf(uri: vscode.Uri): [number, number][] {
    return this.lines.get(uri.toString()) ?? [];
  }

  saved(document: vscode.TextDocument): void {
    for (const shown of vscode.workspace.textDocuments)
      if (shown.uri.scheme === SCHEME && shown.uri.query === document.uri.toString()) this.changed.fire(shown.uri);
  }
}

// The innermost procedure around a line, as lines from 1; the whole file without one.
async function procedureAround(uri: vscode.Uri, line: number): Promise<[number, number]> {
  const found: vscode.DocumentSymbol[] = (await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri)) ?? [];
  const inside = (list: vscode.DocumentSymbol[]): vscode.DocumentSymbol | undefined => {
    const around = list.find(({ range }) => range?.start.line <= line && line <= range?.end.line);
    const procedure = around && [vscode.SymbolKind.Function, vscode.SymbolKind.Method].includes(around.kind) ? around : undefined;
    return around && (inside(around.children) ?? procedure);
  };
  const procedure = inside(found);
  return procedure ? [procedure.range.start.line + 1, procedure.range.end.line + 1] : [1, Infinity];
}

class Follower implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground') });
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly provider: Provider) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void this.moved(textEditor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const source = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === document.uri.query);
        if (document.uri.scheme === SCHEME && source) void this.moved(source);
      }),
    ];
  }

  // The lines of the code that come from the cursor's line, or from the next one of its procedure that has code.
  private async codeAt(source: vscode.TextEditor, code: vscode.Uri): Promise<number[]> {
    const line = source.selection.active.line + 1;
    const [first, last] = await procedureAround(source.document.uri, line - 1);
    const known = this.provider.linesOf(code).filter(([, from]) => from >= first && from <= last);
    const distance = (from: number) => (from >= line ? from - line : 1e6 + line - from);
    const nearest = Math.min(...known.map(([, from]) => distance(from)));
    return known.filter(([, from]) => distance(from) === nearest).map(([at]) => at);
  }

  async moved(editor: vscode.TextEditor): Promise<void> {
    if (editor.document.uri.scheme === SCHEME) return this.fromCode(editor);
    if (!isOurs(editor.document)) return;
    for (const shown of vscode.window.visibleTextEditors) {
      const { uri } = shown.document;
      if (uri.scheme !== SCHEME || uri.query !== editor.document.uri.toString()) continue;
      const lines = (await this.codeAt(editor, uri)).filter((line) => line < shown.document.lineCount);
      shown.setDecorations(this.mark, lines.map((line) => shown.document.lineAt(line).range));
      editor.setDecorations(this.mark, []);
      if (lines.length) shown.revealRange(shown.document.lineAt(lines[0]).range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private fromCode(code: vscode.TextEditor): void {
    const at = code.selection.active.line;
    const from = this.provider.linesOf(code.document.uri).find(([line]) => line === at)?.[1];
    const source = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === code.document.uri.query);
    if (!from || !source || from > source.document.lineCount) return;
    const { range } = source.document.lineAt(from - 1);
    source.setDecorations(this.mark, [range]);
    source.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    this.mark.dispose();
    this.subscriptions.forEach((each) => each.dispose());
  }
}

export function registerDeviceCode(context: vscode.ExtensionContext, server: Server): void {
  const provider = new Provider(server);
  const follower = new Follower(provider);
  const show = (kind: CodeKind) => async (given: unknown) => {
    const source = sourceOf(given);
    if (!source) return;
    const name = `${path.basename(source.fsPath)}.${kind}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: source.toString(), fragment: kind });
    provider.saved({ uri: source } as vscode.TextDocument);
    const document = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), `cufls-${kind}`);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
    const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.toString() === source.toString());
    if (editor) await follower.moved(editor);
  };
  context.subscriptions.push(
    follower,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidSaveTextDocument((document) => provider.saved(document)),
    vscode.commands.registerCommand('cufls.showPtx', show('ptx')),
    vscode.commands.registerCommand('cufls.showSass', show('sass')),
  );
}
