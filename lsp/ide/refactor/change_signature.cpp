// Dummies of a procedure go, come or change their order, in the definition and in all calls of the
// project. A place that names the procedure otherwise than to call it refuses the whole change.
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/refactor/callers.h"
#include "ide/refactor/declarations.h"
#include <algorithm>

namespace cufc {
namespace {

bool isKeyword(const std::string &argument) {
  size_t equals = argument.find('=');
  return equals != std::string::npos && equals + 1 < argument.size() &&
         argument[equals + 1] != '=' && equals > 0 &&
         trimmed(argument.substr(0, equals)).find_first_of("(+-*/<>'\"% ") == std::string::npos;
}

struct NewDummy {
  std::string declaration, name, value; // "real, intent(in) :: x", "x", "1.0"
};

class SignatureChange {
public:
  SignatureChange(const ActionContext &context, SymbolRef procedure, const RefactoringWish &wish)
      : context(context), procedure(procedure), info(procedure.info()), wish(wish) {}

  Refactored run() {
    if (std::string refusal = findDefinition(); !refusal.empty())
      return refused("{}", refusal);
    if (std::string refusal = chooseOrder(); !refusal.empty())
      return refused("{}", refusal);
    Callers callers = callersOf(context, procedure, opened);
    if (!callers.refusal.empty())
      return refused("{}", callers.refusal);
    for (const CallPlace &place : callers.places)
      if (std::string refusal = change(place); !refusal.empty())
        return refused("{}", refusal);
    if (std::string refusal = hiddenCalls(callers); !refusal.empty())
      return refused("{}", refusal);
    if (std::string refusal = changeDeclarations(); !refusal.empty())
      return refused("{}", refusal);
    Refactored result;
    result.title = title();
    result.edits = std::move(edits);
    return result;
  }

private:
  std::string nameOf(int dummy) const {
    return procedure.file->analysis->symbols[static_cast<size_t>(dummy)].name;
  }

  std::string title() const {
    if (!wish.add.empty())
      return "add dummy '" + added.name + "' to '" + info.name + "'";
    if (!wish.order.empty())
      return "reorder the dummies of '" + info.name + "'";
    std::string names;
    for (int dummy : removed)
      names += (names.empty() ? "'" : ", '") + nameOf(dummy) + "'";
    return "remove the unused dummies " + names + " of '" + info.name + "'";
  }

  std::string findDefinition() {
    std::optional<TextRange> now = context.file.now(info.definition);
    if (!now || info.definition.file != 0 || info.moduleInterface >= 0)
      return because(Refusal::NoDefinition, info.name);
    for (int dummy : info.dummies)
      if (dummy < 0)
        return because(Refusal::WrongOrder, "*");
    unit = {info.ownScope, now->begin.line, now->end.line - (now->end.column <= 1 ? 1 : 0)};
    text = std::make_unique<RoutineText>(context, unit);
    if (text->pieces.empty() || !text->balanced)
      return Refusal::Unbalanced;
    std::string head = lowerCase(text->pieces[0].text);
    if (hasWord(head, "bind") || hasWord(head, "elemental"))
      return because(Refusal::UsedAsValue, info.name, unit.firstLine, shortPath(context.file.path));
    for (const Piece &piece : text->pieces)
      if (piece.word == "entry")
        return because(Refusal::StatementKind, piece.word, piece.first);
    return {};
  }

  bool isUnused(int dummy) const {
    return std::none_of(
               text->names.begin(), text->names.end(),
               [&](const NameAt &name) {
                 return name.symbol == dummy && name.piece > 0 &&
                        !(isDeclarationWord(text->pieces[name.piece].word) &&
                          (name.role == Role::Declaration || name.role == Role::Reference));
               }) &&
           std::none_of(text->names.begin(), text->names.end(), [&](const NameAt &name) {
             // in the bounds of another dummy
             return name.symbol == dummy && name.piece > 0 && name.role == Role::Read;
           });
  }

  // `order` has the numbers of old dummies as they will be.
  std::string chooseOrder() {
    size_t count = info.dummies.size();
    std::vector<bool> kept(count, false);
    if (!wish.order.empty()) {
      for (const std::string &part : splitList(wish.order)) {
        size_t at = 0;
        while (at < count && lowerCase(nameOf(info.dummies[at])) != lowerCase(part) &&
               std::to_string(at + 1) != part)
          ++at;
        if (at == count || kept[at])
          return because(Refusal::WrongOrder, wish.order);
        kept[at] = true;
        order.push_back(at);
      }
    } else {
      for (size_t i = 0; i < count; ++i) {
        kept[i] = !wish.add.empty() || !isUnused(info.dummies[i]);
        if (kept[i])
          order.push_back(i);
      }
    }
    for (size_t i = 0; i < count; ++i)
      if (!kept[i]) {
        if (!isUnused(info.dummies[i]))
          return because(Refusal::DummyUsed, nameOf(info.dummies[i]));
        removed.insert(info.dummies[i]);
      }
    if (wish.order.empty() && wish.add.empty() && removed.empty())
      return because(Refusal::NothingToRemove, info.name);
    return wish.add.empty() ? std::string() : readAdded();
  }

