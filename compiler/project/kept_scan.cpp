// One file for each folder that was scanned, written beside its place and renamed. A long scan
// writes what it has every few seconds, so that one that is ended goes on from there.
#include "project/kept_scan.h"
#include "base/archive.h"
#include "base/files.h"
#include "project/build_state.h"
#include "project/content_hash.h"
#include "project/project_parts.h"
#include "source/source_form.h"
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// More entries than any project has: a home folder was given by mistake.
constexpr size_t mostEntries = 200000;
// Scans of so many folders are kept.
constexpr size_t mostScans = 64;
constexpr std::chrono::seconds betweenSaves{3};
constexpr size_t fewLooks = 1000;

struct Kept {
  FileStamp stamp;
  ModuleFacts facts;
};
using KeptFiles = std::unordered_map<std::string, Kept>;

template <typename Archive, typename Statements>
void statements(Archive &archive, Statements &list) {
  size_t size = list.size();
  archive(size);
  if constexpr (!std::is_const_v<Statements>)
    list.resize(std::min(size, size_t(1) << 16));
  for (auto &one : list) {
    auto &range = one.range;
    archive(one.name, range.line, range.column, range.endLine, range.endColumn, one.conditional);
  }
}

template <typename Archive, typename Includes>
void includes(Archive &archive, Includes &list) {
  size_t size = list.size();
  archive(size);
  if constexpr (!std::is_const_v<Includes>)
    list.resize(std::min(size, size_t(1) << 16));
  for (auto &line : list)
    archive(line.name, line.betweenUnits);
}

template <typename Archive, typename Facts>
void fields(Archive &archive, Facts &facts) {
  statements(archive, facts.defines);
  statements(archive, facts.uses);
  statements(archive, facts.usesItself);
  statements(archive, facts.programs);
  statements(archive, facts.procedures);
  includes(archive, facts.includes);
  archive(facts.calls, facts.cuda, facts.freeForm);
}

void setFile(ModuleFacts &facts, const std::string &path) {
  for (auto *list :
       {&facts.defines, &facts.uses, &facts.usesItself, &facts.programs, &facts.procedures})
    for (ModuleStatement &statement : *list)
      statement.range.file = path;
}

// What a scan depends on beside the files: this program and the folder.
std::string headOf(const std::string &folder, bool below) {
  return fmt::format("cufls scan 2 {} {} {}", installedAs("/proc/self/exe"), below, folder);
}

KeptFiles readKept(const std::string &file, const std::string &head) {
  KeptFiles result;
  std::string bytes, found;
  if (file.empty() || !readFile(file, bytes))
    return result;
  ArchiveReader reader(bytes);
  size_t count = 0;
  reader(found, count);
  if (found != head)
    return result;
  result.reserve(std::min(count, mostEntries));
  for (size_t i = 0; i < std::min(count, mostEntries); ++i) {
    std::string path;
    Kept kept;
    reader(path, kept.stamp.size, kept.stamp.time, kept.stamp.inode);
    fields(reader, kept.facts);
    setFile(kept.facts, path);
    result.emplace(std::move(path), std::move(kept));
  }
  return reader.finished() ? std::move(result) : KeptFiles{};
}

void writeKept(const std::string &file, const std::string &head, const KeptFiles &files) {
  ArchiveWriter writer;
  writer(head, files.size());
  for (const auto &[path, kept] : files) {
    writer(path, kept.stamp.size, kept.stamp.time, kept.stamp.inode);
    fields(writer, kept.facts);
  }
  std::string temporary = file + "." + std::to_string(getpid());
  std::error_code ignored;
  if (writeFile(temporary, writer.bytes))
    fs::rename(temporary, file, ignored);
}

// The oldest go.
void prune(const std::string &folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> scans;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    scans.emplace_back(entry.last_write_time(error), entry.path());
  std::sort(scans.begin(), scans.end());
  for (size_t i = 0; i + mostScans < scans.size(); ++i)
    fs::remove(scans[i].second, error);
}

