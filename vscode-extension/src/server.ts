// The language server's life: finding the program, starting, restarting and stopping it, its state for
// the status item, its output and its log. Starts again when settings or the trust of the workspace change.
import * as cp from 'child_process';
import * as path from 'path';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, LanguageClientOptions, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import { completeWord } from './completion';
import { linkToExplanation } from './explain';
import { languages, settings } from './languages';
import { locate, Place } from './locate';
import { Notifications, Requests, ServerState, ServerStatus } from './protocol';

// What the server says of itself, and what is known of it when it does not run.
export interface Status extends Partial<Omit<ServerStatus, 'state'>> {
  state: ServerState | 'stopped' | 'starting' | 'failed';
  message?: string;
}

const MOST_CRASHES = 4;

export class Server implements vscode.Disposable {
  client: LanguageClient | undefined;
  status: Status = { state: 'stopped' };
  place: Place | undefined;
  readonly output = vscode.window.createOutputChannel('CUDA Fortran', { log: true });
  private readonly trace = vscode.window.createOutputChannel('CUDA Fortran (messages)');
  private readonly changed = new vscode.EventEmitter<Status>();
  readonly onStatus = this.changed.event;
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  readonly onStarted = this.started.event;
  private process: cp.ChildProcess | undefined;
  private crashes: number[] = [];
  private startedWith = '';
  private queue: Promise<void> = Promise.resolve();
  // Commands of code lenses, which run in a terminal here and not in the server.
  commandHandlers = new Map<string, (argument: unknown) => unknown>();

