// Loops are split, joined, exchanged and made DO CONCURRENT, where dependence.h says that this
// changes nothing. Results are the same bit by bit: sums keep their order.
#include "base/source_text.h"
#include "ide/refactor/dependence.h"
#include <algorithm>

namespace cufc {
namespace {

std::string lineText(const RoutineText &text, size_t piece) {
  const Document &document = text.context.document();
  std::string lines;
  for (int line = text.pieces[piece].first; line <= text.pieces[piece].last; ++line)
    lines.append(lines.empty() ? "" : "\n").append(document.line(line));
  return lines;
}

// Why the lines of a loop cannot be changed.
std::string hindrance(const RoutineText &text, const DoLoop &loop, bool withDirectives = false) {
  if (!loop.refusal.empty())
    return loop.refusal;
  if (std::string refusal = text.fixedLines(loop.head, loop.end); !refusal.empty())
    return refusal;
  if (int line = withDirectives ? 0 : text.directiveFor(loop.head, loop.end); line > 0)
    return because(Refusal::Directive, line);
  return {};
}

// A loop that is all that this one holds.
DoLoop onlyInside(const RoutineText &text, const DoLoop &outer) {
  DoLoop inner = loopFrom(text, outer.head + 1);
  if (inner.refusal.empty() && inner.end + 1 != outer.end)
    inner.refusal = Refusal::NotNested;
  return inner;
}

bool dependsOn(const LoopControl &control, const std::string &variable) {
  return hasWord(lowerCase(control.lower + " " + control.upper + " " + control.step),
                 lowerCase(variable));
}

Refactored oneEdit(const RoutineText &text, const std::string &title,
                   std::vector<TextChange> edits) {
  Refactored change;
  change.title = title;
  change.edits[text.context.file.path] = std::move(edits);
  return change;
}

// Line ranges of statements, to be left out with their ends.
TextChange withoutLines(const RoutineText &text, size_t piece) {
  return {{{text.pieces[piece].first, 1}, {text.pieces[piece].last + 1, 1}}, ""};
}

std::string deviceDataIn(const RoutineText &text, const Accesses &accesses) {
  for (const auto &[symbol, places] : accesses.places)
    if (text.row(symbol).dataAttributes != 0)
      return text.row(symbol).name;
  return {};
}

// The loops from outside in that can be headers of one DO CONCURRENT.
std::vector<DoLoop> concurrentLoops(const RoutineText &text, const DoLoop &first,
                                    const Accesses &accesses, std::string &refusal) {
  std::vector<DoLoop> loops;
  for (DoLoop loop = first; loop.refusal.empty(); loop = onlyInside(text, loop)) {
    bool inner = std::any_of(loops.begin(), loops.end(), [&](const DoLoop &outer) {
      return dependsOn(loop.control, outer.control.variable);
    });
    std::string variable = lowerCase(loop.control.variable), reason;
    for (int symbol : accesses.changed)
      if (accesses.arrays.contains(symbol) &&
          !haveOwnElements(text, accesses.places.at(symbol), variable))
        reason = because(Refusal::CarriedArray, text.row(symbol).name);
    if (text.usedOutside(loop.variable, first.head, first.end))
      reason = because(Refusal::LoopVariableLater, loop.control.variable);
    if (inner || !reason.empty()) {
      if (loops.empty())
        refusal = reason;
      break;
    }
    loops.push_back(loop);
  }
  return loops;
}

std::string concurrentHead(const std::vector<DoLoop> &loops, const RoutineText &text,
                           const std::vector<int> &privates) {
  std::string head = "do concurrent (", locals;
  for (size_t i = 0; i < loops.size(); ++i) {
    const LoopControl &c = loops[i].control;
    head += (i > 0 ? ", " : "") + c.variable + " = " + c.lower + ":" + c.upper +
            (c.step.empty() ? "" : ":" + c.step);
  }
  for (int symbol : privates)
    locals += (locals.empty() ? "" : ", ") + text.row(symbol).name;
  return head + ")" + (locals.empty() ? "" : " local(" + locals + ")");
}

} // namespace

Refactored makeDoConcurrent(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  DoLoop loop = loopAt(text);
  if (std::string refusal = hindrance(text, loop); !refusal.empty())
    return refused("{}", refusal);
  if (text.scope().device)
    return refused(Refusal::DeviceCode);
  Accesses accesses = accessesOf(text, loop.bodyFirst(), loop.bodyLast());
  if (!accesses.refusal.empty())
    return refused("{}", accesses.refusal);
  if (std::string name = deviceDataIn(text, accesses); !name.empty())
    return refused(Refusal::DeviceData, name);
  std::string refusal;
  std::vector<DoLoop> loops = concurrentLoops(text, loop, accesses, refusal);
  if (loops.empty())
    return refused("{}", refusal.empty() ? Refusal::NoLoop : refusal.c_str());
  std::set<int> variables;
  for (const DoLoop &each : loops) {
    variables.insert(each.variable);
    if (std::string name = changedBound(text, each.control, accesses); !name.empty())
      return refused(Refusal::BoundsChange, name);
  }
  PrivateScalars scalars = privateScalars(text, accesses, loop.head, loop.end, variables);
  if (scalars.carried >= 0)
    return refused(Refusal::CarriedScalar, text.row(scalars.carried).name);
  std::string head = concurrentHead(loops, text, scalars.symbols);
  std::string blanks = text.indentation(loop.head);
  if (blanks.size() + head.size() > 130)
    return refused(Refusal::TooLong);
  std::vector<TextChange> edits = {{text.linesOf(loop.head, loop.head), blanks + head}};
  for (size_t i = 1; i < loops.size(); ++i) {
    edits.push_back(withoutLines(text, loops[i].head));
    edits.push_back(withoutLines(text, loops[i].end));
  }
  return oneEdit(text, "turn into DO CONCURRENT", std::move(edits));
}

Refactored makeInterchangeLoops(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  DoLoop outer = loopAt(text);
  if (std::string refusal = hindrance(text, outer); !refusal.empty())
    return refused("{}", refusal);
  DoLoop inner = onlyInside(text, outer);
  if (!inner.refusal.empty())
    return refused(Refusal::NotNested);
  if (dependsOn(inner.control, outer.control.variable))
    return refused(Refusal::InnerBounds);
  Accesses accesses = accessesOf(text, inner.bodyFirst(), inner.bodyLast());
  if (!accesses.refusal.empty())
    return refused("{}", accesses.refusal);
  for (const DoLoop *loop : {&outer, &inner}) {
    if (std::string name = changedBound(text, loop->control, accesses); !name.empty())
      return refused(Refusal::BoundsChange, name);
    if (text.usedOutside(loop->variable, outer.head, outer.end)) // an empty loop would not set it
      return refused(Refusal::LoopVariableLater, loop->control.variable);
  }
  PrivateScalars scalars =
      privateScalars(text, accesses, outer.head, outer.end, {outer.variable, inner.variable});
  if (scalars.carried >= 0)
    return refused(Refusal::CarriedScalar, text.row(scalars.carried).name);
  for (int symbol : accesses.changed)
    if (accesses.arrays.contains(symbol)) {
      const std::vector<NameAt> &places = accesses.places.at(symbol);
      if (!haveOwnElements(text, places, lowerCase(outer.control.variable)) &&
          !haveOwnElements(text, places, lowerCase(inner.control.variable)))
        return refused(Refusal::CarriedArray, text.row(symbol).name);
    }
  TextRange one = text.rangeOf(outer.head, 0, text.pieces[outer.head].text.size());
  TextRange two = text.rangeOf(inner.head, 0, text.pieces[inner.head].text.size());
  return oneEdit(text,
                 "exchange the loops over '" + outer.control.variable + "' and '" +
                     inner.control.variable + "'",
                 {{one, text.pieces[inner.head].text}, {two, text.pieces[outer.head].text}});
}

namespace {

// The statements right inside of a loop, each with what it holds.
std::vector<std::pair<size_t, size_t>> groupsOf(const RoutineText &text, const DoLoop &loop) {
  std::vector<std::pair<size_t, size_t>> groups;
  for (size_t i = loop.bodyFirst(); i <= loop.bodyLast(); ++i) {
    size_t last = text.pieces[i].partner > static_cast<int>(i)
                      ? static_cast<size_t>(text.pieces[i].partner)
                      : i;
    groups.emplace_back(i, last);
    i = last;
  }
  return groups;
}

// Scalars that every part sets before it reads them.
std::set<int> privateTo(const RoutineText &text, const std::vector<Accesses> &parts,
                        const DoLoop &loop) {
  std::set<int> all;
  for (const Accesses &part : parts)
    for (int symbol : part.changed)
      if (part.scalars.contains(symbol) && !text.usedOutside(symbol, loop.head, loop.end))
        all.insert(symbol);
  std::erase_if(all, [&](int symbol) {
    return !std::all_of(parts.begin(), parts.end(), [&](const Accesses &part) {
      if (!part.places.contains(symbol))
        return true;
      Accesses alone;
      alone.scalars = alone.changed = {symbol};
      alone.places[symbol] = part.places.at(symbol);
      return privateScalars(text, alone, loop.head, loop.end, {}).carried < 0;
    });
  });
  return all;
}

// Where a loop can be cut: groups that depend on each other stay together with all between them.
std::vector<size_t> cutsOf(const RoutineText &text, const std::vector<Accesses> &parts,
                           const DoLoop &loop, std::string &refusal) {
  std::set<int> privates = privateTo(text, parts, loop);
  std::string variable = lowerCase(loop.control.variable);
  std::vector<bool> cut(parts.size(), true);
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t k = i + 1; k < parts.size(); ++k)
      if (std::string reason = betweenParts(text, parts[i], parts[k], variable, privates);
          !reason.empty()) {
        refusal = reason;
        std::fill(cut.begin() + static_cast<long>(i) + 1, cut.begin() + static_cast<long>(k) + 1,
                  false);
      }
  std::vector<size_t> result;
  for (size_t i = 1; i < parts.size(); ++i)
    if (cut[i])
      result.push_back(i);
  return result;
}

} // namespace

