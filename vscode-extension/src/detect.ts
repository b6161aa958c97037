// Fortran files that use CUDA become CUDA Fortran, by what stands in them; the setting
// cufls.detectCudaFortran turns it off.
import * as vscode from 'vscode';
import { settings } from './languages';

const FORTRAN = /^(?:plaintext|fortran|fortranfreeform|fortranfixedform|fortran-modern|fortran_fixed-form|fortran90)$/i;
const CUDA = /^[^!'"\n]*\battributes\s*\(\s*(?:global|device|grid_global|host)\b|^\s*[!cC*]\$cuf\b|^\s*[!cC*]@cuf\b|^[^!'"\n]*<<<|^\s*use\s*(?:,\s*intrinsic\s*::)?\s*(?:cudafor|cudadevice)\b/im;
const MOST_TEXT = 200_000;

// The language that a document should have; undefined if it stays as it is.
export function languageFor(fileName: string, languageId: string, text: string): string | undefined {
  const suffix = /\.(f90|f95|f03|f08|f18|f|for|ftn)$/i.exec(fileName)?.[1].toLowerCase();
  if (!suffix || !FORTRAN.test(languageId) || !CUDA.test(text)) return undefined;
  return /^f\d/.test(suffix) ? 'cuda-fortran' : 'cuda-fortran-fixed';
}

export function registerDetection(context: vscode.ExtensionContext): void {
  const look = (document: vscode.TextDocument) => {
    if (!settings(document.uri).get<boolean>('detectCudaFortran')) return;
    const text = document.getText().slice(0, MOST_TEXT);
    const language = languageFor(document.fileName, document.languageId, text);
    if (language) void vscode.languages.setTextDocumentLanguage(document, language);
  };
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(look), vscode.workspace.onDidSaveTextDocument(look));
  vscode.workspace.textDocuments.forEach(look);
}
