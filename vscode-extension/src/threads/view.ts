// The view of a block's threads while a kernel is debugged on the CPU: where each of them is, as the debug
// adapter says at each stop. A thread that is chosen there takes the place of the one that has stopped.
import * as vscode from 'vscode';
import { BlockThreads, FromView, ToView } from './protocol';

class View implements vscode.WebviewViewProvider, vscode.DebugAdapterTrackerFactory {
  private view: vscode.WebviewView | undefined;
  private session: vscode.DebugSession | undefined;
  private thread: number | undefined; // of the process, that has stopped
  private block: BlockThreads | null = null;
  private wasShown = false;

  constructor(private readonly root: vscode.Uri) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [this.root] };
    const file = (...path: string[]) => view.webview.asWebviewUri(vscode.Uri.joinPath(this.root, ...path));
    view.webview.html = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${view.webview.cspSource}; script-src ${view.webview.cspSource};">
<link rel="stylesheet" href="${file('media', 'threads.css')}"></head>
<body><main id="main" aria-live="polite"></main><script src="${file('dist', 'threads.js')}"></script></body></html>`;
    view.webview.onDidReceiveMessage((message: FromView) => void this.receive(message));
    view.onDidDispose(() => (this.view = undefined));
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: (message: { type: string; event?: string; body?: { threadId?: number } }) => {
        if (message.type !== 'event') return;
        if (message.event === 'stopped' || message.event === 'invalidated') {
          this.session = session;
          this.thread = message.body?.threadId ?? this.thread;
          void this.refresh();
        } else if (message.event === 'continued' || message.event === 'terminated') {
          this.show(null);
        }
      },
      onWillReceiveMessage: (message: { command?: string }) => {
        if (['continue', 'next', 'stepIn', 'stepOut'].includes(message.command ?? '')) this.show(null);
      },
      onWillStopSession: () => this.show(null),
    };
  }

  async nextBarrier(): Promise<void> {
    const session = this.session ?? vscode.debug.activeDebugSession;
    try {
      await session?.customRequest('cufls/nextBarrier', { threadId: this.thread });
    } catch (error) {
      void vscode.window.showInformationMessage((error as Error).message);
    }
  }

  private async refresh(): Promise<void> {
    try {
      this.show((await this.session?.customRequest('cufls/blockThreads', { threadId: this.thread })) as BlockThreads);
    } catch {
      this.show(null); // not in a kernel
    }
  }

  private show(block: BlockThreads | null): void {
    this.block = block;
    void this.view?.webview.postMessage({ kind: 'block', block } satisfies ToView);
    // It is there from the first stop in a kernel on; who closes it then does not get it again.
    if (block && !this.view && !this.wasShown) {
      this.wasShown = true;
      void vscode.commands.executeCommand('cufls.blockThreads.focus', { preserveFocus: true });
    }
  }

  private async receive(message: FromView): Promise<void> {
    if (message.kind === 'ready') return this.show(this.block);
    if (message.kind === 'barrier') return this.nextBarrier();
    if (message.kind === 'open') {
      const place = new vscode.Position(message.line - 1, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(message.path), { selection: new vscode.Range(place, place), preserveFocus: true });
      return;
    }
    try {
      await this.session?.customRequest('cufls/selectThread', { threadId: this.thread, thread: message.thread, block: message.block });
    } catch (error) {
      void vscode.window.showInformationMessage((error as Error).message);
    }
  }
}

export function registerThreadsView(context: vscode.ExtensionContext): void {
  const view = new View(context.extensionUri);
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('cufls.blockThreads', view),
    vscode.debug.registerDebugAdapterTrackerFactory('cufls', view),
    vscode.commands.registerCommand('cufls.nextBarrier', () => view.nextBarrier()),
  );
}
