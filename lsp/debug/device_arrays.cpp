// See device_arrays.h.
#include "debug/device_arrays.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace cufc::debug {
namespace {

constexpr size_t wordsBeforeBounds = 3, wordsOfDimension = 3, wordOfBytes = 1;

bool isLetter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '$';
}

std::optional<int64_t> wholeNumber(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

// Behind the text in quotes that begins at `start`.
size_t endOfText(std::string_view expression, size_t start) {
  size_t end = expression.find(expression[start], start + 1);
  return end == std::string_view::npos ? expression.size() : end + 1;
}

// Takes the subscripts in parentheses from `start` on; where they end, or `start` without any.
size_t readSubscripts(std::string_view expression, size_t start,
                      std::vector<std::string> &subscripts) {
  size_t at = expression.find_first_not_of(' ', start);
  if (at == std::string_view::npos || expression[at] != '(')
    return start;
  int depth = 0;
  size_t from = at + 1;
  for (; at < expression.size(); ++at) {
    char letter = expression[at];
    depth += (letter == '(') - (letter == ')');
    bool isEnd = depth == 0;
    if (isEnd || (depth == 1 && letter == ',')) {
      subscripts.emplace_back(expression.substr(from, at - from));
      from = at + 1;
    }
    if (isEnd)
      return at + 1;
  }
  subscripts.clear();
  return start;
}

bool isSection(const std::string &subscript) { return subscript.find(':') != std::string::npos; }

} // namespace

std::string shapeVariable(std::string_view array) { return "_Qshape_" + std::string(array); }

std::optional<ArrayShape> shapeFrom(std::string_view words) {
  std::vector<int64_t> numbers;
  for (const auto &[unused, word] : partsOf(words))
    if (std::optional<int64_t> number = wholeNumber(word))
      numbers.push_back(*number);
  if (numbers.size() < wordsBeforeBounds + wordsOfDimension ||
      (numbers.size() - wordsBeforeBounds) % wordsOfDimension != 0 || numbers[wordOfBytes] <= 0)
    return std::nullopt;
  ArrayShape shape;
  for (size_t i = wordsBeforeBounds; i < numbers.size(); i += wordsOfDimension) {
    int64_t lower = numbers[i], extent = std::max<int64_t>(numbers[i + 1], 0),
            bytes = numbers[i + 2];
    if (bytes % numbers[wordOfBytes] != 0)
      return std::nullopt;
    shape.dimensions.push_back({lower, lower + extent - 1});
    shape.distances.push_back(bytes / numbers[wordOfBytes]);
  }
  return shape;
}

std::vector<ArrayUse> arrayUses(std::string_view expression, const ShapeOf &shapeOf) {
  std::vector<ArrayUse> uses;
  for (size_t at = 0; at < expression.size();) {
    if (expression[at] == '\'' || expression[at] == '"') {
      at = endOfText(expression, at);
      continue;
    }
    if (!isLetter(expression[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < expression.size() && isLetter(expression[end]))
      ++end;
    ArrayUse use{at, end, std::string(expression.substr(at, end - at)), {}};
    std::transform(use.name.begin(), use.name.end(), use.name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    bool isName = !std::isdigit(static_cast<unsigned char>(use.name[0]));
    bool isComponent = at > 0 && (expression[at - 1] == '%' || expression[at - 1] == ':');
    if (isName && !isComponent && shapeOf(use.name)) {
      use.end = end = readSubscripts(expression, end, use.subscripts);
      uses.push_back(std::move(use));
    }
    at = end;
  }
  return uses;
}

std::string placeInMemory(const ArrayShape &shape, const std::vector<std::string> &subscripts) {
  if (subscripts.size() != shape.dimensions.size())
    return "";
  std::string place = "1";
  for (size_t i = 0; i < subscripts.size(); ++i)
    place += "+((" + subscripts[i] + ")-(" + std::to_string(shape.dimensions[i].lower) + "))*(" +
             std::to_string(shape.distances[i]) + ")";
  return place;
}

std::optional<Bounds> rangeOf(std::string_view subscript, const Bounds &dimension) {
  size_t colon = subscript.find(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  std::string_view from = subscript.substr(0, colon), to = subscript.substr(colon + 1);
  std::optional<int64_t> lower = from.empty() ? dimension.lower : wholeNumber(from),
                         upper = to.empty() ? dimension.upper : wholeNumber(to);
  return lower && upper ? std::optional(Bounds{*lower, *upper}) : std::nullopt;
}

std::string withPlaces(std::string_view expression, const ShapeOf &shapeOf) {
  std::string result;
  size_t done = 0;
  for (ArrayUse &use : arrayUses(expression, shapeOf)) {
    if (use.subscripts.empty() ||
        std::any_of(use.subscripts.begin(), use.subscripts.end(), isSection))
      continue;
    for (std::string &subscript : use.subscripts)
      subscript = withPlaces(subscript, shapeOf);
    std::optional<ArrayShape> shape = shapeOf(use.name);
    std::string place = shape ? placeInMemory(*shape, use.subscripts) : "";
    if (place.empty())
      continue;
    result += expression.substr(done, use.start - done);
    result += use.name + "(" + place + ")";
    done = use.end;
  }
  result += expression.substr(done);
  return result;
}

std::string shownBounds(const ArrayShape &shape) {
  std::string text;
  for (const Bounds &bounds : shape.dimensions) {
    text += text.empty() ? "(" : ",";
    if (bounds.lower != 1)
      text += std::to_string(bounds.lower) + ":";
    text += std::to_string(bounds.upper);
  }
  return text + ")";
}

} // namespace cufc::debug
