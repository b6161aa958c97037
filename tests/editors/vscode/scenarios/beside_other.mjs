// Another extension for Fortran is installed, with the languages of Modern Fortran: files without CUDA are left to
// it, those with CUDA are this extension's, and the setting cufls.fortranFiles changes that.
import assert from 'node:assert/strict';
import { scenario as alone } from './fortran_files.mjs';

const grammar = (scope) => JSON.stringify({ scopeName: scope, patterns: [{ match: '\\b(subroutine|real)\\b', name: 'keyword.control' }] });
const OTHER = {
  manifest: {
    name: 'linter-gfortran', publisher: 'fortran-lang', version: '3.4.0', engines: { vscode: '^1.67.0' },
    contributes: {
      languages: [{ id: 'FortranFreeForm', aliases: ['Fortran'], extensions: ['.f90', '.F90'] },
        { id: 'FortranFixedForm', aliases: ['Fortran77'], extensions: ['.f', '.F'] }],
      grammars: [{ language: 'FortranFreeForm', scopeName: 'source.other.free', path: './free.json' }],
    },
  },
  files: { 'free.json': grammar('source.other.free') },
};

export const scenario = {
  name: 'beside_other',
  otherExtensions: [OTHER],
  files: alone.files,
  async run(s, ok) {
    await s.openFile('app.F90');
    await s.languageIs(/^CUDA Fortran$/);
    await s.shows('.statusbar-item', /CUDA Fortran: CPU/);
    ok('a file with CUDA is this extension\'s');
    await s.openFile('wrong.f90');
    await s.languageIs(/^Fortran$/);
    await s.page.waitForTimeout(4000);
    assert.equal(await s.squiggles().count(), 0);
    assert.equal(await s.page.locator('.editor-actions .action-label.codicon-play').count(), 0);
    await s.picture('plain');
    ok('a file without CUDA is left to the other one');

    await s.setUserSettings({ 'cufls.fortranFiles': 'all' });
    await s.openFile('wrong.f90');
    await s.squiggles().first().waitFor({ state: 'attached' });
    await s.page.locator('.editor-actions .action-label.codicon-play').first().waitFor();
    ok('with cufls.fortranFiles they are this extension\'s too');
  },
};
