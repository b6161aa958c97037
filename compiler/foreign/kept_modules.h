// Translations of gfortran's modules on disk, so that each is made once: hdf5's takes longer to
// translate than most sources take to analyse.
//
// A translation goes with the modules that it led to. It holds as long as the files behind all of
// their names have the same content, wherever they lie.
#ifndef CUFC_FOREIGN_KEPT_MODULES_H
#define CUFC_FOREIGN_KEPT_MODULES_H

#include "foreign/calls.h"
#include "foreign/module_path.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cufc::foreign {

// Before anything is translated. An empty folder's name, as at the beginning: nothing is kept.
// `identity` is that of the program that translates.
void keepTranslations(const std::string &folder, const std::string &identity);
bool translationsAreKept();

// A module that a translation looked for, and what it found.
struct ModulePart {
  std::string name;
  std::string content;  // a checksum; empty if there is no file
  bool visited = false; // its interface is part of the translation
  bool read = false;    // from gfortran's file
};

struct Translation {
  std::vector<ModulePart> parts;
  std::map<std::string, std::string> texts;
  Calls calls;
  Restrictions restrictions;
};

std::optional<Translation> keptTranslation(const std::string &module, ModulePath &path);
// `path` is the one that made it. Nothing is kept that a change of this moment could have reached
// in the middle.
void keepTranslation(const std::string &module, ModulePath &path, Translation translation);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_KEPT_MODULES_H