  constructor(private readonly context: vscode.ExtensionContext) {
    context.subscriptions.push(
      this.output, this.trace, this.changed, this.started,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('cufls.server') && this.startedWith !== this.wanted()) void this.restart();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
      vscode.commands.registerCommand('cufls.restartServer', () => this.restart()),
      vscode.commands.registerCommand('cufls.showOutput', () => this.output.show()),
      vscode.commands.registerCommand('cufls.openServerLog', () => this.openLog()),
      vscode.commands.registerCommand('cufls.showReferences', (...given) => this.showReferences(...(given as [string, never, never[]]))),
    );
  }

  get logFile(): string {
    return path.join(this.context.logUri.fsPath, 'cufls.log');
  }

  get processId(): number | undefined {
    return this.process?.exitCode === null ? this.process.pid : undefined;
  }

  // One after the other, however often somebody asks.
  start(): Promise<void> {
    return (this.queue = this.queue.then(() => this.startNow()));
  }

  restart(): Promise<void> {
    this.crashes = [];
    return (this.queue = this.queue.then(() => this.stopNow()).then(() => this.startNow()));
  }

  // The program for tasks, or undefined after saying what is wrong.
  program(): string | undefined {
    try {
      return this.find().program;
    } catch (error) {
      this.fail((error as Error).message);
      return undefined;
    }
  }

  // What the settings say of the server; those of a folder without trust do not count.
  private wanted(): string {
    return JSON.stringify([settings().get('server.path'), settings().get('server.arguments')]);
  }

  private find(): Place {
    const setting = settings().get<string>('server.path') ?? '';
    return locate(setting, this.context.extensionPath, process.env.PATH ?? '');
  }

  private async startNow(): Promise<void> {
    if (this.client) return;
    this.setStatus({ state: 'starting' });
    this.startedWith = this.wanted();
    try {
      this.place = this.find();
      await vscode.workspace.fs.createDirectory(this.context.logUri);
      this.output.info(`starting ${this.place.program} (${this.place.origin})`);
      const client = new LanguageClient('cufls', 'CUDA Fortran', () => this.spawn(), this.clientOptions());
      this.client = client;
      this.onNotification('cufls/status', (status) => this.setStatus(status));
      client.onDidChangeState((event) => {
        if (event.newState === State.Stopped && this.status.state !== 'failed') this.setStatus({ state: 'stopped' });
      });
      await client.start();
      if (this.status.state === 'starting') this.setStatus({ state: 'idle' });
      this.started.fire(client);
    } catch (error) {
      const failed = this.client;
      this.client = undefined;
      this.process?.kill();
      await failed?.dispose().catch(() => undefined);
      this.fail(`The language server did not start: ${(error as Error).message}`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.place = undefined;
    this.process = undefined;
    await client?.dispose().catch(() => undefined);
    this.setStatus({ state: 'stopped' });
  }

  private spawn(): Promise<cp.ChildProcess> {
    const program = this.place?.program ?? '';
    const given = settings().get<string[]>('server.arguments') ?? [];
    const child = cp.spawn(program, ['--stdio', `--log-file=${this.logFile}`, ...given], { env: process.env });
    this.process = child;
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => resolve(child));
      // A program that ends at once is not cufls: the client would wait for its answer.
      child.once('exit', (code) => {
        if (this.process === child && this.status.state === 'starting') this.fail(`${program} ended with status ${code}: it may not be cufls`);
      });
    });
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: languages().map((language) => ({ scheme: 'file', language })),
      outputChannel: this.output,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { trusted: vscode.workspace.isTrusted, ...settings() },
      synchronize: { configurationSection: 'cufls' }, // the server says which files it wants to know of
      markdown: { isTrusted: false, supportHtml: false },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => this.closed(),
      },
      middleware: {
        executeCommand: (command, given, next) => {
          const handler = this.commandHandlers.get(command);
          return handler ? handler(given[0]) : next(command, given);
        },
        provideCompletionItem: completeWord,
        handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linkToExplanation)),
        provideDiagnostics: async (document, previous, token, next) => {
          const report = await next(document, previous, token);
          if (report?.kind === 'full') report.items.forEach(linkToExplanation);
          return report;
        },
      },
    };
  }

  private closed(): { action: CloseAction; handled: boolean } {
    if (this.status.state === 'failed') return { action: CloseAction.DoNotRestart, handled: true };
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < 180_000), now];
    if (this.crashes.length <= MOST_CRASHES) {
      this.output.warn('the server ended unexpectedly and is started again');
      return { action: CloseAction.Restart, handled: true };
    }
    this.fail(`The language server ended ${this.crashes.length} times in three minutes.`);
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  private fail(message: string): void {
    this.output.error(message);
    this.setStatus({ state: 'failed', message });
    const set = 'Open Settings', log = 'Show Output', again = 'Try Again';
    void vscode.window.showErrorMessage(message, set, log, again).then((choice) => {
      if (choice === set) void vscode.commands.executeCommand('workbench.action.openSettings', 'cufls.server.path');
      else if (choice === log) this.output.show();
      else if (choice === again) void this.restart();
    });
  }

  private setStatus(status: Status): void {
    this.status = status;
    this.changed.fire(status);
  }

  private async openLog(): Promise<void> {
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(this.logFile));
    } catch {
      this.output.show();
    }
  }

  private async showReferences(uri: string, position: never, places: never[]): Promise<void> {
    const convert = this.client?.protocol2CodeConverter;
    if (!convert) return;
    await vscode.commands.executeCommand('editor.action.showReferences', convert.asUri(uri),
      convert.asPosition(position), places.map((place) => convert.asLocation(place)));
  }

  // Asks the server; undefined if it does not run or does not know the method.
  async request<M extends keyof Requests>(method: M, parameters: Requests[M]['params']): Promise<Requests[M]['result'] | undefined> {
    if (!this.client?.isRunning()) return undefined;
    try {
      return await this.client.sendRequest<Requests[M]['result']>(method, parameters);
    } catch (error) {
      this.output.debug(`${method}: ${(error as Error).message}`);
      return undefined;
    }
  }

  // Of the server as it runs now; undefined if there is none.
  onNotification<M extends keyof Notifications>(method: M, take: (content: Notifications[M]) => void): vscode.Disposable | undefined {
    return this.client?.onNotification(method, take);
  }

  dispose(): Promise<void> {
    return (this.queue = this.queue.then(() => this.stopNow()));
  }
}

