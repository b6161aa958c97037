// Conversion of flang's messages. Positions go through the provenance map, so that a message in an
// include file or a macro names the line the user wrote; columns are mapped back over the bytes
// that the dialect rewrite inserted.
#include "frontend/messages.h"
#include "base/diag.h"
#include "base/mistake_diag.h"
#include "base/removed_routines.h"
#include "flang/Parser/message.h"
#include "frontend/cuf_kernel_branches.h"
#include "frontend/edits.h"
#include "frontend/false_errors.h"
#include "frontend/flang_codes.h"
#include "frontend/name_suggestions.h"
#include "frontend/partial_interfaces.h"
#include "frontend/repeated_errors.h"
#include "frontend/replaceable.h"
#include "frontend/syntax_errors.h"
#include "frontend/syntax_fixes.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace cufc {
namespace {

using Fortran::parser::Message;

// Parts of the grammar that flang names around a syntax error and that tell a reader nothing.
bool isNoise(std::string_view text) {
  std::string_view end = text.substr(text.size() - std::min<size_t>(text.size(), 5));
  return end == " part" || text == "declaration construct" || text == "execution part construct" ||
         text == "statement function definition";
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

SourceRange sourceRange(const FlangProgram &program,
                        const Fortran::parser::ProvenanceRange &provenance) {
  const Fortran::parser::AllSources &sources = program.sources;
  auto begin = sources.GetSourcePosition(provenance.start());
  if (!begin)
    return {};
  SourceRange result{userPath(program, *begin->path), begin->line, begin->column, begin->line,
                     begin->column + 1};
  if (provenance.size() > 1)
    if (auto end = sources.GetSourcePosition(provenance.start() + (provenance.size() - 1));
        end && *end->path == *begin->path) {
      result.endLine = end->line;
      result.endColumn = end->column + 1;
    }
  result.column = originalColumn(program, *begin->path, result.line, result.column);
  result.endColumn = originalColumn(program, *begin->path, result.endLine, result.endColumn);
  return result;
}

class Converter {
public:
  explicit Converter(const FlangProgram &program) : program(program) {}

  Diagnostic convert(const Message &message) const {
    Diagnostic result{severity(message), {}, message.ToString(), range(message), {}};
    for (const Message *related = message.attachment().get(); related && result.related.size() < 4;
         related = related->attachment().get())
      if (std::string text = related->ToString(); !isNoise(text))
        result.related.push_back({Severity::Note, {}, text, range(*related), {}});
    return result;
  }

  // A message of the parser: its attachments are the constructs around the place, from the inside
  // out. Those that begin on the same line show there already.
  Diagnostic convertSyntax(const Message &message) const {
    Diagnostic result{severity(message), {}, message.ToString(), range(message), {}};
    for (const Message *around = message.attachment().get(); around && result.related.size() < 2;
         around = around->attachment().get()) {
      SourceRange place = range(*around);
      std::string text = around->ToString();
      bool known = place.line == result.range.line ||
                   (!result.related.empty() && place.line == result.related.back().range.line);
      if (place.line > 0 && !known && !isNoise(text))
        result.related.push_back({Severity::Note, {}, "in this " + text, place, {}});
    }
    return result;
  }

private:
  static Severity severity(const Message &message) {
    if (message.IsFatal())
      return Severity::Error;
    switch (message.severity()) {
    case Fortran::parser::Severity::Because:
    case Fortran::parser::Severity::Context:
    case Fortran::parser::Severity::None:
      return Severity::Note;
    default:
      return Severity::Warning;
    }
  }

  SourceRange range(const Message &message) const {
    auto provenance = message.GetProvenanceRange(program.cooked);
    return provenance ? sourceRange(program, *provenance) : SourceRange{};
  }

  const FlangProgram &program;
};

auto key(const Diagnostic &d) {
  return std::tie(d.range.file, d.range.line, d.range.column, d.message);
}

// Sorts by place and drops repetitions.
void sortByPlace(std::vector<Diagnostic> &found) {
  std::sort(found.begin(), found.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto same = [](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

// What a check of checks/ says better, as an error.
bool isCheckedByUs(const std::string &message) {
  return message == "I/O statement might not be supported on device" ||
         endsWith(message, "should not have the SAVE attribute or initialization in a device "
                           "subprogram");
}

// The first word of a text in capital letters, which is taken from it with the blanks around.
std::string takeWord(std::string_view &text) {
  std::string word;
  auto skipBlanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); };
  skipBlanks();
  for (;
       !text.empty() && (std::isalnum(static_cast<unsigned char>(text.front())) || text[0] == '_');
       text.remove_prefix(1))
    word += static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  skipBlanks();
  return word;
}

// What a statement is called, by the words that it opens with: "WRITE", "FAIL IMAGE".
std::string statementName(const Message &message, const FlangProgram &program) {
  static constexpr std::pair<std::string_view, std::string_view> longer[] = {
      {"FAIL", "FAIL IMAGE"},          {"RETURN", "an alternate RETURN"},
      {"SYNC", "image control"},       {"GO", "an assigned GO TO"},
      {"GOTO", "an assigned GO TO"},   {"ASSIGN", "ASSIGN"},
      {"EVENT", "EVENT POST or WAIT"}, {"FORM", "FORM TEAM"},
      {"CHANGE", "CHANGE TEAM"},       {"", "a CUF kernel"}};
  auto provenance = message.GetProvenanceRange(program.cooked);
  const char *text = provenance ? program.sources.GetSource(*provenance) : nullptr;
  std::string_view rest(text ? text : "", text ? provenance->size() : 0);
  rest.remove_prefix(std::min(rest.find_first_not_of(" 0123456789"), rest.size()));
  std::string word = takeWord(rest);
  if (!rest.empty() && rest.front() == ':') { // the name of a construct
    rest.remove_prefix(1);
    word = takeWord(rest);
  }
  if (word == "SELECT")
    return word + " " + takeWord(rest);
  for (const auto &[first, name] : longer)
    if (word == first)
      return std::string(name);
  return word;
}

// Why something cannot be assigned, in a note of a message: "'c' has ATTRIBUTES(CONSTANT) and ...".
constexpr std::string_view
    constantData = "' has ATTRIBUTES(CONSTANT) and is not definable in a device subprogram",
    hostVariable = "' is a host variable and is not definable in a device subprogram";

// The name that such a note begins with; empty if there is none.
std::string subjectOf(const Diagnostic &diagnostic, std::string_view reason) {
  for (const Diagnostic &note : diagnostic.related)
    if (endsWith(note.message, reason))
      return note.message.substr(1, note.message.size() - reason.size() - 1);
  return {};
}

// The module whose file was not found, or an empty name.
std::string missingModule(const Diagnostic &diagnostic) {
  constexpr std::string_view begin = "Cannot parse module file for module '",
                             end = "' was not found";
  if (diagnostic.message.rfind(begin, 0) != 0 || !endsWith(diagnostic.message, end))
    return {};
  return diagnostic.message.substr(begin.size(),
                                   diagnostic.message.find('\'', begin.size()) - begin.size());
}

// Modules of nvfortran's that this compiler does not have.
bool isUnsupportedModule(std::string_view name) {
  static constexpr std::string_view names[] = {"accel_lib", "openacc_cublas", "openacc_curand"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The name that a message says is not there, or an empty one.
std::string undeclaredName(const std::string &message) {
  static constexpr std::string_view beginnings[] = {"No explicit type declared for '",
                                                    "Derived type '", "'"};
  static constexpr std::string_view endings[] = {"'", "' not found", "' not found in module '"};
  for (int i = 0; i < 3; ++i) {
    if (message.rfind(beginnings[i], 0) != 0)
      continue;
    size_t begin = beginnings[i].size(), end = message.find(endings[i], begin);
    if (end != std::string::npos && message.find('\'', begin) == end)
      return message.substr(begin, end - begin);
  }
  return {};
}

// What flang only warns of, or says badly, since its own back end accepts it, and ours does not.
void raiseToErrors(Diagnostic &diagnostic, const Message &message, const FlangProgram &program) {
  Diagnostics ours;
  std::string name;
  if (diagnostic.message == "Statement may not appear in device code")
    ours.report(Diag::DeviceStatement, diagnostic.range, statementName(message, program));
  else if (name = subjectOf(diagnostic, constantData); !name.empty())
    ours.report(Diag::ConstantAssigned, diagnostic.range, name);
  else if (name = subjectOf(diagnostic, hostVariable); !name.empty())
    ours.report(Diag::DeviceUsesHostData, diagnostic.range, name);
  else if (auto branch = cufKernelBranch(diagnostic.message))
    ours.report(*branch, diagnostic.range);
  else if (name = missingModule(diagnostic); isUnsupportedModule(name))
    ours.report(Diag::ModuleUnsupported, diagnostic.range, name);
  else if (name = undeclaredName(diagnostic.message); !removedName(name).advice.empty())
    ours.report(MistakeDiag::NameRemoved, diagnostic.range, name,
                std::string(removedName(name).module), removedName(name).advice);
  else
    return;
  Diagnostic better = ours.list().front();
  for (Diagnostic &note : diagnostic.related) // where things are declared
    if (note.message.rfind("Declaration of ", 0) == 0)
      better.related.push_back(std::move(note));
  diagnostic = std::move(better);
}

FlangWarning warningOf(const Message &message) {
  if (auto warning = message.usageWarning())
    return {std::string(Fortran::common::EnumToString(*warning)), false};
  if (auto feature = message.languageFeature())
    return {std::string(Fortran::common::EnumToString(*feature)), true};
  return {};
}

// A diagnostic with the scope that it stands in.
struct Found {
  Diagnostic diagnostic;
  const Fortran::semantics::Scope *scope;
};

using Scope = Fortran::semantics::Scope;

// What lacks because a module or a type is missing: names in program units that use such a module,
// names that are declared with such a type, and their components.
class Consequences {
public:
  // With `partial`, modules lack names that belong to ones that are not there.
  Consequences(const std::vector<Found> &found, bool partial) : partial(partial) {
    for (const Found &f : found)
      if (f.diagnostic.code == "CUF1103")
        incomplete.insert(f.scope);
      else if (f.diagnostic.code == "CUF1106" || f.diagnostic.code == "CUF1049")
        lines.insert({f.diagnostic.range.file, f.diagnostic.range.line});
    for (const Found &f : found)
      if (const Diagnostic &d = f.diagnostic;
          d.code == "CUF1101" && lines.count({d.range.file, d.range.line}))
        names.insert({unitOf(f.scope), d.message});
    for (const Found &f : found)
      if (f.diagnostic.code != noObject)
        errorLines.insert({f.diagnostic.range.file, f.diagnostic.range.line});
  }

  bool include(const Found &f) const {
    const Diagnostic &d = f.diagnostic;
    if (endsWith(d.message, "; it is implicitly typed") &&
        (partial || !(lines.empty() && incomplete.empty())))
      return true;
    // Of a generic name or an operator procedures may be missing.
    if (partial &&
        (d.code == "CUF1104" || d.code == "CUF1107" || d.code == "CUF1214" ||
         (d.code == "CUF1203" && d.message.find(" is not defined for ") != std::string::npos)))
      return true;
    if (d.code == "CUF1101" && names.count({unitOf(f.scope), d.message}))
      return true;
    if (d.code == noObject && endsWith(d.message, "that can appear in an expression"))
      return !lines.empty() || hasBadSelector(d) || partial || inIncomplete(f.scope);
    // An imported name, a kind after "_", and a procedure that is called with keywords, may be the
    // module's.
    bool imported = d.code == "CUF1104" && endsWith(d.message, "not found in host scope");
    bool kind = d.code == "CUF1390" && d.message.rfind("Parameter '", 0) == 0;
    bool keywords = d.code == "CUF1216" && d.message.rfind("keywords need", 0) == 0;
    return (imported || kind || keywords || d.code == "CUF1101" || d.code == "CUF1106" ||
            d.code == "CUF1109") &&
           (partial || inIncomplete(f.scope));
  }

private:
  // An ASSOCIATE name whose selector means nothing: the selector's error says it.
  bool hasBadSelector(const Diagnostic &diagnostic) const {
    return std::any_of(diagnostic.related.begin(), diagnostic.related.end(),
                       [&](const Diagnostic &note) {
                         return note.range.line != diagnostic.range.line &&
                                errorLines.count({note.range.file, note.range.line});
                       });
  }
  bool inIncomplete(const Scope *scope) const {
    for (; scope; scope = scope->IsTopLevel() ? nullptr : &scope->parent())
      if (incomplete.count(scope))
        return true;
    return false;
  }

  static constexpr std::string_view noObject = "CUF1110";
  const bool partial;
  std::set<std::pair<std::string, int>> errorLines;
  std::set<const Scope *> incomplete;          // that use a missing module
  std::set<std::pair<std::string, int>> lines; // of declarations with a missing type
  std::set<std::pair<const Scope *, std::string>> names;
};

// Leaves consequences out, and reports a name that is not declared once in each program unit.
void dropFollowers(std::vector<Found> &found, bool partial) {
  Consequences consequences(found, partial);
  std::sort(found.begin(), found.end(),
            [](const Found &a, const Found &b) { return key(a.diagnostic) < key(b.diagnostic); });
  std::set<std::pair<const Scope *, std::string>> reported;
  std::vector<Found> kept;
  for (Found &f : found) {
    bool again = f.diagnostic.code == "CUF1101" &&
                 !reported.insert({unitOf(f.scope), f.diagnostic.message}).second;
    if (!again && !consequences.include(f))
      kept.push_back(std::move(f));
  }
  found = std::move(kept);
}

bool hasLaunch(const SourceRange &range, SourceLines &lines) {
  return lines.line(range.file, range.line).find("<<<") != std::string_view::npos;
}

// A module that is not used is told of once in a unit; what follows from another mistake in the
// same line goes.
void dropRepeatedMistakes(std::vector<Diagnostic> &list, const FlangProgram &program) {
  std::set<std::tuple<std::string, int, std::string>> uses;
  std::set<std::pair<int, std::string>> codes;
  for (const Diagnostic &diagnostic : list)
    codes.insert({diagnostic.range.line, diagnostic.code});
  bool kernelFunction = std::any_of(
      program.replaceable.begin(), program.replaceable.end(), [](const Replaceable &message) {
        return message.text.find("A function may not have ATTRIBUTES(GLOBAL)") == 0;
      });
  SourceLines lines;
  lines.add(program.path, program.source);
  bool moduleMissing = std::any_of(list.begin(), list.end(), [](const Diagnostic &d) {
    return d.code == "CUF1048" && d.message.find("dim3") != std::string::npos;
  });
  const std::set<std::string> arrays = arraysWithoutExtents(list);
  auto follows = [&](const Diagnostic &d) {
    if (d.code == "CUF1212" && d.range.endLine == d.range.line)
      return arrays.count(lowerCase(
                 lines.line(d.range.file, d.range.line)
                     .substr(static_cast<size_t>(d.range.column) - 1,
                             static_cast<size_t>(d.range.endColumn - d.range.column)))) != 0;
    auto has = [&](const char *code) { return codes.count({d.range.line, code}) != 0; };
    if (d.code == "CUF1048" && !d.fixes.empty()) {
      const TextEdit &edit = d.fixes.front().edits.front();
      return !uses.insert({d.range.file, edit.range.line, edit.text}).second;
    }
    return (d.code == "CUF1214" && has("CUF1109")) || (d.code == "CUF1309" && has("CUF1216")) ||
           (d.code == "CUF1252" && moduleMissing) ||
           (d.code == "CUF1109" && kernelFunction && hasLaunch(d.range, lines));
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

} // namespace

const std::string &userPath(const FlangProgram &program, const std::string &path) {
  bool prefixed = path.size() == program.path.size() + 2 && path.compare(0, 2, "./") == 0 &&
                  path.compare(2, std::string::npos, program.path) == 0;
  return prefixed ? program.path : path;
}

SourceRange rangeOf(const FlangProgram &program, Fortran::parser::CharBlock text) {
  auto provenance = program.cooked.GetProvenanceRange(text);
  return provenance ? sourceRange(program, *provenance) : SourceRange{};
}

Mistakes mistakesIn(const FlangProgram &program) {
  bool cuda = program.options.features.IsEnabled(Fortran::common::LanguageFeature::CUDA);
  return {program.path, program.source, program.options.isFixedForm, cuda};
}

void collectMessages(Fortran::parser::Messages &messages, FlangProgram &program, bool warnings,
                     Diagnostics &diagnostics) {
  Converter converter(program);
  std::vector<Found> found;
  for (const Message &message : messages.messages()) {
    Diagnostic diagnostic = converter.convert(message);
    if (isCheckedByUs(diagnostic.message))
      continue;
    std::string_view better = betterCodes(diagnostic.message);
    if (!subjectOf(diagnostic, hostVariable).empty())
      better = "CUF0203 CUF0266"; // threadIdx is one for flang
    std::string text = diagnostic.message;
    raiseToErrors(diagnostic, message, program);
    if (diagnostic.code == "CUF0244")
      better = {};
    if (diagnostic.severity != Severity::Error &&
        !(warnings && diagnostic.severity == Severity::Warning))
      continue;
    giveCode(diagnostic, warningOf(message));
    if (!better.empty()) {
      program.replaceable.push_back({std::move(diagnostic), std::move(text), better});
      continue;
    }
    found.push_back({std::move(diagnostic), scopeAround(program, message)});
  }
  dropFollowers(found, program.context && usesPartialModules(program));
  std::vector<Diagnostic> list;
  std::optional<Mistakes> mistakes;
  constexpr std::string_view logicalComparison = "CUF1322"; // a warning that has a fix
  for (Found &f : found) {
    std::optional<Diagnostic> better;
    if (f.diagnostic.severity == Severity::Error || f.diagnostic.code == logicalComparison) {
      if (!mistakes)
        mistakes.emplace(mistakesIn(program));
      better = mistakes->ofName(f.diagnostic);
    }
    if (!better)
      suggestName(f.diagnostic, f.scope, program);
    list.push_back(better ? std::move(*better) : std::move(f.diagnostic));
  }
  dropRepeatedMistakes(list, program);
  dropSame(list);
  sortByPlace(list);
  mergeErrors(list);
  for (Diagnostic &diagnostic : list)
    diagnostics.add(std::move(diagnostic));
}

std::vector<Diagnostic> errorsIn(Fortran::parser::Messages &messages, FlangProgram &program) {
  Converter converter(program);
  std::vector<Diagnostic> errors;
  for (const Message &message : messages.messages())
    if (message.IsFatal())
      errors.push_back(converter.convert(message));
  return errors;
}

void collectSyntaxErrors(Fortran::parser::Messages &messages, const FlangProgram &program,
                         bool warnings, Diagnostics &diagnostics) {
  Converter converter(program);
  std::vector<Diagnostic> errors;
  std::vector<Diagnostic> found;
  for (const Message &message : messages.messages()) {
    Diagnostic diagnostic = converter.convertSyntax(message);
    if (diagnostic.severity == Severity::Error) {
      errors.push_back(std::move(diagnostic));
    } else if (warnings && diagnostic.severity == Severity::Warning) {
      giveCode(diagnostic, warningOf(message));
      found.push_back(std::move(diagnostic));
    }
  }
  reduceSyntaxErrors(errors);
  if (!errors.empty()) {
    SourceLines lines;
    lines.add(shownPath(program.path), program.source);
    Mistakes mistakes = mistakesIn(program);
    if (auto whole = mistakes.ofFile()) {
      errors = {std::move(*whole)};
      found.clear();
    } else {
      for (Diagnostic &error : errors)
        if (auto better = mistakes.ofSyntax(error))
          error = std::move(*better);
        else
          explainSyntaxError(error, lines);
      dropUnopenedEnds(errors, lines);
      dropSame(errors);
    }
  }
  for (Diagnostic &error : errors)
    giveCode(error, {});
  found.insert(found.end(), errors.begin(), errors.end());
  sortByPlace(found);
  for (Diagnostic &diagnostic : found)
    diagnostics.add(std::move(diagnostic));
}

} // namespace cufc
