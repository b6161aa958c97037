// The file: a line that names the format, the length and hash of the rest, then numbers and strings
// with their lengths in front. Paths stand once, in a table at the beginning.
#include "project/build_state.h"
#include "base/files.h"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <sys/stat.h>

namespace cufc {
namespace {

constexpr std::string_view formatLine = "cufls build state 1\n";

// More than the clock of any file system needs for a tick.
constexpr int64_t clockTick = 50'000'000;

class Writer {
public:
  template <typename T>
  void number(T value) {
    data.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<uint64_t>(value.size()));
    data += value;
  }
  void hash(const ContentHash &value) {
    number(value.low);
    number(value.high);
  }
  std::string data;
};

class Reader {
public:
  explicit Reader(std::string_view data) : rest(data) {}

  template <typename T>
  T number() {
    T value{};
    good &= rest.size() >= sizeof value;
    if (!good)
      return value;
    std::copy_n(rest.begin(), sizeof value, reinterpret_cast<char *>(&value));
    rest.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    uint64_t size = number<uint64_t>();
    good &= size <= rest.size();
    std::string_view value = good ? rest.substr(0, size) : std::string_view();
    rest.remove_prefix(value.size());
    return value;
  }
  ContentHash hash() {
    uint64_t low = number<uint64_t>();
    return {low, number<uint64_t>()};
  }
  // How many of something follow; no more than there can be bytes.
  uint64_t count() {
    uint64_t value = number<uint64_t>();
    good &= value <= rest.size();
    return good ? value : 0;
  }
  bool good = true;

private:
  std::string_view rest;
};

class Paths {
public:
  uint64_t index(const std::string &path) {
    auto [known, isNew] = indices.emplace(path, list.size());
    if (isNew)
      list.push_back(path);
    return known->second;
  }
  std::vector<std::string> list;

private:
  std::unordered_map<std::string, uint64_t> indices;
};

void writeFiles(Writer &out, Paths &paths, const StepRecord::Files &files) {
  out.number(static_cast<uint64_t>(files.size()));
  for (const auto &[path, hash] : files) {
    out.number(paths.index(path));
    out.hash(hash);
  }
}

StepRecord::Files readFiles(Reader &in, const std::vector<std::string> &paths) {
  StepRecord::Files files;
  for (uint64_t count = in.count(); count > 0 && in.good; --count) {
    uint64_t index = in.number<uint64_t>();
    ContentHash hash = in.hash();
    in.good &= index < paths.size();
    if (in.good)
      files.emplace_back(paths[index], hash);
  }
  return files;
}

void readSteps(Reader &in, const std::vector<std::string> &paths, BuildState &state) {
  for (uint64_t count = in.count(); count > 0 && in.good; --count) {
    std::string name(in.text());
    StepRecord step;
    step.command = in.hash();
    step.inputs = readFiles(in, paths);
    step.outputs = readFiles(in, paths);
    step.messages = in.text();
    state.steps.emplace(std::move(name), std::move(step));
  }
}

int64_t nanoseconds(const timespec &time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

int64_t now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

} // namespace

FileStamp stampOf(const std::string &path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return {};
  return {status.st_size, std::max(nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)),
          status.st_ino};
}

std::string installedAs(const std::string &path) {
  struct stat status{};
  stat(path.c_str(), &status);
  return fmt::format("{}:{}:{}", status.st_size, nanoseconds(status.st_mtim), status.st_ino);
}

int64_t nanosecondsNow() { return now(CLOCK_REALTIME); }

int64_t fileClockNow() { return now(CLOCK_REALTIME_COARSE); }

bool isFresh(const FileStamp &stamp) { return stamp.time + clockTick >= nanosecondsNow(); }

ContentHash FileHashes::hash(const std::string &path) {
  if (auto found = looked.find(path); found != looked.end())
    return found->second;
  FileStamp stamp = stampOf(path);
  auto known = entries.find(path);
  if (stamp.size < 0) {
    if (known != entries.end())
      entries.erase(known);
    return looked[path] = {};
  }
  if (known != entries.end() && known->second.stamp == stamp)
    return looked[path] = known->second.hash;
  std::string text;
  ContentHash hash;
  bool fresh = isFresh(stamp);
  if (readFile(path, text))
    hash = contentHash(text);
  changed = true;
  if (fresh)
    entries.erase(path);
  else
    entries[path] = {stamp, hash};
  return looked[path] = hash;
}

std::string StepRecord::outdated(const ContentHash &current, FileHashes &files) const {
  if (!(command == current))
    return "other options or another compiler";
  for (const auto &[path, hash] : inputs)
    if (!(files.hash(path) == hash) || !hash)
      return path + " changed";
  for (const auto &[path, hash] : outputs)
    if (!(files.hash(path) == hash))
      return path + (files.hash(path) ? " was changed" : " is missing");
  return {};
}

bool BuildState::load(const std::string &path) {
  std::string text;
  if (!readFile(path, text) || !text.starts_with(formatLine))
    return false;
  Reader head(std::string_view(text).substr(formatLine.size()));
  ContentHash sum = head.hash();
  std::string_view body = head.text();
  if (!head.good || !(contentHash(body) == sum))
    return false;
  Reader in(body);
  std::vector<std::string> paths;
  for (uint64_t count = in.count(); count > 0 && in.good; --count)
    paths.emplace_back(in.text());
  for (const std::string &each : paths) {
    FileHashes::Entry entry;
    entry.stamp.size = in.number<int64_t>();
    entry.stamp.time = in.number<int64_t>();
    entry.stamp.inode = in.number<uint64_t>();
    entry.hash = in.hash();
    if (entry.stamp.size >= 0)
      files.entries.emplace(each, entry);
  }
  readSteps(in, paths, *this);
  if (in.good)
    return true;
  *this = {};
  return false;
}

bool BuildState::save(const std::string &path) const {
  Paths paths;
  Writer list;
  list.number(static_cast<uint64_t>(steps.size()));
  for (const auto &[name, step] : steps) {
    list.text(name);
    list.hash(step.command);
    writeFiles(list, paths, step.inputs);
    writeFiles(list, paths, step.outputs);
    list.text(step.messages);
  }
  Writer body;
  body.number(static_cast<uint64_t>(paths.list.size()));
  for (const std::string &each : paths.list)
    body.text(each);
  for (const std::string &each : paths.list) {
    auto known = files.entries.find(each);
    FileHashes::Entry entry = known == files.entries.end() ? FileHashes::Entry{} : known->second;
    body.number(entry.stamp.size);
    body.number(entry.stamp.time);
    body.number(entry.stamp.inode);
    body.hash(entry.hash);
  }
  body.data += list.data;
  Writer head;
  head.hash(contentHash(body.data));
  head.text(body.data);
  std::string temporary = path + ".new";
  return writeFile(temporary, std::string(formatLine) + head.data) &&
         std::rename(temporary.c_str(), path.c_str()) == 0;
}

} // namespace cufc