class Scan {
public:
  Scan(const std::string &folder, bool below, const ScanOptions &options)
      : folder(folder), below(below), options(options), head(headOf(folder, below)) {
    if (!options.kept.empty()) {
      std::error_code ignored;
      fs::create_directories(options.kept, ignored);
      file = options.kept + "/" + contentHash(folder).text() + (below ? "" : "-alone");
    }
    known = readKept(file, head);
  }

  ScannedFolder run() {
    if (options.asKept && !known.empty()) {
      now = std::move(known);
      known.clear();
      return result();
    }
    list();
    now.reserve(paths.size());
    for (const std::string &path : paths)
      if (!isLate())
        look(path);
    found.changed |= now.size() != known.size();
    found.complete = !late;
    if (found.changed && found.complete)
      save(now);
    if (late) // what is known already
      now.merge(known);
    return result();
  }

private:
  // Few files are always looked at, however busy the machine is.
  bool isLate() {
    late |= options.milliseconds > 0 && ++looks > fewLooks &&
            Clock::now() - begin > std::chrono::milliseconds(options.milliseconds);
    return late;
  }

  void take(const fs::directory_entry &entry) {
    std::string path = entry.path().string();
    std::optional<SourceForm> form = sourceForm(path);
    std::error_code ignored;
    if (form && form->kind == FileKind::Fortran && entry.is_regular_file(ignored))
      paths.push_back(std::move(path));
  }

  void list() {
    std::error_code error, ignored;
    constexpr auto allowed = fs::directory_options::skip_permission_denied;
    size_t seen = 0;
    if (below) {
      fs::recursive_directory_iterator entries(folder, allowed, error);
      for (fs::recursive_directory_iterator end; !error && entries != end && !isLate();
           entries.increment(error)) {
        if (++seen > mostEntries)
          break;
        if (!entries->is_directory(ignored))
          take(*entries);
        else if (isSkippedFolder(entries->path().string()))
          entries.disable_recursion_pending();
      }
    } else {
      for (const fs::directory_entry &entry : fs::directory_iterator(folder, allowed, error))
        if (++seen <= mostEntries)
          take(entry);
    }
    std::sort(paths.begin(), paths.end());
  }

  void look(const std::string &path) {
    FileStamp stamp = stampOf(path);
    if (auto kept = known.find(path); kept != known.end() && kept->second.stamp == stamp) {
      now.emplace(path, std::move(kept->second)); // `known` is for what is not looked at
      return;
    }
    found.changed = true;
    if (isFresh(stamp))
      stamp.size = -1; // of no file
    now.emplace(path, Kept{stamp, scanText({path, folder, {}})});
    if (Clock::now() - saved < betweenSaves)
      return;
    saved = Clock::now();
    KeptFiles both = now;
    both.insert(known.begin(), known.end());
    save(both);
  }

  void save(const KeptFiles &files) const {
    if (file.empty())
      return;
    writeKept(file, head, files);
    prune(options.kept);
  }

  ScannedFolder result() {
    found.files.reserve(now.size());
    for (auto &[path, kept] : now)
      found.files.push_back({path, std::move(kept.facts)});
    std::sort(found.files.begin(), found.files.end(),
              [](const ScannedFile &a, const ScannedFile &b) { return a.path < b.path; });
    return std::move(found);
  }

  const std::string &folder;
  const bool below;
  const ScanOptions &options;
  const std::string head;
  std::string file;
  Clock::time_point begin = Clock::now(), saved = begin;
  bool late = false;
  size_t looks = 0; // at entries of folders, and at files
  std::vector<std::string> paths;
  KeptFiles known, now;
  ScannedFolder found;
};

} // namespace

ScannedFolder scanFiles(const std::string &folder, bool below, const ScanOptions &options) {
  return Scan(folder, below, options).run();
}

} // namespace cufc
