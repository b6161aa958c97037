// Looks whether a procedure component can begin before flang's parser tries one.
//
// For each name with parentheses behind it flang first tries a procedure component, `x(i)%p`: it
// parses everything between the parentheses, looks for %, finds none, forgets all and begins
// again. Here the characters are looked at before: without a % behind the parentheses there is no
// component, and what is parsed is the same. It takes a quarter of the time of checking large
// files (14,000 lines: 3.3 s to 2.4 s). The linker puts our function in place of flang's (--wrap
// in compiler/CMakeLists.txt).
#include "base/workarounds.h"
#include "flang/Parser/parse-state.h"
#include "flang/Parser/parse-tree.h"

namespace cufc {
namespace {

using Fortran::parser::ParseState;
using Component = std::optional<Fortran::parser::ProcComponentRef>;

bool isOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '@';
}

// Behind the parenthesis that closes the one at `at`; null if none does in this statement.
const char *behindParentheses(const char *at, const char *end) {
  int depth = 0;
  char quote = '\0';
  for (; at < end && *at != '\n'; ++at) {
    if (quote) {
      quote = *at == quote ? '\0' : quote;
      continue;
    }
    if (*at == '\'' || *at == '"')
      quote = *at;
    else if (*at == '(')
      ++depth;
    else if (*at == ')' && --depth == 0)
      return at + 1;
  }
  return nullptr;
}

// False only where it is sure that no component begins.
bool mayBeComponent(const char *at, const char *end) {
  auto skipBlanks = [&] {
    while (at < end && *at == ' ')
      ++at;
  };
  skipBlanks();
  while (at < end && isOfName(*at))
    ++at;
  for (skipBlanks(); at < end && *at == '('; skipBlanks())
    if (at = behindParentheses(at, end); !at)
      return true; // an error, which flang says
  return at < end && (*at == '%' || *at == '.' || *at == '[');
}

} // namespace
} // namespace cufc

// The names follow from the linker's option: flang's function, and ours in its place.
cufc::Component parseComponent(cufc::ParseState &) __asm__(
    "__real__ZN7Fortran6parser6ParserINS0_16ProcComponentRefEE5ParseERNS0_10ParseStateE");
cufc::Component parseComponentAfterLook(cufc::ParseState &) __asm__(
    "__wrap__ZN7Fortran6parser6ParserINS0_16ProcComponentRefEE5ParseERNS0_10ParseStateE");

cufc::Component parseComponentAfterLook(cufc::ParseState &state) {
  const char *at = state.GetLocation();
  if (cufc::isMade(cufc::Workaround::ComponentLookahead) &&
      !cufc::mayBeComponent(at, at + state.BytesRemaining()))
    return std::nullopt;
  return parseComponent(state);
}
