// Code actions: changes that a user can ask for at a place of a text.
//
// Each kind of action is a function in a file of its own that adds what it can do at a place; the
// list of them is in actions.cpp. An action that would not compile is not offered.
#ifndef CUFLS_IDE_ACTIONS_ACTION_H
#define CUFLS_IDE_ACTIONS_ACTION_H

#include "ide/query.h"
#include <map>

namespace cufc {

struct CodeAction {
  std::string title; // in the imperative
  std::string kind;  // the protocol's: "quickfix", "refactor.extract"
  std::map<std::string, std::vector<TextChange>> edits = {}; // by path; places of the texts now
  bool preferred = false;         // what one would do without looking at the others
  std::vector<size_t> mends = {}; // numbers of the diagnostics that go away
  std::map<std::string, std::string> renamed = {}; // files, from and to
  bool laidOut = false;                            // in the form of the file already
};

struct ActionContext {
  const Workspace &workspace;
  const SourceFile &file;                     // open
  TextRange range;                            // what is selected, or an empty range at the cursor
  const std::vector<Diagnostic> &diagnostics; // of the file; places of its analysis

  bool wholeFile = false; // actions of the kind "source" are asked for by name

  const Document &document() const { return file.document; }
  Query query() const { return {workspace, file, range.begin}; }
};

using CodeActions = std::vector<CodeAction>;

// All actions at the place whose kind is one of `only` or below it; all if that is empty.
CodeActions codeActions(const ActionContext &context, const std::vector<std::string> &only);

// The makers of actions.
void addFixes(const ActionContext &context, CodeActions &actions);
void addFixAll(const ActionContext &context, CodeActions &actions);
void addAllowComments(const ActionContext &context, CodeActions &actions);
void addMissingUse(const ActionContext &context, CodeActions &actions);
void addExplicitInterface(const ActionContext &context, CodeActions &actions);
void addBoundsTest(const ActionContext &context, CodeActions &actions);
void addStatusCheck(const ActionContext &context, CodeActions &actions);
void addLaunchProcedure(const ActionContext &context, CodeActions &actions);
void addKernelDirective(const ActionContext &context, CodeActions &actions);
void addExtractedKernel(const ActionContext &context, CodeActions &actions);
void addDeviceArray(const ActionContext &context, CodeActions &actions);
void addOrganizedUse(const ActionContext &context, CodeActions &actions);

// Those of ide/refactor/ of one kind.
void addRefactorings(const ActionContext &context, const std::string &kind, CodeActions &actions);

} // namespace cufc
#endif // CUFLS_IDE_ACTIONS_ACTION_H
