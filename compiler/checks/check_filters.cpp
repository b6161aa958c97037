// See check_filters.h. The list is in `filterMessages`.
#include "checks/check_filters.h"
#include "base/flang_phrases.h"
#include "checks/fixes.h"
#include "frontend/modules/partial_interfaces.h"
#include "source/spelling.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

// Whether a check has reported an error on the lines of the message, with one of its codes.
bool isReplaced(const Replaceable &message, const std::vector<Diagnostic> &found) {
  const SourceRange &range = message.diagnostic.range;
  return std::any_of(found.begin(), found.end(), [&](const Diagnostic &other) {
    return other.range.file == range.file && other.range.endLine >= range.line &&
           other.range.line <= std::max(range.line, range.endLine) &&
           message.codes.find(other.code) != std::string_view::npos;
  });
}

// flang's warnings of variables that are never used, where a hint of ours says the same and mends
// it.
void dropRepeated(const std::vector<Diagnostic> &found, std::vector<Diagnostic> &list) {
  constexpr std::string_view ending = " never used"; // in any wording of flang
  auto same = [](const Diagnostic &one, const Diagnostic &other) {
    return std::tie(one.range.file, one.range.line, one.range.column) ==
           std::tie(other.range.file, other.range.line, other.range.column);
  };
  auto repeated = [&](const Diagnostic &diagnostic) {
    const std::string &text = diagnostic.message;
    return diagnostic.severity == Severity::Warning && text.size() > ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0 &&
           std::any_of(found.begin(), found.end(), [&](const Diagnostic &ours) {
             return ours.tag == DiagnosticTag::Unnecessary && same(ours, diagnostic);
           });
  };
  list.erase(std::remove_if(list.begin(), list.end(), repeated), list.end());
}