  std::string readAdded() {
    size_t colons = wish.add.find("::");
    if (colons == std::string::npos)
      return because(Refusal::WrongOrder, wish.add);
    size_t equals = wish.add.find('=', colons);
    if (equals == std::string::npos)
      return because(Refusal::WrongOrder, wish.add);
    added.declaration = trimmed(wish.add.substr(0, equals));
    added.value = trimmed(wish.add.substr(equals + 1));
    std::string entity = trimmed(wish.add.substr(colons + 2, equals - colons - 2));
    added.name = trimmed(entity.substr(0, entity.find('(')));
    for (int own : text->scope().symbols)
      if (lowerCase(text->row(own).name) == lowerCase(added.name))
        return because(Refusal::IsDefined, added.name);
    return {};
  }

  std::string change(const CallPlace &place) {
    const Piece &piece = place.text->pieces[place.piece];
    static const std::set<std::string> harmless = {"end", "endsubroutine", "endfunction",
                                                   "use", "public",        "private"};
    bool head = place.file == &context.file && piece.first == text->pieces[0].first;
    if (!head && harmless.contains(piece.word))
      return {};
    bool result = !place.calls && info.kind == SymbolKind::Function &&
                  piece.first > unit.firstLine && piece.last <= unit.lastLine &&
                  place.file == &context.file;
    if (!head && result)
      return {}; // the function's result
    if (!head && !place.calls)
      return because(Refusal::UsedAsValue, info.name, piece.first, shortPath(place.file->path));
    size_t behind = place.offset + place.length;
    if (size_t chevrons = piece.text.find_first_not_of(" \t", behind);
        chevrons != std::string::npos && piece.text.compare(chevrons, 3, "<<<") == 0) {
      behind = piece.text.find(">>>", chevrons);
      behind = behind == std::string::npos ? piece.text.size() : behind + 3;
    }
    Subscripts list = subscriptsIn(piece.text, behind);
    std::vector<std::string> parts = list.parts;
    if (parts.size() == 1 && parts[0].empty())
      parts.clear();
    if (!list && (!info.dummies.empty() || (!head && piece.word != "call")))
      return because(Refusal::UsedAsValue, info.name, piece.first, shortPath(place.file->path));
    if (std::string refusal = place.text->fixedLines(place.piece, place.piece); !refusal.empty())
      return refusal;
    std::string made;
    if (std::string refusal = head ? headList(parts, made) : callList(place, parts, made);
        !refusal.empty())
      return refusal;
    TextRange range = list ? place.text->rangeOf(place.piece, list.open, list.close - list.open + 1)
                           : place.text->rangeOf(place.piece, behind - 1, 1);
    if (!list)
      range.begin = range.end;
    std::string blanks = place.text->indentation(place.piece);
    bool isLong = place.text->context.document().line(piece.first).size() + made.size() > 125 &&
                  !place.file->reading.fixedForm;
    edits[place.file->path].push_back({range, isLong ? broken(made, blanks) : made});
    return {};
  }

  // A list in lines of its own.
  static std::string broken(const std::string &list, const std::string &blanks) {
    std::string result = "( &\n", line = blanks + "    ";
    std::vector<std::string> parts = splitList(std::string_view(list).substr(1, list.size() - 2));
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string part = parts[i] + (i + 1 < parts.size() ? ", " : ")");
      if (line.size() + part.size() > 110) {
        result += line + "&\n";
        line = blanks + "    ";
      }
      line += part;
    }
    return result + line;
  }

  std::string headList(const std::vector<std::string> &parts, std::string &made) const {
    for (size_t i : order)
      made += (made.empty() ? "" : ", ") + parts.at(i);
    if (!added.name.empty())
      made += (made.empty() ? "" : ", ") + added.name;
    made = "(" + made + ")";
    return {};
  }

