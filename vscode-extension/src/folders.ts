// Where programs are started: one folder for Run, Debug and tests, by the setting cufls.run.workingDirectory.
import * as os from 'os';
import * as path from 'path';
import * as vscode from 'vscode';
import { settings } from './languages';

// The folder that a file belongs to: that of the workspace, or its own if it is in none.
export function projectFolder(file: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? path.dirname(file.fsPath);
}

export function workingDirectory(file: vscode.Uri): string {
  const root = projectFolder(file), own = path.dirname(file.fsPath);
  const wanted = settings(file).get<string>('run.workingDirectory')?.trim() || '${workspaceFolder}';
  const expanded = wanted.replace(/^~(?=\/|$)/, os.homedir())
    .replace(/\$\{workspaceFolder\}/g, root).replace(/\$\{fileDirname\}/g, own)
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
  return path.resolve(root, expanded);
}
