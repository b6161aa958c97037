// A COMMON block becomes a module with its variables; wherever the block was declared, the module
// is used instead, with renames where its variables had other names. All declarations must have the
// same types and shapes, so that nothing rests on the order in storage.
#include "base/source_text.h"
#include "ide/refactor/declarations.h"
#include <algorithm>

namespace cufc {
namespace {

struct CommonUse {
  const SourceFile *file = nullptr;
  int scope = -1;
  UnitAround unit;
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> members; // types and shapes, in this order, too
  std::vector<int> symbols;
};

std::string blockName(const std::string &text) {
  size_t open = text.find('/'), close = text.find('/', open + 1);
  return open == std::string::npos || close == std::string::npos
             ? ""
             : lowerCase(trimmed(text.substr(open + 1, close - open - 1)));
}

class CommonMover {
public:
  CommonMover(const ActionContext &context, std::string name)
      : context(context), name(std::move(name)) {}

  Refactored run() {
    module = name + "_common";
    for (const auto &[path, file] : context.workspace.files())
      if (file->analysis && ofOneProject(file.get(), &context.file))
        if (std::string refusal = lookIn(opened(*file)); !refusal.empty())
          return refused("{}", refusal);
    if (uses.empty())
      return refused(Refusal::NoCommon);
    addModule();
    Refactored change;
    change.title = "turn COMMON /" + name + "/ into module " + module;
    change.edits = std::move(edits);
    return change;
  }

private:
  std::string lookIn(const SourceFile &file) {
    for (const SymbolInfo &symbol : file.analysis->symbols)
      if (symbol.kind == SymbolKind::BlockData && symbol.module.empty() &&
          mayInitialise(file, symbol))
        return because(Refusal::CommonData, name);
    const std::vector<ScopeInfo> &scopes = file.analysis->scopes;
    for (size_t i = 0; i < scopes.size(); ++i) {
      ScopeKind kind = scopes[i].kind;
      if (kind != ScopeKind::Subprogram && kind != ScopeKind::MainProgram &&
          kind != ScopeKind::Module && kind != ScopeKind::Submodule)
        continue;
      std::optional<TextRange> now = file.now(scopes[i].place);
      if (!now || scopes[i].place.file != 0)
        continue;
      UnitAround unit{static_cast<int>(i), now->begin.line,
                      now->end.line - (now->end.column <= 1 ? 1 : 0)};
      ActionContext place = placeIn(context, file);
      if (std::string refusal = lookAt(RoutineText(place, unit)); !refusal.empty())
        return refusal;
    }
    return {};
  }

  bool mayInitialise(const SourceFile &file, const SymbolInfo &blockData) const {
    std::optional<TextRange> now = file.now(blockData.definition);
    return !now || blockData.definition.file != 0 ||
           withoutBlanksAt(file.document.slice(*now)).find("/" + name + "/") != std::string::npos;
  }

  std::string lookAt(const RoutineText &text) {
    std::vector<size_t> statements;
    for (size_t i = 0; i < std::min(text.contains, text.pieces.size()); ++i)
      if (text.pieces[i].word == "common" && blockName(text.pieces[i].text) == name)
        statements.push_back(i);
    if (statements.empty())
      return {};
    const SourceFile &file = text.context.file;
    CommonUse use{&file, text.unit.scope, text.unit, {}, {}, {}};
    for (size_t piece : statements) {
      const std::string &whole = text.pieces[piece].text;
      if (std::count(whole.begin(), whole.end(), '/') != 2)
        return because(Refusal::CommonDiffers, name, text.pieces[piece].first, file.path);
      if (std::string refusal = text.fixedLines(piece, piece); !refusal.empty())
        return refusal;
      for (const NameAt &member : text.namesIn(piece, piece))
        if (text.row(member.symbol).kind == SymbolKind::Variable &&
            member.offset > whole.rfind('/'))
          use.symbols.push_back(member.symbol);
    }
    return takeMembers(text, statements, use);
  }

