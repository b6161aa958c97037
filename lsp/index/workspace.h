// What is known of all files together: their analyses, the texts of those that are open, and which
// symbols of different files are one.
//
// All features of the editor are functions of this. Not thread-safe. Rows of an Analysis are named
// by a file and a number; keys (symbol_key.h) lead from file to file.
#ifndef CUFLS_INDEX_WORKSPACE_H
#define CUFLS_INDEX_WORKSPACE_H

#include "analysis/analysis.h"
#include "index/document.h"
#include "index/edit_map.h"
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace cufc {

struct Location {
  std::string path;
  TextRange range;
  auto operator<=>(const Location &other) const {
    return std::tie(path, range.begin, range.end) <=>
           std::tie(other.path, other.range.begin, other.range.end);
  }
  bool operator==(const Location &) const = default;
};

inline TextRange rangeOf(const Place &place) {
  return {{place.line, place.column}, {place.endLine, place.endColumn}};
}

// How a text is read, by its name and the project's options.
struct SourceReading {
  bool fixedForm = false;
  int columns = 72; // of fixed form
  bool cuda = true;
  bool backslashEscapes = false;
  bool preprocess = false; // predefined macros and those of the project take effect
  std::vector<std::pair<std::string, bool>> macros; // "NAME=VALUE" and true, or "NAME" and false
  std::vector<std::string> includes;                // folders
  std::string project; // its folder: modules of one name in two projects are two modules
};

// What is known of the files of a project together: which of several definitions a file means.
class Definitions {
public:
  virtual ~Definitions() = default;
  // Of a module or external procedure that several files define, the path of the one that a file
  // means; empty for all others.
  virtual std::string definerFor(const std::string &file, const std::string &name) const = 0;
  // Whether two files can be linked to one program.
  virtual bool linked(const std::string &file, const std::string &other) const = 0;
};

class Workspace;

class SourceFile {
public:
  std::string path;
  SourceReading reading;
  bool open = false; // then `document` is what the editor shows, otherwise empty
  Document document;
  EditMap edits;                            // of `document` since its analysis
  std::shared_ptr<const Analysis> analysis; // the last one; null before the first

  // The name of a module, or of a program unit or external procedure, in lower case, as it stands
  // in keys: with its mark (symbol_key.h) if several files define one.
  std::string keyName(const std::string &name) const;
  // The keys of the analysis' symbols.
  const std::vector<std::string> &keys() const;
  // The occurrences of a key, as numbers of `analysis->occurrences`.
  const std::vector<int> &occurrencesOf(const std::string &key) const;
  // The symbols with this key; the first is where it is declared, if that is in this file.
  std::vector<int> symbolsOf(const std::string &key) const;

  // Whether the file defines a module or has symbols of it.
  bool mentions(const std::string &module) const { return mentioned.contains(module); }

  // A place of this file (file number 0) in its text as it is now.
  std::optional<TextRange> now(const Place &place) const;

private:
  friend class Workspace;
  const Workspace *workspace = nullptr; // that it is part of
  void forgetKeys() const;
  void analysed(std::shared_ptr<const Analysis> found);
  void makeKeys() const;
  void makeOccurrences() const;
  std::unordered_set<std::string> mentioned;
  mutable bool keysMade = false, occurrencesMade = false;
  mutable std::vector<std::string> keyList;
  mutable std::unordered_map<std::string, std::vector<int>> byKey; // occurrences
  mutable std::unordered_multimap<std::string, int> symbolByKey;
};

// A symbol as one file sees it.
struct SymbolRef {
  const SourceFile *file = nullptr;
  int symbol = -1;
  explicit operator bool() const { return file != nullptr; }
  const SymbolInfo &info() const { return file->analysis->symbols[static_cast<size_t>(symbol)]; }
  const std::string &key() const { return file->keys()[static_cast<size_t>(symbol)]; }
};

inline bool ofOneProject(const SourceFile *file, const SourceFile *other) {
  return !file || !other || file->reading.project == other->reading.project;
}

class Workspace {
public:
  // Asked whenever several files define a module or procedure; must outlive this.
  void setDefinitions(const Definitions *definitions) { this->definitions = definitions; }
  // They have changed.
  void forgetKeys() const;

  // Null if the file is not known.
  const SourceFile *find(const std::string &path) const;
  const std::map<std::string, std::unique_ptr<SourceFile>> &files() const { return all; }

  SourceFile &file(const std::string &path); // made if it is not there
  void setAnalysis(const std::string &path, std::shared_ptr<const Analysis> analysis);
  // The text is another one, of which nothing is known yet.
  void dropAnalysis(const std::string &path);
  void remove(const std::string &path);

  // The file that defines a module or submodule ("ancestor:name"), or null. Of the project of a
  // file, if that is given.
  const SourceFile *moduleFile(const std::string &module, const SourceFile *from = nullptr) const;

  // Where a symbol is declared: itself, or the row of the file that declares it. Nothing for
  // intrinsics and for modules without a source in the workspace.
  SymbolRef declarationOf(SymbolRef symbol) const;
  // Of a separate module procedure its interface, of an interface the implementations; the same
  // procedure in other words.
  std::vector<SymbolRef> sameProcedure(SymbolRef symbol) const;

  // Every file in which a symbol can occur: its own for what nobody else can name, those that mean
  // the same module, those that are linked with one that has the COMMON block. Of the project of a
  // file, if that is given.
  std::vector<const SourceFile *> filesWith(const std::string &key,
                                            const SourceFile *from = nullptr) const;

private:
  friend class SourceFile;
  std::string markFor(const std::string &file, const std::string &name) const;
  std::vector<const SourceFile *> filesWithCommon(const std::string &key,
                                                  const SourceFile *from) const;

  std::map<std::string, std::unique_ptr<SourceFile>> all;
  const Definitions *definitions = nullptr;
  mutable std::unordered_map<std::string, size_t>
      numbers; // of files that define what others do too
  std::unordered_multimap<std::string, std::string> modules; // name to path
};

} // namespace cufc
#endif // CUFLS_INDEX_WORKSPACE_H