// What flang says of the arguments of a function that is none.
void dropArgumentsOfUndeclared(std::vector<Diagnostic> &list) {
  std::vector<std::pair<std::string, int>> lines; // of calls of functions that are none
  for (const Diagnostic &diagnostic : list)
    if (diagnostic.code == "CUF1051")
      lines.emplace_back(diagnostic.range.file, diagnostic.range.line);
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF1309" &&
           std::count(lines.begin(), lines.end(), std::pair(d.range.file, d.range.line)) != 0;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

bool isInside(const SourceRange &place, const SourceRange &outer) {
  return place.file == outer.file && place.line >= outer.line && place.line <= outer.endLine;
}

// Where an argument lies, if the procedure cannot be called there anyway.
void dropArgumentsOfHostProcedures(std::vector<Diagnostic> &list) {
  std::vector<std::pair<std::string, int>> lines;
  for (const Diagnostic &diagnostic : list)
    if (diagnostic.code == "CUF0201")
      lines.emplace_back(diagnostic.range.file, diagnostic.range.line);
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF0219" &&
           std::count(lines.begin(), lines.end(), std::pair(d.range.file, d.range.line)) != 0;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// Where an argument lies that the procedure does not take for its type or rank.
void dropMemoryOfOtherTypes(std::vector<Diagnostic> &list, const std::vector<Diagnostic> &before) {
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF0219" &&
           std::any_of(before.begin(), before.end(), [&](const Diagnostic &other) {
             return other.code == "CUF1213" && other.range.file == d.range.file &&
                    other.range.line == d.range.line && other.range.column == d.range.column;
           });
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// A kernel without attributes(global) is told of where it is launched, with what mends it; its
// thread indices and the arguments of the launch follow from that. Without a launch the first of
// its thread indices stands for all.
void dropFollowersOfHostCode(const CheckContext &context, std::vector<Diagnostic> &list) {
  std::vector<SourceRange> procedures, bodies, launches;
  for (const Procedure &procedure : context.procedures.all()) {
    if (procedure.scope)
      procedures.push_back(rangeOf(context.program, procedure.scope->sourceRange()));
    for (const ProcedureCall &call : procedure.calls) {
      SourceRange place = rangeOf(context.program, statementAround(context, call.place));
      bool reported = std::any_of(list.begin(), list.end(), [&](const Diagnostic &d) {
        return d.code == "CUF1050" && isInside(d.range, place);
      });
      if (!reported)
        continue;
      launches.push_back(place);
      if (const auto *scope = call.callee ? call.callee->GetUltimate().scope() : nullptr)
        bodies.push_back(rangeOf(context.program, scope->sourceRange()));
    }
  }
  auto inAny = [](const SourceRange &place, const std::vector<SourceRange> &all) {
    return std::any_of(all.begin(), all.end(),
                       [&](const SourceRange &one) { return isInside(place, one); });
  };
  std::vector<SourceRange> told;
  auto follows = [&](const Diagnostic &d) {
    if (d.code == "CUF0219" || d.code == "CUF0229")
      return inAny(d.range, launches);
    if (d.code != "CUF0226")
      return false;
    if (inAny(d.range, bodies) || inAny(d.range, told))
      return true;
    for (const SourceRange &procedure : procedures)
      if (isInside(d.range, procedure))
        told.push_back(procedure);
    return false;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// What the front end says of LOCAL in the loop of a CUF kernel explains why the variable is one of
// the host there.
void dropOfLocality(std::vector<Diagnostic> &list, const std::vector<Diagnostic> &before) {
  auto nameIn = [](const Diagnostic &diagnostic) {
    size_t begin = diagnostic.message.find('\''), end = diagnostic.message.find('\'', begin + 1);
    return diagnostic.message.substr(begin, end - begin);
  };
  for (const Diagnostic &local : before)
    if (local.code == "CUF0284")
      list.erase(std::remove_if(list.begin(), list.end(),
                                [&](const Diagnostic &diagnostic) {
                                  return diagnostic.code == "CUF0203" &&
                                         nameIn(diagnostic) == nameIn(local);
                                }),
                 list.end());
}

// The USE statement that the front end asks for declares the functions, too.
void dropOfMissingUse(std::vector<Diagnostic> &list, const std::vector<Diagnostic> &before) {
  auto asksForUse = [](const Diagnostic &diagnostic) { return diagnostic.code == "CUF1048"; };
  if (std::any_of(before.begin(), before.end(), asksForUse))
    list.erase(std::remove_if(list.begin(), list.end(), asksForUse), list.end());
}

// What would not be said of a procedure if its module were there; of known ones the checks say it.
bool isAboutInterface(const Replaceable &message) {
  return isPhrase(message.text, Phrase::NotCallable) ||
         isPhrase(message.text, Phrase::ChevronsForNoKernel) ||
         isPhrase(message.text, Phrase::ImplicitInterface);
}

// What flang said and nothing replaces joins what the checks have found.
void addUndecided(FlangProgram &program, const std::vector<Diagnostic> &found,
                  const std::vector<Diagnostic> &before, std::vector<Diagnostic> &list) {
  const bool lacksNames = mayLackNames(program);
  for (const Replaceable &message : program.replaceable) {
    std::optional<MessageFilter> filter;
    if (isReplaced(message, found) || isReplaced(message, before))
      filter = MessageFilter::BetterByCheck;
    else if (lacksNames && isAboutInterface(message))
      filter = MessageFilter::OfMissingInterface;
    if (filter)
      program.dropped.push_back({nameOf(*filter), message.diagnostic});
    else
      list.push_back(message.diagnostic);
  }
}

void dropRepetitions(std::vector<Diagnostic> &list) {
  auto key = [](const Diagnostic &d) {
    return std::tie(d.range.file, d.range.line, d.range.column, d.message);
  };
  std::sort(list.begin(), list.end(),
            [&](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto same = [&](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

} // namespace

void filterMessages(CheckContext &context, Program &program, const std::vector<Diagnostic> &found,
                    bool hazards, Diagnostics &diagnostics) {
  DroppedMessages &dropped = context.program.dropped;
  std::vector<Diagnostic> list = found, before = diagnostics.list();
  if (hazards)
    applyFilters({{MessageFilter::BetterByHint, [&](auto &all) { dropRepeated(found, all); }}},
                 before, dropped);
  addUndecided(context.program, found, before, list);
  applyFilters({{MessageFilter::OfLocality, [&](auto &all) { dropOfLocality(all, before); }},
                {MessageFilter::OfMissingUse, [&](auto &all) { dropOfMissingUse(all, before); }}},
               list, dropped);
  program.dropConsequencesOfRecovery(list);
  applyFilters(
      {{MessageFilter::OfHostCode, [&](auto &all) { dropFollowersOfHostCode(context, all); }},
       {MessageFilter::OfHostProcedure, dropArgumentsOfHostProcedures},
       {MessageFilter::OfOtherType, [&](auto &all) { dropMemoryOfOtherTypes(all, before); }}},
      list, dropped);
  restoreSpelling(list, program.options().path, context.program.source);
  applyFilters({{MessageFilter::SamePlace, dropRepetitions}}, list, dropped);
  for (const Diagnostic &diagnostic : list)
    if (context.options.warnings || diagnostic.severity == Severity::Error)
      before.push_back(diagnostic);
  applyFilters({{MessageFilter::OfUndeclared, dropArgumentsOfUndeclared}}, before, dropped);
  diagnostics.replace(std::move(before));
}

} // namespace cufc
