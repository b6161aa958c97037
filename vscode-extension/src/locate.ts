// Finds the program cufls: where the setting says, otherwise on PATH, otherwise in the extension. A
// setting that leads nowhere is an error and not a reason to take another one.
import * as fs from 'fs';
import * as path from 'path';
import * as os from 'os';

export interface Place {
  program: string;
  origin: 'setting' | 'PATH' | 'bundled';
}

export class NotFound extends Error {}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function fromSetting(setting: string): Place {
  const expanded = setting.replace(/^~(?=\/|$)/, os.homedir());
  for (const file of [expanded, path.join(expanded, 'cufls'), path.join(expanded, 'bin/cufls')])
    if (isProgram(file)) return { program: file, origin: 'setting' };
  const what = fs.existsSync(expanded) ? 'is no program that can be started' : 'does not exist';
  throw new NotFound(`cufls.server.path: ${setting} ${what}`);
}

export function locate(setting: string, extensionPath: string, searchPath: string): Place {
  if (setting.trim()) return fromSetting(setting.trim());
  for (const folder of searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each)))
    if (isProgram(path.join(folder, 'cufls'))) return { program: path.join(folder, 'cufls'), origin: 'PATH' };
  const bundled = path.join(extensionPath, 'server/bin/cufls');
  if (isProgram(bundled)) return { program: bundled, origin: 'bundled' };
  throw new NotFound('cufls is not on PATH, and this extension brings none for this system');
}
