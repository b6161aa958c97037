// Completion while one types on. VS Code waits for the answer about one word before it asks about the next, and takes the
// items of the first for both: an answer that comes when the next word has begun fits nothing there, and no list opens
// (SuggestModel in its suggestModel.ts). So a question is given up as soon as its word has ended; VS Code then asks anew.
// An empty answer, as it is right behind a bracket, closes the list for the letters that were typed meanwhile: they are asked about here.
import * as vscode from 'vscode';
import { ProvideCompletionItemsSignature } from 'vscode-languageclient/node';

type Answer = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

// The word at a position while it is typed; `ended` comes true when something else is edited.
class Word {
  readonly ended: Promise<boolean>;
  private readonly listener: vscode.Disposable;

  constructor(document: vscode.TextDocument, public end: vscode.Position, question: vscode.CancellationTokenSource) {
    let resolved: (value: boolean) => void = () => undefined;
    this.ended = new Promise((resolve) => (resolved = resolve));
    this.listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document || event.contentChanges.every((change) => this.grows(change))) return;
      resolved(true);
      question.cancel();
    });
  }

  private grows({ range, text }: vscode.TextDocumentContentChangeEvent): boolean {
    if (!range.isEmpty || !range.start.isEqual(this.end) || !/^\w+$/.test(text)) return false;
    this.end = this.end.translate(0, text.length);
    return true;
  }

  dispose(): void {
    this.listener.dispose();
  }
}

function itemsOf(answer: Answer): vscode.CompletionItem[] {
  return Array.isArray(answer) ? answer : answer?.items ?? [];
}

// VS Code counts from the position that it has asked about: what is behind it would be removed twice.
function endAt(position: vscode.Position, items: vscode.CompletionItem[]): void {
  const cut = (range: vscode.Range) => range.with({ end: range.end.isAfter(position) ? position : range.end });
  for (const item of items)
    if (item.range instanceof vscode.Range) item.range = cut(item.range);
    else if (item.range) item.range = { inserting: cut(item.range.inserting), replacing: cut(item.range.replacing) };
}

// A list that opens behind a word that is there as a whole takes Enter for itself, though it would change nothing: whether an item
// does is asked before the list is open (SuggestController).
function hasWhole(document: vscode.TextDocument, end: vscode.Position, items: vscode.CompletionItem[]): boolean {
  return items.some((item) => {
    const range = item.range instanceof vscode.Range ? item.range : item.range?.inserting;
    const text = typeof item.insertText === 'string' ? item.insertText : item.insertText?.value ?? item.label;
    return range !== undefined && document.getText(range.with({ end })) === text;
  });
}

export async function completeWord(document: vscode.TextDocument, position: vscode.Position, context: vscode.CompletionContext,
  token: vscode.CancellationToken, next: ProvideCompletionItemsSignature): Promise<Answer> {
  const question = new vscode.CancellationTokenSource();
  const word = new Word(document, position, question);
  const listener = token.onCancellationRequested(() => question.cancel());
  try {
    for (let asked = position; ; asked = word.end) {
      const answer = await Promise.race([word.ended.then(() => []), Promise.resolve(next(document, asked, context, question.token))]);
      if (itemsOf(answer).length === 0 && !asked.isEqual(word.end) && !question.token.isCancellationRequested) continue;
      if (!position.isEqual(word.end) && hasWhole(document, word.end, itemsOf(answer))) return [];
      endAt(position, itemsOf(answer));
      return answer;
    }
  } finally {
    vscode.Disposable.from(word, listener, question).dispose();
  }
}
