// The extension's table of contents: what it offers, each in a file of its own. All knowledge of the
// language is in the server; what is here shows it in VS Code and starts programs in terminals.
import * as vscode from 'vscode';
import { registerDebugging } from './debug';
import { registerThreadsView } from './threads/view';
import { registerDetection } from './detect';
import { registerDeviceCode } from './device_code';
import { registerExamples } from './examples';
import { registerExplanations } from './explain';
import { announceLanguages, languagesChanged } from './languages';
import { Server } from './server';
import { registerSnippets } from './snippets';
import { registerStatus } from './status';
import { registerTasks } from './tasks';
import { registerTests } from './testing';
import { registerOccupancy } from './occupancy/panel';

// Another extension for Fortran may come or go, and the setting may change.
function followLanguages(context: vscode.ExtensionContext, server: Server): void {
  const look = () => {
    if (!languagesChanged()) return;
    void announceLanguages();
    void server.restart();
  };
  context.subscriptions.push(
    vscode.extensions.onDidChange(look),
    vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('cufls.fortranFiles')) look(); }));
}

export async function activate(context: vscode.ExtensionContext): Promise<{ server: Server }> {
  const server = new Server(context);
  context.subscriptions.push(server);
  await announceLanguages();
  registerStatus(context, server);
  registerDetection(context);
  registerTasks(context, server);
  registerDebugging(context, server);
  registerThreadsView(context);
  registerTests(context, server);
  registerDeviceCode(context, server);
  registerOccupancy(context, server);
  registerExplanations(context, server);
  registerExamples(context);
  registerSnippets(context);
  followLanguages(context, server);
  await server.start();
  return { server };
}