  std::string callList(const CallPlace &place, const std::vector<std::string> &parts,
                       std::string &made) const {
    const Piece &piece = place.text->pieces[place.piece];
    std::map<size_t, std::string> given; // by dummy
    bool keywords = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      size_t dummy = i;
      if (isKeyword(parts[i])) {
        keywords = true;
        std::string key = lowerCase(trimmed(parts[i].substr(0, parts[i].find('='))));
        for (dummy = 0; dummy < info.dummies.size(); ++dummy)
          if (lowerCase(nameOf(info.dummies[dummy])) == key)
            break;
      }
      if (dummy >= info.dummies.size())
        return because(Refusal::KeywordNeeded, piece.first, shortPath(place.file->path));
      given[dummy] = parts[i];
    }
    for (const auto &[dummy, argument] : given)
      if (removed.contains(info.dummies[dummy]) && hasEffect(place, argument))
        return because(Refusal::ArgumentEffect, piece.first, shortPath(place.file->path));
    bool gap = false; // behind an argument that is left out, only keywords
    for (size_t i : order) {
      auto found = given.find(i);
      gap |= found == given.end();
      if (found == given.end())
        continue;
      std::string argument = found->second;
      bool byKeyword = isKeyword(argument);
      keywords |= byKeyword;
      if ((gap || keywords) && !byKeyword)
        argument.insert(0, nameOf(info.dummies[i]) + "=");
      gap |= byKeyword;
      made += (made.empty() ? "" : ", ") + argument;
    }
    if (!added.name.empty())
      made += (made.empty() ? "" : ", ") +
              (gap || keywords ? added.name + "=" + added.value : added.value);
    made = "(" + made + ")";
    return {};
  }

  // Where the preprocessor leaves lines out, calls may stand that no analysis has seen.
  std::string hiddenCalls(const Callers &callers) {
    std::string name = lowerCase(info.name);
    for (const auto &[path, known] : context.workspace.files()) {
      if (!known->analysis || !ofOneProject(known.get(), &context.file))
        continue;
      const Document &document =
          (known.get() == &context.file ? context.file : opened(*known)).document;
      if (document.text().find("\n#") == std::string::npos && !document.text().starts_with("#"))
        continue;
      std::set<int> seen;
      for (const CallPlace &place : callers.places)
        if (place.file->path == path)
          for (int line = place.text->pieces[place.piece].first;
               line <= place.text->pieces[place.piece].last; ++line)
            seen.insert(line);
      for (int line = 1; line <= document.lineCount(); ++line) {
        std::string whole = lowerCase(document.line(line));
        whole.resize(std::min(whole.find('!'), whole.size()));
        if (!seen.contains(line) && hasWord(whole, name) && !isFixedComment(document.line(line)))
          return because(Refusal::UsedAsValue, info.name, line, shortPath(path));
      }
    }
    for (int line = unit.firstLine; line <= unit.lastLine; ++line)
      if (context.document().line(line).starts_with("#"))
        return because(Refusal::Preprocessor, line);
    return {};
  }

  // A function's reference in it, or what may be one.
  static bool hasEffect(const CallPlace &place, const std::string &argument) {
    if (argument.find('(') == std::string::npos)
      return false;
    for (const NameAt &name : place.text->namesIn(place.piece, place.piece)) {
      const SymbolInfo &symbol = place.text->row(name.symbol);
      bool function = symbol.kind == SymbolKind::Function || symbol.kind == SymbolKind::Generic ||
                      symbol.kind == SymbolKind::Binding;
      if (function && !symbol.intrinsic && hasWord(lowerCase(argument), lowerCase(symbol.name)))
        return true;
    }
    return false;
  }

  std::string changeDeclarations() {
    std::vector<TextChange> &list = edits[context.file.path];
    for (size_t i = 1; i < text->contains; ++i)
      if (!removed.empty() && isDeclarationWord(text->pieces[i].word))
        if (std::string refusal = removeFrom(*text, i, removed, list); !refusal.empty())
          return refusal;
    if (!added.name.empty()) {
      SpecificationPart part = text->specification();
      list.push_back(linesBelow(context.document(), part.lastDeclaration,
                                part.indentation + added.declaration));
    }
    return {};
  }

  const ActionContext &context;
  SymbolRef procedure;
  const SymbolInfo &info;
  const RefactoringWish &wish;
  UnitAround unit;
  std::unique_ptr<RoutineText> text;
  std::vector<size_t> order;
  std::set<int> removed;
  NewDummy added;
  std::map<std::string, std::vector<TextChange>> edits;
  OpenedFiles opened;
};

} // namespace

Refactored makeChangeSignature(const ActionContext &context, const RefactoringWish &wish) {
  SymbolRef procedure = procedureDefinedAt(context);
  if (!procedure)
    return refused(Refusal::NotHere);
  return SignatureChange(context, procedure, wish).run();
}

} // namespace cufc
