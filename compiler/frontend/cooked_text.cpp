// See cooked_text.h. flang offers no such hook: its Parsing parses the text that it has prescanned
// last. That text stays as it is, since messages of the prescanner refer to it, and a second one
// takes its place. Inserted characters have the place of the character beside them.
#include "frontend/cooked_text.h"
#include "frontend/edits.h"
#include "frontend/lenient/type_parameters.h"
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

// Pointers to members that flang keeps private. Access is not checked for the arguments of an
// explicit instantiation (C++17, 17.7.2 paragraph 12).
template <typename Member, typename Member::Type pointer>
struct Reached {
  friend typename Member::Type reach(Member) { return pointer; }
};
struct TextToParse {
  using Type = parser::CookedSource *parser::Parsing::*;
  friend Type reach(TextToParse);
};
struct Places {
  using Type = parser::OffsetToProvenanceMappings parser::CookedSource::*;
  friend Type reach(Places);
};
template struct Reached<TextToParse, &parser::Parsing::currentCooked_>;
template struct Reached<Places, &parser::CookedSource::provenanceMap_>;

class Replacement {
public:
  Replacement(FlangProgram &program, const Rewrite &rewrite)
      : from(program.parsing->cooked()), places(from.*reach(Places{})),
        to(program.cooked.NewCookedSource()), rewrite(rewrite) {}

  parser::CookedSource *make() {
    std::string_view text(from.AsCharBlock().begin(), from.AsCharBlock().size());
    size_t lineBegin = 0;
    int line = 1;
    for (const Insertion &insertion : rewrite.insertions) {
      for (; line < insertion.line; ++line)
        lineBegin = text.find('\n', lineBegin) + 1;
      size_t at = lineBegin + static_cast<size_t>(insertion.column);
      keepUpTo(at);
      insert(text, at, static_cast<size_t>(insertion.length));
    }
    keepUpTo(text.size());
    to.Put(rewrite.text);
    return &to;
  }

private:
  void keepUpTo(size_t end) {
    while (copied < end) {
      parser::ProvenanceRange range = places.Map(copied);
      size_t size = std::min(range.size(), end - copied);
      to.PutProvenance(range.Prefix(size));
      copied += size;
    }
  }

  // What closes belongs to what stands before, the rest to what follows.
  void insert(std::string_view text, size_t at, size_t length) {
    char first = rewrite.text[at + inserted];
    bool closes = at > 0 && (at == text.size() || text[at] == '\n' ||
                             std::string_view("),:;%").find(first) != std::string_view::npos);
    parser::Provenance place = places.Map(closes ? at - 1 : at).start();
    for (size_t i = 0; i < length; ++i)
      to.PutProvenance(parser::ProvenanceRange{place, 1});
    inserted += length;
  }

  const parser::CookedSource &from;
  const parser::OffsetToProvenanceMappings &places;
  parser::CookedSource &to;
  const Rewrite &rewrite;
  size_t copied = 0, inserted = 0;
};

void replace(FlangProgram &program, const Rewrite &rewrite) {
  parser::CookedSource *text = Replacement(program, rewrite).make();
  text->Marshal(program.cooked);
  (*program.parsing).*reach(TextToParse{}) = text;
}

} // namespace

bool editCookedText(FlangProgram &program, const std::vector<Edit> &edits) {
  std::string text = program.parsing->cooked().AsCharBlock().ToString();
  const std::vector<Edit> moved = typeParametersFirst(text);
  if (!moved.empty() || text.find("!$cuf") != std::string::npos)
    if (Rewrite rewrite = rewriteDialect(text, false, moved);
        rewrite.changed && refusedEdit(program) != everyDialectEdit)
      replace(program, rewrite);
  if (edits.empty())
    return true;
  text = program.parsing->cooked().AsCharBlock().ToString();
  size_t size = text.size();
  for (const Edit &edit : edits)
    size += edit.text.size();
  const Rewrite rewrite = rewriteDialect(text, false, edits);
  if (rewrite.text.size() == size)
    replace(program, rewrite);
  return rewrite.text.size() == size;
}

} // namespace cufc
