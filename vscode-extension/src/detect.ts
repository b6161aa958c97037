// Fortran files that use CUDA become CUDA Fortran, by what stands in them, also while it is typed; the setting
// cufls.detectCudaFortran turns it off.
import * as vscode from 'vscode';
import { usesCuda } from './cuda_text';
import { settings } from './languages';

const FORTRAN = /^(?:plaintext|fortran.*)$/i;
const MOST_TEXT = 200_000;
const TYPING_DELAY = 500; // milliseconds after the last key

// The language that a document should have; undefined if it stays as it is.
export function languageFor(fileName: string, languageId: string, text: string): string | undefined {
  const suffix = /\.(f90|f95|f03|f08|f18|f|for|ftn|f77|fpp)$/i.exec(fileName)?.[1].toLowerCase();
  if (!suffix || !FORTRAN.test(languageId)) return undefined;
  const free = /^f\d\d$/.test(suffix) && suffix !== 'f77';
  if (usesCuda(text, !free)) return free ? 'cuda-fortran' : 'cuda-fortran-fixed';
  // Of another editor's association, or of none.
  if (languageId !== 'plaintext') return undefined;
  return free ? 'FortranFreeForm' : 'FortranFixedForm';
}

export function registerDetection(context: vscode.ExtensionContext): void {
  const look = (document: vscode.TextDocument) => {
    if (document.isClosed || !settings(document.uri).get<boolean>('detectCudaFortran')) return;
    const language = languageFor(document.fileName, document.languageId, document.getText().slice(0, MOST_TEXT));
    if (language) void vscode.languages.setTextDocumentLanguage(document, language);
  };
  let timer: NodeJS.Timeout | undefined;
  const typed = ({ document, contentChanges }: vscode.TextDocumentChangeEvent) => {
    if (!contentChanges.length || !FORTRAN.test(document.languageId) || document.languageId === 'plaintext') return;
    clearTimeout(timer);
    timer = setTimeout(() => look(document), TYPING_DELAY);
  };
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look), vscode.workspace.onDidSaveTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(typed), { dispose: () => clearTimeout(timer) });
  vscode.workspace.textDocuments.forEach(look);
}
