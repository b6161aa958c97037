// Conversion of flang's messages. Positions go through the provenance map, so that a message in an
// include file or a macro names the line the user wrote; columns are mapped back over the bytes
// that the dialect rewrite inserted.
#include "frontend/messages.h"
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "base/mistake_diag.h"
#include "base/removed_routines.h"
#include "flang/Parser/message.h"
#include "frontend/edits.h"
#include "frontend/flang_codes.h"
#include "frontend/message_filters.h"
#include "frontend/modules/partial_interfaces.h"
#include "frontend/name_suggestions.h"
#include "frontend/replaceable.h"
#include "frontend/syntax_errors.h"
#include "frontend/syntax_fixes.h"
#include "frontend/workarounds/cuf_kernel_branches.h"
#include <algorithm>
#include <cctype>
#include <optional>
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
void dropRepetitions(std::vector<Diagnostic> &found) {
  std::sort(found.begin(), found.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto same = [](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
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

// The name in a note that says why something cannot be assigned: "'c' has ATTRIBUTES(CONSTANT) and
// ..."; empty if there is none.
std::string subjectOf(const Diagnostic &diagnostic, Phrase reason) {
  for (const Diagnostic &note : diagnostic.related)
    if (std::string name = inPhrase(note.message, reason, 0); !name.empty())
      return name;
  return {};
}

// Modules of nvfortran's that this compiler does not have.
bool isUnsupportedModule(std::string_view name) {
  static constexpr std::string_view names[] = {"accel_lib", "openacc_cublas", "openacc_curand"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The name that a message says is not there, or an empty one.
std::string undeclaredName(const std::string &message) {
  for (Phrase phrase : {Phrase::NoType, Phrase::NoDerivedType, Phrase::NotInModule})
    if (std::string name = inPhrase(message, phrase, 0); !name.empty())
      return name;
  return {};
}

// What flang only warns of, or says badly, since its own back end accepts it, and ours does not.
void raiseToErrors(Diagnostic &diagnostic, const Message &message, const FlangProgram &program) {
  Diagnostics ours;
  std::string name;
  if (isPhrase(diagnostic.message, Phrase::DeviceStatement))
    ours.report(Diag::DeviceStatement, diagnostic.range, statementName(message, program));
  else if (name = subjectOf(diagnostic, Phrase::ConstantAssigned); !name.empty())
    ours.report(Diag::ConstantAssigned, diagnostic.range, name);
  else if (name = subjectOf(diagnostic, Phrase::HostVariableAssigned); !name.empty())
    ours.report(Diag::DeviceUsesHostData, diagnostic.range, name);
  else if (auto branch = cufKernelBranch(diagnostic.message))
    ours.report(*branch, diagnostic.range);
  else if (name = inPhrase(diagnostic.message, Phrase::ModuleFileMissing, 0);
           isUnsupportedModule(name))
    ours.report(Diag::ModuleUnsupported, diagnostic.range, name);
  else if (name = undeclaredName(diagnostic.message); !removedName(name).advice.empty())
    ours.report(MistakeDiag::NameRemoved, diagnostic.range, name,
                std::string(removedName(name).module), removedName(name).advice);
  else
    return;
  Diagnostic better = ours.list().front();
  for (Diagnostic &note : diagnostic.related) // where things are declared
    if (isPhrase(note.message, Phrase::Declaration))
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
  return {program.path, program.source, program.options.isFixedForm, program.fixedColumns, cuda};
}

Diagnostic diagnosticOf(const Message &message, const FlangProgram &program) {
  return Converter(program).convert(message);
}

namespace {

// Over the border: flang's messages with codes of ours. What a check may say better waits in
// `program` for the checks.
std::vector<Found> takeMessages(Fortran::parser::Messages &messages, FlangProgram &program,
                                bool warnings) {
  Converter converter(program);
  std::vector<Found> found;
  auto drop = [&](MessageFilter filter, Diagnostic diagnostic) {
    program.dropped.push_back({nameOf(filter), std::move(diagnostic)});
  };
  for (const Message &message : messages.messages()) {
    Diagnostic diagnostic = converter.convert(message);
    if (isPhrase(diagnostic.message, Phrase::DeviceIo) ||
        isPhrase(diagnostic.message, Phrase::SavedInDevice)) {
      drop(MessageFilter::CheckedByUs, std::move(diagnostic));
      continue;
    }
    std::string_view better = betterCodes(diagnostic.message);
    if (!subjectOf(diagnostic, Phrase::HostVariableAssigned).empty())
      better = "CUF0203 CUF0266"; // threadIdx is one for flang
    std::string text = diagnostic.message;
    raiseToErrors(diagnostic, message, program);
    if (diagnostic.code == "CUF0244")
      better = {};
    if (diagnostic.severity != Severity::Error &&
        !(warnings && diagnostic.severity == Severity::Warning)) {
      drop(MessageFilter::WarningsOff, std::move(diagnostic));
      continue;
    }
    giveCode(diagnostic, warningOf(message));
    if (!better.empty()) {
      program.replaceable.push_back({std::move(diagnostic), std::move(text), better});
      continue;
    }
    found.push_back({std::move(diagnostic), scopeAround(program, message)});
  }
  return found;
}

// What names may have been meant to be.
std::vector<Diagnostic> withSuggestions(std::vector<Found> found, const FlangProgram &program) {
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
  return list;
}

// Syntax errors in words of ours. A mistake that concerns the whole file is all there is to say.
void explainSyntaxErrors(std::vector<Diagnostic> &errors, std::vector<Diagnostic> &warnings,
                         FlangProgram &program) {
  SourceLines lines;
  lines.add(shownPath(program.path), program.source);
  Mistakes mistakes = mistakesIn(program);
  if (auto whole = mistakes.ofFile()) {
    applyFilters({{MessageFilter::WrongFile, [&](auto &all) { all = {*whole}; }}}, errors,
                 program.dropped);
    warnings.clear();
    return;
  }
  for (Diagnostic &error : errors)
    if (auto better = mistakes.ofSyntax(error))
      error = std::move(*better);
    else
      explainSyntaxError(error, lines);
  applyFilters({{MessageFilter::UnopenedEnds, [&](auto &all) { dropUnopenedEnds(all, lines); }}},
               errors, program.dropped);
}

} // namespace

void collectMessages(Fortran::parser::Messages &messages, FlangProgram &program, bool warnings,
                     Diagnostics &diagnostics) {
  std::vector<Found> found = takeMessages(messages, program, warnings);
  dropFollowers(found, program.context && usesPartialModules(program), program.dropped);
  std::vector<Diagnostic> list = withSuggestions(std::move(found), program);
  applyFilters(
      {{MessageFilter::OtherMistake, [&](auto &all) { dropRepeatedMistakes(all, program); }},
       {MessageFilter::SamePlace, dropRepetitions},
       {MessageFilter::PartOfIt, mergeErrors}},
      list, program.dropped);
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

void collectSyntaxErrors(Fortran::parser::Messages &messages, FlangProgram &program, bool warnings,
                         Diagnostics &diagnostics) {
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
  applyFilters({{MessageFilter::OtherAlternatives, reduceSyntaxErrors}}, errors, program.dropped);
  if (!errors.empty())
    explainSyntaxErrors(errors, found, program);
  for (Diagnostic &error : errors)
    giveCode(error, {});
  found.insert(found.end(), errors.begin(), errors.end());
  dropRepetitions(found);
  for (Diagnostic &diagnostic : found)
    diagnostics.add(std::move(diagnostic));
}

} // namespace cufc
