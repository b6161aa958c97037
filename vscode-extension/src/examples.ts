// The example of the first steps: written into the workspace, or without one beside the extension's data.
import * as vscode from 'vscode';
import vectorAdd from '../../docs/examples/vector_add.cuf';

async function unusedName(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let number = 1; ; ++number) {
    const uri = vscode.Uri.joinPath(folder, number === 1 ? 'vector_add.cuf' : `vector_add_${number}.cuf`);
    try {
      await vscode.workspace.fs.stat(uri);
    } catch {
      return uri;
    }
  }
}

export function registerExamples(context: vscode.ExtensionContext): void {
  const create = async () => {
    const folder = vscode.workspace.workspaceFolders?.[0].uri ?? vscode.Uri.joinPath(context.globalStorageUri, 'examples');
    await vscode.workspace.fs.createDirectory(folder);
    const uri = await unusedName(folder);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(vectorAdd));
    await vscode.window.showTextDocument(uri);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('cufls.newExample', create),
    vscode.commands.registerCommand('cufls.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#firstSteps`)),
  );
}
