// What a run with checks has found, in the texts: `cufls run --messages-to=FILE` writes it as it stands in the
// terminal. What is said of a text goes when that text changes, and all of it when the next run begins.
import * as fs from 'fs';
import * as path from 'path';
import * as vscode from 'vscode';

const PLACE = /^(.+?):(\d+):(\d+): (error|warning|note|information|hint): (.*?)(?: \[(CUF\d+)\])?$/;
const SEVERITIES: Record<string, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information, hint: vscode.DiagnosticSeverity.Hint,
};

interface Message {
  file: string;
  kind: string;
  text: string;
  code?: string;
  position: vscode.Position;
}

function messagesIn(text: string, folder: string): Message[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = PLACE.exec(line);
    if (!match) return [];
    const position = new vscode.Position(Math.max(0, Number(match[2]) - 1), Math.max(0, Number(match[3]) - 1));
    return [{ file: path.resolve(folder, match[1]), kind: match[4], text: match[5], code: match[6], position }];
  });
}

export class Findings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('cufls run');
  private readonly subscription = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.contentChanges.length) this.collection.delete(event.document.uri);
  });

  clear(): void {
    this.collection.clear();
  }

  async show(file: string, folder: string): Promise<void> {
    const text = await fs.promises.readFile(file, 'utf8').catch(() => '');
    const found = new Map<string, vscode.Diagnostic[]>();
    let last: vscode.Diagnostic | undefined;
    for (const message of messagesIn(text, folder)) {
      const uri = vscode.Uri.file(message.file);
      const range = await wordAt(uri, message.position);
      if (message.kind === 'note') {
        last?.relatedInformation?.push(new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range), message.text));
        continue;
      }
      last = new vscode.Diagnostic(range, message.text, SEVERITIES[message.kind]);
      Object.assign(last, { source: 'cufls run', code: message.code, relatedInformation: [] });
      const list = found.get(message.file) ?? [];
      if (!list.some((each) => each.message === message.text && each.range.isEqual(range))) list.push(last);
      found.set(message.file, list);
    }
    for (const [path, list] of found) this.collection.set(vscode.Uri.file(path), list);
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }
}

async function wordAt(uri: vscode.Uri, position: vscode.Position): Promise<vscode.Range> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getWordRangeAtPosition(position) ?? document.lineAt(position.line).range.with(position);
  } catch {
    return new vscode.Range(position, position);
  }
}