Refactored makeSplitLoop(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  DoLoop loop = loopAt(text);
  if (std::string refusal = hindrance(text, loop); !refusal.empty())
    return refused("{}", refusal);
  std::vector<std::pair<size_t, size_t>> groups = groupsOf(text, loop);
  if (groups.size() < 2)
    return refused(Refusal::OneStatement);
  std::vector<Accesses> parts;
  for (const auto &[first, last] : groups) {
    parts.push_back(accessesOf(text, first, last));
    if (!parts.back().refusal.empty())
      return refused("{}", parts.back().refusal);
    if (std::string name = changedBound(text, loop.control, parts.back()); !name.empty())
      return refused(Refusal::BoundsChange, name);
  }
  std::string refusal;
  std::vector<size_t> cuts = cutsOf(text, parts, loop, refusal);
  if (cuts.empty())
    return refused("{}", refusal);
  std::vector<TextChange> edits;
  for (size_t cut : cuts)
    edits.push_back(linesBelow(context.document(), text.pieces[groups[cut].first - 1].last,
                               lineText(text, loop.end) + "\n" + lineText(text, loop.head)));
  return oneEdit(text, "split the loop into " + std::to_string(cuts.size() + 1), std::move(edits));
}

Refactored makeJoinLoops(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  DoLoop one = loopAt(text);
  if (std::string refusal = hindrance(text, one); !refusal.empty())
    return refused("{}", refusal);
  if (one.end + 1 >= text.pieces.size())
    return refused(Refusal::NoNeighbour);
  DoLoop other = loopFrom(text, one.end + 1);
  auto same = [&](const std::string LoopControl::*part) {
    return withoutBlanksAt(one.control.*part) == withoutBlanksAt(other.control.*part);
  };
  if (!other.refusal.empty() || one.variable != other.variable || !same(&LoopControl::lower) ||
      !same(&LoopControl::upper) || !same(&LoopControl::step))
    return refused(Refusal::NoNeighbour);
  if (std::string refusal = hindrance(text, other); !refusal.empty())
    return refused("{}", refusal);
  if (std::string refusal = text.fixedLines(one.head, other.end); !refusal.empty())
    return refused("{}", refusal);
  std::vector<Accesses> parts = {accessesOf(text, one.bodyFirst(), one.bodyLast()),
                                 accessesOf(text, other.bodyFirst(), other.bodyLast())};
  for (const Accesses &part : parts) {
    if (!part.refusal.empty())
      return refused("{}", part.refusal);
    if (std::string name = changedBound(text, one.control, part); !name.empty())
      return refused(Refusal::BoundsChange, name);
  }
  DoLoop both = one;
  both.end = other.end;
  std::set<int> privates = privateTo(text, parts, both);
  std::string refusal =
      betweenParts(text, parts[0], parts[1], lowerCase(one.control.variable), privates);
  if (!refusal.empty())
    return refused("{}", refusal);
  return oneEdit(text, "join the loop with the next one",
                 {withoutLines(text, one.end), withoutLines(text, other.head)});
}

} // namespace cufc
