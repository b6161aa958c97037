// One source file, parsed and checked by flang. This header is free of flang's types; those live in
// frontend/flang_program.h, which only frontend/ and lower/bridge.cpp include.
#ifndef CUFC_FRONTEND_PROGRAM_H
#define CUFC_FRONTEND_PROGRAM_H

#include "base/diagnostics.h"
#include "source/dialect_rewrite.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace cufc {

struct FrontendOptions {
  std::string path;
  bool fixedForm = false;
  bool extendedLines = false; // fixed form up to 132 columns
  bool cuda = true;
  bool managed = false;    // allocatables without an attribute are managed
  bool preprocess = false; // predefined macros and -D take effect
  bool backslashEscapes = false;
  bool real8 = false;
  bool warnings = true;
  std::vector<std::string> includes;
  std::vector<std::pair<std::string, bool>> macros; // "NAME=VALUE" and true, or "NAME" and false
  std::string moduleDirectory = ".";                // where module files are written; searched too
  std::vector<std::string> intrinsicModules;        // folders of intrinsic modules
  std::string scratchFile; // a path for the rewritten source, used if there is anything to rewrite
};

class KernelPrefixes;
struct FlangProgram;

class Program {
public:
  Program(FrontendOptions options, const llvm::TargetMachine &target);
  ~Program();

  // Parses and checks; writes module files unless there are errors. Always leaves a usable object;
  // false if there are errors. What the checks of checks/ say better is left to them.
  bool analyse(Diagnostics &diagnostics);
  // Whether flang came as far as types and symbols, if with errors.
  bool hasSymbols() const;

  // The source after preprocessing.
  bool preprocess(std::string &text, Diagnostics &diagnostics);

  FlangProgram &flang() { return *impl; }
  const FrontendOptions &options() const { return settings; }

private:
  void restart();
  bool prescan(Diagnostics &diagnostics);
  bool check(Diagnostics &diagnostics);
  // After the analysis: what to insert into the source before it is analysed again.
  std::vector<Edit> wantedEdits(bool hasErrors, Diagnostics &diagnostics);
  bool writeModules(Diagnostics &diagnostics);
  FrontendOptions settings;
  const llvm::TargetMachine &target;
  std::vector<Edit> edits; // of the source, beside those of the dialect
  std::string replacement; // of the file's text, unless empty
  std::unique_ptr<KernelPrefixes> prefixes;
  std::unique_ptr<FlangProgram> impl;
};

} // namespace cufc
#endif // CUFC_FRONTEND_PROGRAM_H
