// One file an entry (base/kept_files.h). Reading an entry sets its time, by which `prune` sorts.
#include "service/analysis_cache.h"
#include "analysis/serialise.h"
#include "base/archive.h"
#include "base/files.h"
#include "base/kept_files.h"
#include "project/content_hash.h"
#include <filesystem>
#include <set>
#include <sys/stat.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::vector<std::pair<std::string, std::string>> files; // path and hash
  std::string analysis;
  std::vector<ModuleFile> modules;
};

template <typename Archive, typename E>
void fields(Archive &archive, E &entry) {
  archive(entry.files, entry.analysis, entry.modules);
}

} // namespace

AnalysisCache::AnalysisCache(std::string folder) : folder(std::move(folder)) {
  std::error_code ignored;
  if (!this->folder.empty())
    fs::create_directories(this->folder, ignored);
}

std::string AnalysisCache::pathOf(const std::string &key) const { return folder + "/" + key; }

const std::string &AnalysisCache::hashOf(const std::string &path) const {
  KnownFile &file = known[path];
  struct stat state{};
  if (stat(path.c_str(), &state) != 0 || !S_ISREG(state.st_mode))
    return (file = {}).hash;
  KnownFile now{state.st_mtim.tv_sec, state.st_mtim.tv_nsec, state.st_size, state.st_ino, ""};
  auto same = [](const KnownFile &a, const KnownFile &b) {
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds && a.bytes == b.bytes &&
           a.number == b.number;
  };
  if (!file.hash.empty() && same(file, now))
    return file.hash;
  file = now;
  std::string text;
  if (readFile(path, text))
    file.hash = contentHash(text).text();
  return file.hash;
}

std::optional<CachedAnalysis> AnalysisCache::find(const std::string &key) const {
  std::string bytes;
  if (folder.empty() || !readFile(pathOf(key), bytes))
    return std::nullopt;
  Entry entry;
  ArchiveReader reader(bytes);
  fields(reader, entry);
  if (!reader.finished())
    return std::nullopt;
  CachedAnalysis result;
  for (auto &[path, hash] : entry.files) {
    if (hashOf(path) != hash)
      return std::nullopt;
    result.outside.push_back(std::move(path));
  }
  std::optional<Analysis> analysis = fromBytes(entry.analysis);
  if (!analysis)
    return std::nullopt;
  touchKeptFile(pathOf(key));
  result.analysis = std::move(*analysis);
  result.modules = std::move(entry.modules);
  return result;
}

void AnalysisCache::store(const std::string &key, const CachedAnalysis &cached) const {
  if (folder.empty())
    return;
  Entry entry{{}, toBytes(cached.analysis), cached.modules};
  std::set<std::string> files(cached.outside.begin(), cached.outside.end());
  if (!cached.analysis.files.empty())
    files.insert(cached.analysis.files.begin() + 1, cached.analysis.files.end());
  for (const std::string &path : files)
    entry.files.emplace_back(path, hashOf(path));
  ArchiveWriter writer;
  fields(writer, entry);
  keepFile(pathOf(key), writer.bytes);
}

void AnalysisCache::prune(std::uint64_t mostBytes) const { pruneKeptFiles(folder, mostBytes); }

} // namespace cufc
