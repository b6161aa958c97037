// The languages of files and questions about editors of them. CUDA Fortran has two, one for each source form.
// Fortran without CUDA has the names that the extension Modern Fortran gives it, so that a file has the same
// language whether that extension is there or not.
import * as vscode from 'vscode';

const CUDA = ['cuda-fortran', 'cuda-fortran-fixed'];
const PLAIN = ['FortranFreeForm', 'FortranFixedForm'];
const NAMES_OF_FORTRAN = /^fortran/i;

// The other extension that knows Fortran, if there is one.
function otherExtension(): vscode.Extension<unknown> | undefined {
  return vscode.extensions.all.find(({ packageJSON }) => packageJSON.name !== 'cufls' &&
    packageJSON.contributes?.languages?.some(({ id }: { id: string }) => NAMES_OF_FORTRAN.test(id)));
}

// Whether Fortran files without CUDA are this extension's too.
function servesFortran(): boolean {
  const wanted = settings().get<string>('fortranFiles');
  return wanted === 'all' || (wanted !== 'cuda' && !otherExtension());
}

let known: string[] | undefined;
export function languages(): string[] {
  return (known ??= servesFortran() ? [...CUDA, ...PLAIN] : CUDA);
}

// After settings or extensions have changed; whether the answer has.
export function languagesChanged(): boolean {
  const before = String(known);
  known = undefined;
  return String(languages()) !== before;
}

// Conditions in package.json ask for it.
export function announceLanguages(): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', 'cufls.languages', languages());
}

export function isOurs(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return !!document && languages().includes(document.languageId);
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
