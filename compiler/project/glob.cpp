// A pattern is matched name by name. Expanding goes down only into folders that can still fit, so
// "src/*.cuf" reads one folder.
#include "project/glob.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

using Names = std::vector<std::string_view>;

Names split(std::string_view path) {
  Names names;
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find('/', begin), path.size());
    std::string_view name = path.substr(begin, end - begin);
    if (!name.empty() && name != ".")
      names.push_back(name);
    begin = end + 1;
  }
  return names;
}

// A set like [a-z] or [!a] at the front of the pattern; its length, or 0 if it is not closed.
size_t matchSet(std::string_view pattern, char c, bool &matched) {
  bool negated = pattern.size() > 1 && (pattern[1] == '!' || pattern[1] == '^');
  size_t at = negated ? 2 : 1;
  bool found = false;
  for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false) {
    char low = pattern[at], high = low;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      high = pattern[at + 2];
      at += 2;
    }
    found |= low <= c && c <= high;
    ++at;
  }
  if (at >= pattern.size())
    return 0;
  matched = found != negated;
  return at + 1;
}

// One name; goes back to the last star on a mismatch.
bool matchesName(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.'))
    return false;
  size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    bool matched = false;
    size_t length = 1;
    if (p < pattern.size()) {
      if (pattern[p] == '*') {
        star = p++;
        resume = n;
        continue;
      }
      size_t set = pattern[p] == '[' ? matchSet(pattern.substr(p), name[n], matched) : 0;
      length = std::max<size_t>(set, 1);
      if (set == 0)
        matched = pattern[p] == '?' || pattern[p] == name[n];
    }
    if (matched) {
      p += length;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool matchesNames(const Names &pattern, size_t p, const Names &path, size_t n) {
  if (p == pattern.size())
    return n == path.size();
  if (pattern[p] == "**") {
    for (size_t next = n; next <= path.size(); ++next) {
      if (matchesNames(pattern, p + 1, path, next))
        return true;
      if (next < path.size() && path[next].starts_with('.'))
        return false;
    }
    return false;
  }
  return n < path.size() && matchesName(pattern[p], path[n]) &&
         matchesNames(pattern, p + 1, path, n + 1);
}

class Expansion {
public:
  Expansion(const std::string &folder, const Names &pattern,
            const std::function<bool(const std::string &)> &skip)
      : root(folder), pattern(pattern), skip(skip) {}

  // The files below `path` that fit the pattern from the name `p` on.
  void run(const std::string &path, size_t p) {
    if (p == pattern.size())
      return;
    bool deep = pattern[p] == "**";
    if (deep)
      run(path, p + 1);
    if (!deep && pattern[p].find_first_of("*?[") == std::string_view::npos)
      return one(join(path, pattern[p]), p); // a name that need not be looked for
    std::error_code error;
    std::filesystem::directory_iterator entries(join(root, path), error), end;
    for (; !error && entries != end; entries.increment(error)) {
      std::string name = entries->path().filename().string();
      if (deep ? name.starts_with('.') : !matchesName(pattern[p], name))
        continue;
      std::string child = join(path, name);
      if (!deep)
        one(child, p);
      else if (entries->is_directory(error) && !entries->is_symlink(error) && !skip(child))
        run(child, p);
    }
  }

  std::vector<std::string> found;

private:
  static std::string join(std::string_view folder, std::string_view name) {
    std::string path(folder);
    if (!path.empty() && path.back() != '/')
      path += '/';
    return path += name;
  }

  // A path that fits up to the name `p`.
  void one(const std::string &path, size_t p) {
    std::error_code error;
    std::string full = path.starts_with('/') ? path : join(root, path);
    if (p + 1 < pattern.size())
      run(path, p + 1);
    else if (std::filesystem::is_regular_file(full, error))
      found.push_back(path);
  }

  const std::string &root;
  const Names &pattern;
  const std::function<bool(const std::string &)> &skip;
};

} // namespace

bool isPattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool matchesPattern(std::string_view pattern, std::string_view path) {
  return pattern.starts_with('/') == path.starts_with('/') &&
         matchesNames(split(pattern), 0, split(path), 0);
}

std::vector<std::string> expandPattern(const std::string &folder, const std::string &pattern,
                                       const std::function<bool(const std::string &)> &skip) {
  bool absolute = pattern.starts_with('/');
  std::string root = absolute ? "/" : folder;
  Names names = split(pattern);
  if (!names.empty() && names.back() == "**")
    names.push_back("*"); // all files below
  Expansion expansion(root, names, skip);
  expansion.run("", 0);
  if (absolute)
    for (std::string &path : expansion.found)
      path.insert(0, "/");
  std::sort(expansion.found.begin(), expansion.found.end());
  auto last = std::unique(expansion.found.begin(), expansion.found.end());
  expansion.found.erase(last, expansion.found.end());
  return expansion.found;
}

} // namespace cufc
