// What the symbols of one gfortran module are called in the module that flang reads.
//
// gfortran's files hold the symbols of all modules that a module uses. Those are the same entities
// for flang only if they come from their own module, so they are taken from there by USE, if its
// file can be found. A type that its module keeps for itself, but whose file others need, is
// exported under a name that no source has.
#ifndef CUFC_FOREIGN_NAMES_H
#define CUFC_FOREIGN_NAMES_H

#include "foreign/model.h"
#include <functional>
#include <map>
#include <set>
#include <string>

namespace cufc::foreign {

// Modules of gfortran by name; null if there is none, or it is not to be taken from gfortran.
using FindModule = std::function<const Module *(const std::string &name)>;

// ISO_C_BINDING and others that each compiler has of its own.
bool isIntrinsicModule(const std::string &name);
// MPI, OpenMP and OpenACC: another compiler's file of that name is not read.
bool isNeverForeign(const std::string &name);

class Names {
public:
  Names(const Module &module, const FindModule &find);

  // Whether it is declared in this module's text.
  bool isOwn(const Symbol &symbol) const;
  // Whether the module exports it.
  bool isPublic(const Symbol &symbol) const { return exported.count(symbol.number) > 0; }
  // The name in the text; notes that it must be taken from its module. Empty if it cannot be.
  std::string nameOf(const Symbol &symbol);
  // The module that flang knows it by, and its name there.
  std::string moduleOf(const Symbol &symbol) const;
  std::string nameInModule(const Symbol &symbol) const;
  // Names that are there for declarations alone.
  const std::set<std::string> &hidden() const { return hiddenNames; }

  // Takes "generic" or "operator(+)" of another module, if it exports that. False if not.
  bool useGeneric(const std::string &module, const std::string &local, const std::string &name);
  // All that the module exports of others.
  void useExported();
  // The USE statements.
  std::string useStatements() const;

private:
  void use(const std::string &module, const std::string &local, const std::string &name);
  std::string ownName(const Symbol &symbol) const;
  const Module &module;
  const FindModule &find;
  std::map<int, std::string> exported;               // by symbol; the first name
  std::map<std::string, std::set<std::string>> uses; // by module: "local=>name"
  std::set<std::string> hiddenNames;
};

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_NAMES_H
