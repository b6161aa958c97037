// The two languages of this extension, one for each source form, and questions about editors of them.
import * as vscode from 'vscode';

export const LANGUAGES = ['cuda-fortran', 'cuda-fortran-fixed'];
export const SELECTOR = LANGUAGES.map((language) => ({ scheme: 'file', language }));

export function isOurs(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return !!document && LANGUAGES.includes(document.languageId);
}

// The source that a command is about: the one that it was started at, otherwise that of the editor.
export function sourceOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given;
  const editor = vscode.window.activeTextEditor;
  return isOurs(editor?.document) ? editor?.document.uri : undefined;
}

export function settings(uri?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('cufls', uri);
}

// Whether programs may be run; says why not, and where to change it.
export async function mayRun(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const text = `${what} starts programs of this folder, which is not trusted.`;
  if ((await vscode.window.showWarningMessage(text, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
  return vscode.workspace.isTrusted;
}
