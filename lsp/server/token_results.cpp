// See token_results.h. What is common at the beginning and at the end is not sent.
#include "server/token_results.h"
#include <algorithm>

namespace cufc {

constexpr size_t numbersOfToken = 5;

std::string TokenResults::keep(const std::string &path, Data data) {
  forget(path);
  results.push_front({path, std::to_string(++count), std::move(data)});
  if (results.size() > mostDocuments)
    results.pop_back();
  return results.front().id;
}

const TokenResults::Data *TokenResults::find(const std::string &path, const std::string &id) const {
  for (const Result &result : results)
    if (result.path == path && result.id == id)
      return &result.data;
  return nullptr;
}

void TokenResults::forget(const std::string &path) {
  results.remove_if([&](const Result &result) { return result.path == path; });
}

// Tokens name their places relative to the one before, so an edit changes few numbers.
TokenEdit tokenEdit(const TokenResults::Data &before, const TokenResults::Data &now) {
  size_t shorter = std::min(before.size(), now.size());
  size_t prefix = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<long>(shorter), now.begin())
          .first -
      before.begin());
  prefix -= prefix % numbersOfToken;
  size_t suffix = 0;
  while (suffix < shorter - prefix &&
         before[before.size() - suffix - 1] == now[now.size() - suffix - 1])
    ++suffix;
  suffix -= suffix % numbersOfToken;
  return {prefix, before.size() - prefix - suffix, suffix};
}

} // namespace cufc
