// Makes flang's parser linear in the depth of calls and subscripts.
//
// For each name with parentheses behind it flang first tries a procedure component, `x(i)%p`: it
// parses everything between the parentheses, twice (as a section and as an expression), looks for
// %, finds none, forgets all and begins again. With calls in calls that is three times as much for
// each level: f(g(h(x))) takes 27 passes over x. Here the characters are looked at before: without
// a % behind the parentheses there is no component. The linker puts our function in place of
// flang's (--wrap in compiler/CMakeLists.txt). What is parsed is the same.
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
  if (!cufc::mayBeComponent(at, at + state.BytesRemaining()))
    return std::nullopt;
  return parseComponent(state);
}
