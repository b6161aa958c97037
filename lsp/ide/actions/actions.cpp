// The list of all kinds of actions.
#include "ide/actions/action.h"
#include "ide/actions/fixed_form.h"
#include <algorithm>

namespace cufc {
namespace {

struct Maker {
  const char *kind;
  void (*add)(const ActionContext &, CodeActions &);
};

constexpr Maker makers[] = {
    {"quickfix", addFixes},
    {"quickfix", addMissingUse},
    {"quickfix", addBoundsTest},
    {"quickfix", addAllowComments},
    {"refactor.rewrite", addStatusCheck},
    {"refactor.rewrite", addExplicitInterface},
    {"refactor.rewrite", addKernelDirective},
    {"refactor.rewrite", addDeviceArray},
    {"refactor.extract", addExtractedKernel},
    {"refactor.rewrite", addLaunchProcedure},
    {"source.organizeImports", addOrganizedUse},
    {"source.fixAll.cufls", addFixAll},
};

// "refactor" wants "refactor.extract" also.
bool isWanted(const std::string &kind, const std::vector<std::string> &only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string &wish) {
           return wish.empty() || kind == wish || kind.starts_with(wish + ".");
         });
}

} // namespace

CodeActions codeActions(const ActionContext &place, const std::vector<std::string> &only) {
  CodeActions result;
  if (!place.file.analysis)
    return result;
  ActionContext context = place;
  for (const std::string &wish : only)
    context.wholeFile |= wish.starts_with("source");
  for (const Maker &maker : makers) {
    if (!isWanted(maker.kind, only))
      continue;
    maker.add(context, result);
  }
  for (const char *kind :
       {"refactor.extract", "refactor.inline", "refactor.rewrite", "refactor.move"})
    if (isWanted(kind, only))
      addRefactorings(context, kind, result);
  if (context.file.reading.fixedForm)
    std::erase_if(result, [&](CodeAction &action) {
      auto own = action.edits.find(context.file.path);
      return !action.laidOut && own != action.edits.end() &&
             !layOutInFixedForm(context, own->second);
    });
  return result;
}

} // namespace cufc
