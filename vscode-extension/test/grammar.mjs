// Tests of the grammars. First the files in test/grammar with their assertions, by vscode-tmgrammar-test.
// Then every line of the example and test programs of the repository is tokenised: none may be marked
// invalid, every word must have a scope of its own, and what makes CUDA Fortran must be recognised.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { Registry, parseRawGrammar, INITIAL } = require('vscode-textmate');
const onig = require('vscode-oniguruma');

const extension = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const root = path.dirname(extension);
const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
const grammars = new Map(manifest.contributes.grammars.map((each) => [each.scopeName, path.join(extension, each.path)]));

function assertions() {
  const files = ['free.cuf', 'fixed.f'].map((name) => path.join(extension, 'test/grammar', name));
  const tool = path.join(extension, 'node_modules/vscode-tmgrammar-test/dist/unit.js');
  const given = [...grammars.values()].filter((file) => !file.includes('markdown')).flatMap((file) => ['-g', file]);
  const output = execFileSync(process.execPath, [tool, ...given, ...files], { encoding: 'utf8' });
  console.log(output.trim().split('\n').slice(-files.length).join('\n'));
}

async function makeRegistry() {
  await onig.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
  return new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
      createOnigString: (text) => new onig.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      grammars.has(scope) ? parseRawGrammar(fs.readFileSync(grammars.get(scope), 'utf8'), grammars.get(scope)) : null,
  });
}

function sources(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return sources(file);
    return /\.(cuf|f90|f|for)$/i.test(entry.name) ? [file] : [];
  });
}

// What must be recognised where: the scope of the text that a pattern finds, outside of comments.
const EXPECTED = [
  [/\battributes\s*\(\s*(?:global|device|host)/gi, /storage\.modifier\.attributes/],
  [/<<</g, /punctuation\.section\.launch\.begin/],
  [/>>>/g, /punctuation\.section\.launch\.end/],
  [/^\s*!\$cuf\b/gi, /keyword\.control\.directive\.cuf/],
  [/\bthreadidx\b/gi, /variable\.language\.cuda/],
  [/^\s*end\s+(?:subroutine|function|module|program)\b/gi, /keyword\.control\.unit/],
];

function judge(line, tokens, state) {
  const at = (offset) => tokens.find((token) => token.startIndex <= offset && offset < token.endIndex);
  const problems = [];
  for (const token of tokens) {
    const text = line.slice(token.startIndex, token.endIndex);
    if (token.scopes.some((scope) => scope.startsWith('invalid'))) problems.push(`invalid: ${text}`);
    if (/\w/.test(text) && token.scopes.length < 2) problems.push(`no scope: ${text}`);
    state.tokens += 1;
  }
  for (const [pattern, scope] of EXPECTED)
    for (const match of line.matchAll(pattern)) {
      const token = at(match.index + match[0].length - match[0].trimStart().length);
      if (token.scopes.some((name) => /^(comment|string|meta\.preprocessor)/.test(name))) continue;
      state.recognised += 1;
      if (!token.scopes.some((name) => scope.test(name))) problems.push(`${match[0].trim()} is ${token.scopes.at(-1)}`);
    }
  return problems;
}

async function everyLine(registry) {
  const state = { files: 0, lines: 0, tokens: 0, recognised: 0 };
  const problems = [];
  for (const folder of ['docs/examples', 'tests/run', 'tests/bench', 'tests/compile', 'tests/link'])
    for (const file of sources(path.join(root, folder))) {
      const fixed = /\.(f|for)$/i.test(file);
      const grammar = await registry.loadGrammar(fixed ? 'source.cuda-fortran-fixed' : 'source.cuda-fortran');
      let stack = INITIAL;
      fs.readFileSync(file, 'utf8').split('\n').forEach((line, index) => {
        const result = grammar.tokenizeLine(line, stack, 5000);
        stack = result.ruleStack;
        const found = result.stoppedEarly ? ['not tokenised in 5 s'] : judge(line, result.tokens, state);
        problems.push(...found.map((text) => `${path.relative(root, file)}:${index + 1}: ${text}`));
        state.lines += 1;
      });
      state.files += 1;
    }
  console.log(`${state.files} files, ${state.lines} lines, ${state.tokens} tokens, ` +
    `${state.recognised} recognised words of CUDA Fortran, ${problems.length} problems`);
  if (problems.length) {
    console.error(problems.slice(0, 20).join('\n'));
    process.exitCode = 1;
  }
}

try {
  assertions();
} catch (error) {
  console.error(error.stdout || error);
  process.exitCode = 1;
}
await everyLine(await makeRegistry());
