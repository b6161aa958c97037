// Snippets, offered where a statement begins and nowhere else: in ONLY lists, declarations and directives they
// would stand among names, or alone while the server still thinks.
import * as vscode from 'vscode';
import snippets from '../snippets/cuda-fortran.json';
import { languages } from './languages';

interface Snippet {
  prefix: string | string[];
  description: string;
  body: string | string[];
}

// What stands of a statement before the cursor; undefined inside of one, or where a line continues another.
function begun(document: vscode.TextDocument, position: vscode.Position): string | undefined {
  const before = document.lineAt(position.line).text.slice(0, position.character);
  const match = /^\s*(![$@]?\w*|\w*)$/.exec(before);
  const above = position.line > 0 ? document.lineAt(position.line - 1).text.replace(/!.*$/, '').trimEnd() : '';
  return match && !above.endsWith('&') ? match[1] : undefined;
}

function provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const word = begun(document, position);
  if (!word) return [];
  const range = new vscode.Range(position.translate(0, -word.length), position);
  return Object.entries(snippets as Record<string, Snippet>).flatMap(([title, { prefix, description, body }]) =>
    [prefix].flat().filter((each) => each.startsWith('!') === word.startsWith('!')).map((each) => {
      const item = new vscode.CompletionItem({ label: each, description: title }, vscode.CompletionItemKind.Snippet);
      const text = [body].flat().join('\n');
      Object.assign(item, { range, detail: description, filterText: each, sortText: `~${each}` });
      item.insertText = new vscode.SnippetString(text);
      item.documentation = new vscode.MarkdownString().appendCodeblock(text.replace(/\$\{?\d+:?([^}]*)\}?/g, '$1'), 'cuda-fortran');
      return item;
    }));
}

export function registerSnippets(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.languages.registerCompletionItemProvider(languages().map((language) => ({ language })), { provideCompletionItems }, '$', '@'));
}