  std::string takeMembers(const RoutineText &text, const std::vector<size_t> &statements,
                          CommonUse &use) {
    for (int symbol : use.symbols) {
      const SymbolInfo &row = text.row(symbol);
      bool plain = row.value.empty() && row.dataAttributes == 0 && !row.type.empty() &&
                   !row.type.starts_with("type") && row.dummyOf < 0 &&
                   !hasAttribute(row, "pointer") && !hasAttribute(row, "target");
      bool names = std::all_of(row.shape.begin(), row.shape.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '(' || c == ')' || c == ',' || c == ':' || c == '-' ||
               c == ' ';
      });
      if (!plain || !names || text.isNamedBy({"equivalence", "data", "save", "namelist"}, symbol))
        return because(Refusal::CommonData, row.name);
      use.names.push_back(lowerCase(row.name));
      use.members.emplace_back(row.type, row.shape);
    }
    if (!uses.empty() && use.members != uses[0].members)
      return because(Refusal::CommonDiffers, name, text.pieces[statements[0]].first,
                     text.context.file.path);
    if (std::string refusal = removeDeclarations(text, statements, use); !refusal.empty())
      return refusal;
    uses.push_back(use);
    return {};
  }

  // The COMMON statements go, and what gives types and shapes to its variables.
  std::string removeDeclarations(const RoutineText &text, const std::vector<size_t> &statements,
                                 const CommonUse &use) {
    std::vector<TextChange> &list = edits[text.context.file.path];
    std::set<int> members(use.symbols.begin(), use.symbols.end());
    for (size_t i = 0; i < std::min(text.contains, text.pieces.size()); ++i) {
      const Piece &piece = text.pieces[i];
      bool isCommon = std::find(statements.begin(), statements.end(), i) != statements.end();
      if (isCommon) {
        list.push_back({{{piece.first, 1}, {piece.last + 1, 1}}, ""});
        continue;
      }
      if (!isDeclarationWord(piece.word) || piece.role.kind == StatementRole::Opens)
        continue;
      if (std::string refusal = removeFrom(text, i, members, list); !refusal.empty())
        return refusal;
    }
    bool none = text.scope().symbol < 0;
    SpecificationPart part = text.specification();
    std::string statement = part.indentation + "use " + module;
    const std::vector<std::string> &names = uses.empty() ? use.names : uses[0].names;
    for (size_t i = 0; i < names.size(); ++i)
      if (use.names[i] != names[i])
        statement += ", " + use.names[i] + " => " + names[i];
    if (none && part.lastUse < 1)
      list.push_back(linesAbove(1, statement));
    else
      list.push_back(linesBelow(text.context.document(), part.lastUse, statement));
    return {};
  }

  void addModule() {
    std::string text = "module " + module + "\n  implicit none";
    for (size_t i = 0; i < uses[0].names.size(); ++i)
      text +=
          "\n  " + uses[0].members[i].first + " :: " + uses[0].names[i] + uses[0].members[i].second;
    text += "\nend module " + module;
    edits[context.file.path].push_back(linesAbove(1, text));
  }

  const ActionContext &context;
  std::string name, module;
  std::vector<CommonUse> uses;
  std::map<std::string, std::vector<TextChange>> edits;
  OpenedFiles opened;
};

} // namespace

Refactored makeCommonToModule(const ActionContext &context, const RefactoringWish &) {
  UnitAround unit = unitAround(context, context.range.begin);
  RoutineText text(context, unit);
  int at = unit ? text.pieceAt(context.range.begin.line) : -1;
  if (at < 0 || text.pieces[static_cast<size_t>(at)].word != "common")
    return refused(Refusal::NotHere);
  std::string name = blockName(text.pieces[static_cast<size_t>(at)].text);
  if (name.empty())
    return refused(Refusal::NoCommon);
  return CommonMover(context, name).run();
}

} // namespace cufc
