// One source file, parsed and checked by flang. This header is free of flang's types; those live in
// frontend/flang_program.h, which only frontend/ and lower/bridge.cpp include.
#ifndef CUFC_FRONTEND_PROGRAM_H
#define CUFC_FRONTEND_PROGRAM_H

#include "base/dropped_messages.h"
#include "source/dialect_rewrite.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace cufc {

struct FrontendOptions {
  std::string path;
  std::optional<std::string> text; // instead of what the file holds
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
  // For an editor: what cannot be parsed is left out, and nothing is prepared for lowering.
  bool analysis = false;
  std::string scratchFile; // a path for the rewritten source, used if there is anything to rewrite
};

class KernelPrefixes;
class ProgramStock;
class Recovery;
struct FlangProgram;

class Program {
public:
  // With a stock, which must outlive the program, intrinsic modules are not read again.
  Program(FrontendOptions options, const llvm::TargetMachine &target,
          ProgramStock *stock = nullptr);
  ~Program();

  // Parses and checks; writes module files unless there are errors. Always leaves a usable object;
  // false if there are errors. What the checks of checks/ say better is left to them.
  bool analyse(Diagnostics &diagnostics);
  // Whether flang came as far as types and symbols, if with errors.
  bool hasSymbols() const;
  // flang's messages for which the checks may have better words, and which stand otherwise.
  std::vector<Diagnostic> undecided() const;
  // What filters have dropped of flang's messages and of those of the checks, in the last round.
  const DroppedMessages &dropped() const;
  // Drops what is wrong only because a part of the text was left out.
  void dropConsequencesOfRecovery(std::vector<Diagnostic> &list) const;

  // The source after preprocessing; `withLines`: with directives that say where it comes from.
  bool preprocess(std::string &text, bool withLines, Diagnostics &diagnostics);

  // False if a part of the text was left out.
  bool complete() const { return !recovery; }

  // Whether the files of the modules are those of this source.
  bool wroteInterfaces() const { return interfacesWritten; }

  // The files that were read, beside the compiler's own: the source first, what it includes, and
  // the modules it uses.
  std::vector<std::string> filesRead() const;

  FlangProgram &flang() { return *impl; }
  const FrontendOptions &options() const { return settings; }

private:
  void restart();
  bool prescan(Diagnostics &diagnostics);
  // Prescans and parses, and again without what cannot be parsed if that is wanted. False if there
  // is no tree.
  bool parse(Diagnostics &diagnostics);
  bool parseOnce(Diagnostics &diagnostics);
  void leaveOut(const std::vector<Diagnostic> &errors);
  bool check(Diagnostics &diagnostics);
  bool checkWithoutErrors(Diagnostics &diagnostics);
  bool resolved();
  void collectSemanticErrors(Diagnostics &diagnostics);
  // After the analysis: what to insert into its text before it is analysed again.
  std::vector<Edit> wantedEdits(bool hasErrors, Diagnostics &diagnostics);
  bool writeModules(Diagnostics &diagnostics);
  void writeInterfaces();
  bool writePartialInterfaces();
  FrontendOptions settings;
  const llvm::TargetMachine &target;
  ProgramStock *stock;
  std::vector<Edit> edits; // of the prescanned text (cooked_text.h)
  std::string replacement; // of the file's text, unless empty
  bool interfacesWritten = false;
  std::unique_ptr<Recovery> recovery;   // if the text cannot be parsed as it is
  std::vector<Diagnostic> syntaxErrors; // of the text as it is
  std::unique_ptr<KernelPrefixes> prefixes;
  std::unique_ptr<FlangProgram> impl;
};

} // namespace cufc
#endif // CUFC_FRONTEND_PROGRAM_H
