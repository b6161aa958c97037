// Explains the diagnostic at the cursor: the text of `cufls explain`, shown as Markdown beside the source.
import * as cp from 'child_process';
import { promisify } from 'util';
import * as vscode from 'vscode';
import { Server } from './server';

const SCHEME = 'cufls-explain';

function codeOf(diagnostic: vscode.Diagnostic): string | undefined {
  const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
  return code !== undefined && /^CUF\d+$/.test(String(code)) ? String(code) : undefined;
}

// The code of a diagnostic leads to its page as it is read, where the server names the file.
export function linkToExplanation(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const code = codeOf(diagnostic);
  if (code && typeof diagnostic.code === 'object')
    diagnostic.code = { value: code, target: vscode.Uri.parse(`command:cufls.explain?${encodeURIComponent(JSON.stringify([code]))}`) };
  return diagnostic;
}

function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const here = editor.selection.active;
  const all = vscode.languages.getDiagnostics(editor.document.uri).filter(codeOf);
  const found = all.find((each) => each.range.contains(here)) ?? all.find((each) => each.range.start.line === here.line);
  return found && codeOf(found);
}

async function explanation(program: string, code: string): Promise<string> {
  const { stdout } = await promisify(cp.execFile)(program, ['explain', '--format=json', code]);
  const [entry] = JSON.parse(stdout).diagnostics;
  // The preview colours Fortran, and does not know this extension's languages.
  const text = entry.explanation.replace(/^```cuf$/gm, '```fortran');
  return `# ${entry.code}: ${entry.name}\n\n*${entry.severity}, group ${entry.group}*\n\n> ${entry.message}\n\n${text}\n`;
}

export function registerExplanations(context: vscode.ExtensionContext, server: Server): void {
  const provideTextDocumentContent = async (uri: vscode.Uri) => {
    const program = server.program();
    return program ? explanation(program, uri.path.slice(1).replace(/\.md$/, '')) : 'cufls was not found';
  };
  const explain = async (given: unknown) => {
    const code = (typeof given === 'string' ? given : codeAtCursor())
      ?? (await vscode.window.showInputBox({ prompt: 'The code of a diagnostic', placeHolder: 'CUF0203' }));
    if (!code) return;
    if (!/^CUF\d+$/i.test(code)) return void vscode.window.showWarningMessage(`${code} is no code of a diagnostic`);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${code.toUpperCase()}.md` });
    try {
      await vscode.workspace.openTextDocument(uri);
      await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    } catch (error) {
      void vscode.window.showErrorMessage(`${code}: ${(error as Error).message}`);
    }
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }),
    vscode.commands.registerCommand('cufls.explain', explain),
  );
}
