// Which names mean what at a place: scopes from the innermost outwards, modules with ONLY and
// renames, also those of files that are not open; members of types.
#ifndef CUFLS_IDE_VISIBLE_NAMES_H
#define CUFLS_IDE_VISIBLE_NAMES_H

#include "ide/api_table.h"
#include "ide/query.h"
#include <functional>

namespace cufc {

enum class NameOrigin { Local, Host, Imported };

struct VisibleName {
  std::string name; // as it is called there
  SymbolRef symbol; // where it is declared, as far as that is known
  NameOrigin origin = NameOrigin::Local;
};

// A derived type: of a source file, or of the table.
struct TypeRef {
  SymbolRef symbol;
  const ApiEntry *entry = nullptr;
  explicit operator bool() const { return symbol || entry; }
};

// What a designator like "a%b" stands for; a row of the table if no file declares it.
struct NamedThing {
  SymbolRef symbol;
  const ApiEntry *entry = nullptr;
  explicit operator bool() const { return symbol || entry; }
};

// One question at one place. Holds what it has found; cheap to make.
class VisibleNames {
public:
  VisibleNames(const Query &query, const ApiTable &api);

  int scope() const { return innermost; }
  bool inDeviceCode() const;
  const Analysis *analysis() const { return query.file.analysis.get(); }

  // Inner names first; a name that hides another comes before it.
  void forEach(const std::function<void(const VisibleName &)> &visit) const;
  std::vector<VisibleName> find(const std::string &name) const; // those of the innermost scope

  // Whether USE makes a name of a module visible; `whole` for all of the module.
  struct Used {
    const UseInfo *use = nullptr;
    bool visible = false; // the name is
  };
  Used used(const std::string &module, const std::string &name) const;
  // Whether USE makes a name of the table visible, of its module or of one that hands it on.
  bool isUsed(const ApiEntry &entry) const;

  NamedThing resolve(const std::vector<std::string> &names) const;
  TypeRef typeOf(const NamedThing &thing) const;
  // With those of the types that it extends.
  std::vector<SymbolRef> membersOf(const TypeRef &type) const;
  // Whether a component or binding may be named here: PRIVATE ones only in their module.
  bool isAccessible(SymbolRef member) const;
  // The type named so.
  TypeRef typeNamed(const std::string &name) const;

private:
  using Visit = std::function<void(const VisibleName &)>;
  void imports(const UseInfo &use, const Visit &visit) const;
  SymbolRef declared(SymbolRef symbol) const;
  const ApiEntry *entryOf(SymbolRef symbol) const;

  const Query &query;
  const ApiTable &api;
  int innermost;
};

// The names that a module of a file's project gives its users, with those that it has from other
// modules.
void forEachExport(const Workspace &workspace, const SourceFile &from, const std::string &module,
                   const std::function<void(const std::string &name, SymbolRef)> &visit);

} // namespace cufc
#endif // CUFLS_IDE_VISIBLE_NAMES_H
