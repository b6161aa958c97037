// The embedded pages, sorted by code by their generator.
#include "base/explanations.h"
#include <algorithm>
#include <iterator>

namespace cufc {
namespace {

struct Page {
  std::string_view code;
  std::string_view text;
};

constexpr Page pages[] = {
#define CUF_EXPLANATION(code, text) {code, text},
#include "tables/explanations.inc"
#undef CUF_EXPLANATION
    {"~", ""}, // an array has an element
};

} // namespace

std::string_view explanationOf(std::string_view code) {
  const Page *found = std::lower_bound(
      std::begin(pages), std::end(pages), code,
      [](const Page &page, std::string_view wanted) { return page.code < wanted; });
  return found != std::end(pages) && found->code == code ? found->text : std::string_view();
}

} // namespace cufc
