// From the text of a Program to flang's tree. For an editor, a text that does not parse is parsed
// again without what the parser complained of, until the rest parses (source/recovery.h).
#include "base/diag.h"
#include "base/files.h"
#include "base/language_diag.h"
#include "base/ordinary_files.h"
#include "base/source_text.h"
#include "frontend/cooked_text.h"
#include "frontend/edits.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "frontend/messages.h"
#include "frontend/program.h"
#include "frontend/read_sources.h"
#include "frontend/workarounds/kernel_prefixes.h"
#include "source/conditional_lines.h"
#include "source/language_options.h"
#include "source/line_markers.h"
#include "source/recovery.h"
#include "source/text_checks.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <tuple>
#include <utility>

namespace cufc {
namespace {

constexpr int longestLine = 10000;

int columnsOf(const FrontendOptions &settings) { return languageIn(settings.macros).fixedColumns; }

// The form of the file is another, or CUDA is off: nothing in it can be read.
bool concernsFile(const std::vector<Diagnostic> &errors) {
  return std::any_of(errors.begin(), errors.end(), [](const Diagnostic &error) {
    return error.code == "CUF1043" || error.code == "CUF1044";
  });
}

// The next line that is neither blank nor a comment.
int lineAfter(const std::string &text, int line) {
  std::vector<std::string_view> lines = linesOf(text);
  for (size_t i = static_cast<size_t>(line); i < lines.size(); ++i) {
    size_t first = lines[i].find_first_not_of(" \t");
    if (first != std::string_view::npos && lines[i][first] != '!')
      return static_cast<int>(i) + 1;
  }
  return line + 1;
}

bool isSame(const Diagnostic &a, const Diagnostic &b) {
  return a.range.line == b.range.line && a.range.column == b.range.column && a.message == b.message;
}

// The parser does not take what an edit has made.
Diagnostic unreadEdit(const Diagnostics &errors, const FlangProgram &program) {
  SourceRange range;
  for (const Diagnostic &error : errors.list())
    if (error.severity == Severity::Error && range.file.empty())
      range = error.range;
  SourceLines lines;
  lines.add(program.path, program.source);
  std::string_view text = lines.line(range.file, range.line);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  Diagnostics ours;
  ours.report(LanguageDiag::EditRefused, range, std::string(text));
  return ours.list().front();
}

// Whether a line opens, goes on with or ends a block, by its first word.
bool concernsBlocks(std::string_view line) {
  static constexpr std::string_view words[] = {
      "if",     "else",       "do",       "end",    "select",    "case",  "where",
      "forall", "subroutine", "function", "module", "program",   "block", "associate",
      "for",    "while",      "contains", "type",   "interface", "elif"};
  size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  std::string text = lowerCase(line.substr(begin));
  if (text.empty() || text[0] == '}' || text.rfind("attributes", 0) == 0)
    return true;
  return text.find('{') != std::string::npos ||
         std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.rfind(word, 0) == 0; });
}

// ENDs that are missing are put in before anything is left out, so that no later round tells of
// them. They are mistakes of their own unless another mistake may have hidden the beginning or the
// end of a block.
void addMissingEnds(const std::vector<Diagnostic> &all, const std::string &text,
                    std::vector<Diagnostic> &errors) {
  std::vector<std::string_view> lines = linesOf(text);
  for (const Diagnostic &error : errors) {
    size_t line = static_cast<size_t>(std::max(error.range.line, 1));
    if (line <= lines.size() && concernsBlocks(lines[line - 1]))
      return;
  }
  for (const Diagnostic &error : all) {
    bool known = std::any_of(errors.begin(), errors.end(),
                             [&](const Diagnostic &other) { return isSame(error, other); });
    if (!known && (error.code == "CUF1042" || error.code == "CUF1002"))
      errors.push_back(error);
  }
}

} // namespace

bool Program::prescan(Diagnostics &diagnostics) {
  std::string text = !replacement.empty() ? replacement : settings.text.value_or(impl->source);
  // The file is read once, however often it is parsed.
  if (text.empty() && replacement.empty() && !settings.text && !readFile(settings.path, text)) {
    diagnostics.report(Diag::CannotRead, {}, settings.path, readFailure());
    return false;
  }
  impl->path = settings.path;
  impl->source = text;
  if (recovery)
    text = recovery->text();
  const int columns = columnsOf(settings);
  if (!checkText(settings.path, text, settings.fixedForm, columns, diagnostics))
    return false;
  std::string path = settings.path;
  impl->options.fixedFormColumns = impl->fixedColumns = columns;
  impl->rewrite = {};
  if (recovery) {
    const std::vector<Edit> closers = recovery->insertions();
    if (settings.fixedForm && !closers.empty()) { // which make lines longer
      cutLines(text, static_cast<size_t>(columns));
      impl->options.fixedFormColumns = longestLine;
    }
    impl->rewrite = rewriteDialect(text, settings.fixedForm, closers);
  }
  OpenedSentinels::Form form{settings.fixedForm, settings.cuda, usesOpenacc(settings)};
  if (recovery || !replacement.empty() || settings.text) {
    path = settings.scratchFile;
    const std::string &shown = recovery ? impl->rewrite.text : text;
    if (!writeFile(path, "#line 1 \"" + markedName(settings.path) + "\"\n" + shown)) {
      diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(errno)));
      return false;
    }
  } else {
    form.path = path;
    form.text = text;
  }
  impl->parsing = std::make_unique<Fortran::parser::Parsing>(impl->cooked);
  {
    OpenedSentinels sentinels(std::move(form));
    impl->parsing->Prescan(path, impl->options);
    if (!sentinels.sourceDiffered())
      return true;
  }
  settings.text = std::move(text); // the one that was read first
  const Fortran::parser::Options options = impl->options;
  restart();
  impl->options = options;
  return prescan(diagnostics);
}

