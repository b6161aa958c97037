// A stack of what is open (Fortran 2018, clauses 5.2 and 15.6), of what blocks.h says of each
// statement. Interface blocks and derived types are skipped, since CONTAINS and SUBROUTINE mean
// something else there.
#include "source/program_units.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include "source/statements.h"
#include <optional>
#include <string_view>

namespace cufc {
namespace {

bool isImplicitNone(const std::string &statement) {
  std::string words = lowerCase(statement.substr(0, statement.find('(')));
  std::erase_if(words, [](char c) { return c == ' ' || c == '\t'; });
  return words == "implicitnone";
}

bool isSkipped(Block block) { return block == Block::Interface || block == Block::Type; }

std::optional<ProgramUnit::Kind> kindOf(Block block) {
  switch (block) {
  case Block::Program:
    return ProgramUnit::Kind::Program;
  case Block::Module:
    return ProgramUnit::Kind::Module;
  case Block::Submodule:
    return ProgramUnit::Kind::Submodule;
  case Block::BlockData:
    return ProgramUnit::Kind::BlockData;
  default:
    return isProcedure(block) ? std::optional(ProgramUnit::Kind::Procedure) : std::nullopt;
  }
}

class Scanner {
public:
  void statement(const Statement &statement) {
    int line = statement.places.front().line;
    int last = statement.places.back().line;
    bool shares = line == lastLine;
    lastLine = last;
    if (shares && boundary)
      sound = false;
    StatementRole role = roleOf(statement.text, !skipped.empty());
    boundary = !skip(role) && boundaryStatement(statement.text, role, line, last);
    if (boundary && shares)
      sound = false;
  }

  std::vector<ProgramUnit> finish() {
    if (!sound || !open.empty())
      units.clear();
    return std::move(units);
  }

private:
  struct Open {
    Block block;
    int unit; // index of units; -1 for an internal procedure
  };

  // In an interface block or a derived type, or at one.
  bool skip(const StatementRole &role) {
    bool inside = !skipped.empty();
    if (role.kind == StatementRole::Opens && isSkipped(role.block) && (inside || !open.empty()))
      skipped.push_back(role.block);
    else if (inside && role.kind == StatementRole::Closes && role.block == skipped.back())
      skipped.pop_back();
    return inside || !skipped.empty();
  }

  bool boundaryStatement(const std::string &text, const StatementRole &role, int line, int last) {
    if (role.kind == StatementRole::Closes && (role.block == Block::None || isUnit(role.block)))
      return end(role.block, last);
    std::string name =
        lowerCase(std::string_view(text).substr(role.name, role.nameEnd - role.name));
    std::optional<ProgramUnit::Kind> kind = kindOf(role.block);
    bool needsName = kind != ProgramUnit::Kind::BlockData;
    bool inside = !open.empty() && kind != ProgramUnit::Kind::Procedure;
    if (role.kind == StatementRole::Opens && kind && !inside && (!name.empty() || !needsName))
      return begin(role.block, name, line);
    if (open.empty()) { // a main program without a PROGRAM statement
      begin(Block::Program, "", line);
      return false;
    }
    bool contains = role.kind == StatementRole::Contains;
    if (open.size() == 1 && contains)
      units[static_cast<size_t>(open.back().unit)].contains = line;
    else if (open.size() == 1 && role.kind == StatementRole::Other && isImplicitNone(text))
      units[static_cast<size_t>(open.back().unit)].implicitNone = true;
    return contains;
  }

  bool begin(Block block, const std::string &name, int line) {
    int parent = open.empty() ? -1 : open.back().unit;
    std::optional<ProgramUnit::Kind> kind = kindOf(block);
    if (kind && (open.empty() || (open.size() == 1 && holdsModuleProcedures(open.back().block)))) {
      units.push_back({*kind, name, parent, line, line});
      open.push_back({block, static_cast<int>(units.size()) - 1});
    } else {
      open.push_back({block, -1});
    }
    return true;
  }

  static bool holdsModuleProcedures(Block block) {
    return block == Block::Module || block == Block::Submodule;
  }

  bool end(Block block, int line) {
    if (open.empty() || (block != Block::None && block != open.back().block)) {
      sound = false;
      return false;
    }
    if (open.back().unit >= 0)
      units[static_cast<size_t>(open.back().unit)].lastLine = line;
    open.pop_back();
    return true;
  }

  std::vector<ProgramUnit> units;
  std::vector<Open> open;
  std::vector<Block> skipped; // interface blocks and derived types that are open
  int lastLine = 0;
  bool boundary = false; // the statement before began or ended something
  bool sound = true;
};

bool hasDirectives(const std::string &text) {
  return text.starts_with("#") || text.find("\n#") != std::string::npos;
}

} // namespace

std::vector<ProgramUnit> programUnits(const std::string &text, bool fixedForm, int fixedColumns) {
  if (hasDirectives(text))
    return {};
  Scanner scanner;
  forEachStatement(text, fixedForm, fixedColumns,
                   [&](const Statement &statement) { scanner.statement(statement); });
  return scanner.finish();
}

} // namespace cufc
