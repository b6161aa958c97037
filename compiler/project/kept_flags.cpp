// See kept_flags.h. A file of JSON for each folder, named by the hash of the folder's path.
#include "project/kept_flags.h"
#include "base/files.h"
#include "project/build_state.h"
#include "project/content_hash.h"
#include "project/json_reader.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr long long formatVersion = 1;

std::string pathFor(const std::string &cache, const std::string &root) {
  return fmt::format("{}/{}.json", cache, contentHash(root).text());
}

std::string textsOf(const std::vector<std::string> &list) {
  std::string result;
  for (const std::string &text : list)
    result += (result.empty() ? "" : ",") + quoteJson(text);
  return "[" + result + "]";
}

std::vector<std::string> textsIn(const JsonValue *list) {
  std::vector<std::string> result;
  if (list)
    for (const JsonValue &item : list->items)
      result.push_back(item.text);
  return result;
}

std::optional<KeptFlags> read(const std::string &path, const std::string &root) {
  std::string text;
  JsonValue value;
  Diagnostics ignored;
  if (!readFile(path, text) || !readJson(path, text, value, ignored) ||
      value.integer("version") != formatVersion || value.string("root") != root)
    return std::nullopt;
  KeptFlags flags{
      root, value.string("from"), value.string("file"), textsIn(value.find("arguments")), {}, {}};
  if (const JsonValue *list = value.find("files"))
    for (const JsonValue &file : list->items)
      flags.files.push_back({file.string("path"), file.integer("size"), file.integer("time")});
  if (const JsonValue *list = value.find("commands"))
    for (const JsonValue &command : list->items)
      flags.commands.push_back({command.string("directory"), textsIn(command.find("words"))});
  return flags;
}

} // namespace

BuildFile buildFileNow(const std::string &path) {
  FileStamp stamp = stampOf(path);
  return {path, stamp.size, stamp.time};
}

bool KeptFlags::outdated() const {
  return std::any_of(files.begin(), files.end(), [](const BuildFile &file) {
    BuildFile now = buildFileNow(file.path);
    return now.size != file.size || now.time != file.time;
  });
}

std::optional<KeptFlags> findKeptFlags(const std::string &cache, const std::string &start) {
  std::error_code error;
  if (cache.empty() || !fs::exists(cache, error))
    return std::nullopt;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (auto flags = read(pathFor(cache, folder.string()), folder.string()))
      return flags;
    if (fs::exists(folder / ".git", error) || folder == folder.parent_path())
      return std::nullopt;
  }
}

bool keepFlags(const std::string &cache, const KeptFlags &flags) {
  std::string files, commands;
  for (const BuildFile &file : flags.files)
    files += fmt::format("{}\n  {{\"path\": {}, \"size\": {}, \"time\": {}}}",
                         files.empty() ? "" : ",", quoteJson(file.path), file.size, file.time);
  for (const BuildCommand &command : flags.commands)
    commands +=
        fmt::format("{}\n  {{\"directory\": {}, \"words\": {}}}", commands.empty() ? "" : ",",
                    quoteJson(command.directory), textsOf(command.words));
  std::string text = fmt::format(
      "{{\"version\": {}, \"root\": {}, \"from\": {}, \"file\": {}, \"arguments\": {},\n"
      " \"files\": [{}],\n \"commands\": [{}]}}\n",
      formatVersion, quoteJson(flags.root), quoteJson(flags.from), quoteJson(flags.file),
      textsOf(flags.arguments), files, commands);
  std::error_code ignored; // an error shows when the file is written
  fs::create_directories(cache, ignored);
  std::string path = pathFor(cache, flags.root), next = path + fmt::format(".tmp{}", getpid());
  return writeFile(next, text) && std::rename(next.c_str(), path.c_str()) == 0;
}

void forgetFlags(const std::string &cache, const std::string &root) {
  std::error_code ignored;
  if (!cache.empty())
    fs::remove(pathFor(cache, root), ignored);
}

} // namespace cufc