bool Program::parseOnce(Diagnostics &diagnostics) {
  if (!prescan(diagnostics))
    return false;
  const bool edited = !settings.cuda || editCookedText(*impl, edits);
  Fortran::parser::Parsing &parsing = *impl->parsing;
  if (edited)
    parsing.Parse(llvm::nulls());
  if (edited && !parsing.messages().AnyFatalError() && parsing.parseTree() &&
      parsing.consumedWholeFile())
    return true;
  Diagnostics found;
  collectSyntaxErrors(parsing.messages(), *impl, settings.warnings, found);
  if (!edits.empty()) { // without them it could be parsed
    syntaxErrors.push_back(unreadEdit(found, *impl));
    edits.clear();
    restart();
    return parseOnce(diagnostics);
  }
  for (const Diagnostic &diagnostic : found.list())
    diagnostics.add(diagnostic);
  if (!diagnostics.hasErrors())
    diagnostics.report(Diag::ParserGaveUp, SourceRange{settings.path, 1, 1, 1, 2});
  return false;
}

// The first error is one; whether the others are, or follow from it, shows when it is mended. That
// is done for a few of them, so as not to parse too often.
bool Program::parse(Diagnostics &diagnostics) {
  constexpr int rounds = 40, singleRounds = 5;
  std::vector<Diagnostic> all; // of the text as it is
  for (int round = 0; round < rounds; ++round) {
    Diagnostics found;
    if (parseOnce(found)) {
      if (recovery)
        addMissingEnds(all, impl->source, syntaxErrors);
      return settings.analysis || !recovery;
    }
    std::vector<Diagnostic> errors;
    std::copy_if(found.list().begin(), found.list().end(), std::back_inserter(errors),
                 [](const Diagnostic &d) { return d.severity == Severity::Error; });
    bool placed = std::all_of(errors.begin(), errors.end(),
                              [](const Diagnostic &error) { return !error.range.file.empty(); });
    if (!placed || concernsFile(errors)) {
      for (const Diagnostic &diagnostic : found.list())
        diagnostics.add(diagnostic);
      return false;
    }
    bool single = round < singleRounds;
    if (!recovery && round == 0) {
      all = errors;
      for (const Diagnostic &diagnostic : found.list())
        if (!settings.analysis && diagnostic.severity != Severity::Error)
          diagnostics.add(diagnostic);
    }
    auto isIn = [](const std::vector<Diagnostic> &list, const Diagnostic &error) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Diagnostic &other) { return isSame(other, error); });
    };
    for (size_t i = 0; i < errors.size() && (i == 0 || !single); ++i)
      if (isIn(all, errors[i]) && !isIn(syntaxErrors, errors[i]))
        syntaxErrors.push_back(errors[i]);
    if (single)
      errors.resize(1, errors.front());
    leaveOut(errors);
  }
  return false;
}

void Program::leaveOut(const std::vector<Diagnostic> &errors) {
  edits.clear(); // their places are those of another text
  if (!recovery) {
    recovery = std::make_unique<Recovery>(impl->source, settings.fixedForm, columnsOf(settings));
    if (recovery->balance())
      return;
  }
  std::vector<Recovery::Place> places;
  for (const Diagnostic &error : errors) {
    if (error.range.file == settings.path)
      places.push_back({error.range.line, error.range.column});
    for (const Fix &fix : error.fixes) // at the other end of a block, or of a statement
      for (const TextEdit &edit : fix.edits)
        if (edit.range.file == settings.path && edit.range.line != error.range.line &&
            edit.range.endColumn > edit.range.column)
          places.push_back({edit.range.line, edit.range.column});
    if (error.code == "CUF1037")
      places.push_back({lineAfter(impl->source, error.range.line), error.range.column});
  }
  if (places.empty() && recovery->leaveOutIncludes()) // errors in other files
    return;
  recovery->leaveOut(places);
}

bool Program::preprocess(std::string &text, bool withLines, Diagnostics &diagnostics) {
  impl->options.prescanAndReformat = true;
  if (!prescan(diagnostics))
    return false;
  collectMessages(impl->parsing->messages(), *impl, settings.warnings, diagnostics);
  std::string written;
  llvm::raw_string_ostream stream(written);
  impl->parsing->EmitPreprocessedSource(stream, withLines);
  text = withLines ? withReadableMarkers(written, filesRead()) : std::move(written);
  return !diagnostics.hasErrors();
}

} // namespace cufc
