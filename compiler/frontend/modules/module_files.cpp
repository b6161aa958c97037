// A module file begins with a byte order mark and `!mod$ v1 sum:` with a checksum of all that
// follows that line; then come lines `!need$ CHECKSUM n NAME` for the modules it uses.
#include "frontend/modules/module_files.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/workarounds.h"
#include "foreign/origin.h"
#include "frontend/modules/fewer_statements.h"
#include "frontend/modules/partial_mark.h"
#include "frontend/workarounds/component_attributes.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <vector>

namespace cufc {
namespace {

constexpr std::string_view mark = foreign::flangHeader;
constexpr std::string_view need = "!need$ ";
constexpr std::string_view intrinsicBegin = "use,intrinsic::";
constexpr std::string_view listBegin = ",only:";
constexpr size_t digits = 16;

bool hasHeader(std::string_view text) {
  return text.starts_with(mark) && text.size() > mark.size() + digits &&
         text[mark.size() + digits] == '\n';
}

std::string_view takeLine(std::string_view &rest) {
  size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

// The USE statements of a scope for one module.
struct JoinedUse {
  std::string_view begin; // up to the module's name
  std::vector<std::string> names;

  std::string statement(const ExportsOf &exports) const {
    bool intrinsic = begin.starts_with(intrinsicBegin);
    std::set<std::string> all =
        exports(begin.substr(intrinsic ? intrinsicBegin.size() : std::strlen("use ")), intrinsic);
    if (!all.empty() && all == std::set<std::string>(names.begin(), names.end()))
      return fmt::format("{}\n", begin);
    return fmt::format("{}{}{}\n", begin, listBegin, fmt::join(names, ","));
  }
};

class FinalForm {
public:
  FinalForm(std::map<std::string, std::string> &files, const ExportsOf &exports, bool partial)
      : files(files), exports(exports), partial(partial) {
    for (const auto &[name, text] : files)
      if (hasHeader(text))
        byOldSum[text.substr(mark.size(), digits)] = name;
  }

  void make() {
    std::vector<std::string> names;
    for (const auto &[name, text] : files)
      names.push_back(name);
    for (const std::string &name : names)
      finish(name);
  }

private:
  // The new checksum. Modules cannot need each other in a circle.
  std::string finish(const std::string &name) {
    if (auto known = newSums.find(name); known != newSums.end())
      return known->second;
    std::string &text = files[name];
    if (!hasHeader(text))
      return newSums[name] = "";
    std::string_view rest = std::string_view(text).substr(mark.size() + digits + 1);
    newSums[name] = text.substr(mark.size(), digits);
    std::string sums = withNewSums(rest);
    std::string joined = withJoinedUses(rest, exports);
    if (partial)
      joined = markedPartial(joined);
    if (isMade(Workaround::ComponentAttributes))
      joined = withComponentAttributes(joined);
    std::string body = sums + withFewerStatements(joined);
    std::string sum = foreign::flangChecksum(body);
    text = std::string(mark) + sum + "\n" + body;
    return newSums[name] = sum;
  }

  // The lines of needed modules, which are taken from `rest`.
  std::string withNewSums(std::string_view &rest) {
    std::string lines;
    while (rest.starts_with(need)) {
      std::string line(takeLine(rest));
      auto other = byOldSum.find(line.substr(need.size(), digits));
      if (other != byOldSum.end())
        line.replace(need.size(), digits, finish(other->second));
      lines += line + "\n";
    }
    return lines;
  }

  std::map<std::string, std::string> &files;
  const ExportsOf &exports;
  const bool partial;
  std::map<std::string, std::string> byOldSum, newSums;
};

// Whether the file has it in the end; errno says why not.
bool replaceFile(const std::string &path, const std::string &text) {
  std::string old;
  if (readFile(path, old) && old == text)
    return true;
  std::string next = path + fmt::format(".tmp{}", getpid());
  if (writeFile(next, text) && std::rename(next.c_str(), path.c_str()) == 0)
    return true;
  int reason = errno;
  std::remove(next.c_str());
  errno = reason;
  return false;
}

} // namespace

std::string withJoinedUses(std::string_view body, const ExportsOf &exports) {
  std::string result;
  std::vector<JoinedUse> run;
  auto end = [&] {
    for (const JoinedUse &use : run)
      result += use.statement(exports);
    run.clear();
  };
  while (!body.empty()) {
    std::string_view line = takeLine(body);
    size_t list = line.starts_with("use ") || line.starts_with("use,") ? line.find(listBegin)
                                                                       : std::string_view::npos;
    if (list == std::string_view::npos) {
      end();
      result.append(line).append("\n");
      continue;
    }
    std::string_view begin = line.substr(0, list);
    auto same = std::find_if(run.begin(), run.end(),
                             [&](const JoinedUse &use) { return use.begin == begin; });
    if (same == run.end())
      same = run.insert(run.end(), {begin, {}});
    same->names.emplace_back(line.substr(list + listBegin.size()));
  }
  end();
  return result;
}

std::string moduleFileOf(std::string_view text) {
  return fmt::format("{}{}\n{}", mark, foreign::flangChecksum(text), text);
}

std::map<std::string, std::string> finalModuleFiles(std::map<std::string, std::string> files,
                                                    const ExportsOf &exports, bool partial) {
  FinalForm(files, exports, partial).make();
  return files;
}

ModuleOutbox::ModuleOutbox(std::string path) : folder(std::move(path)) {
  std::error_code ignored; // an error shows when flang writes
  std::filesystem::create_directories(folder, ignored);
}

ModuleOutbox::~ModuleOutbox() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

bool ModuleOutbox::publish(const std::string &directory, const ExportsOf &exports, bool partial,
                           Diagnostics &diagnostics) const {
  std::error_code ignored;
  std::map<std::string, std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder, ignored))
    readFile(entry.path().string(), files[entry.path().filename().string()]);
  bool good = true;
  for (const auto &[name, text] : finalModuleFiles(std::move(files), exports, partial)) {
    std::string path = directory;
    path.append("/").append(name);
    if (replaceFile(path, text))
      continue;
    diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(errno)));
    good = false;
  }
  return good;
}

} // namespace cufc
