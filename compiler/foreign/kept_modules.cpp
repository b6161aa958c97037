// A file for each module and content. It opens with the checksum of the rest, since bytes that were
// damaged must count as none.
#include "foreign/kept_modules.h"
#include "base/archive.h"
#include "base/files.h"
#include "base/kept_files.h"
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

namespace cufc::foreign {

namespace fs = std::filesystem;

template <typename Archive, typename T>
  requires std::is_same_v<std::remove_const_t<T>, Passed>
void archiveFields(Archive &archive, T &x) {
  archive(x.name, x.passing, x.type, x.kind, x.rank, x.character, x.deferredLength, x.byValue,
          x.optional, x.allocatable, x.pointer, x.contiguous, x.intentIn, x.intentOut,
          x.polymorphic, x.types, x.unlimited, x.bytes, x.registers);
}
template <typename Archive, typename T>
  requires std::is_same_v<std::remove_const_t<T>, Call>
void archiveFields(Archive &archive, T &x) {
  archive(x.display, x.target, x.adapted, x.dummies, x.form, x.result, x.extents, x.refused);
}
template <typename Archive, typename T>
  requires std::is_same_v<std::remove_const_t<T>, DescribedVariable>
void archiveFields(Archive &archive, T &x) {
  archive(x.target, x.facts);
}
template <typename Archive, typename T>
  requires std::is_same_v<std::remove_const_t<T>, ModulePart>
void archiveFields(Archive &archive, T &x) {
  archive(x.name, x.content, x.visited, x.read);
}

namespace {

constexpr std::uint64_t mostBytes = 64ULL << 20;
constexpr size_t checksumSize = 16;

struct Kept {
  std::string folder, identity;
} kept;

template <typename Archive, typename T>
void fields(Archive &archive, T &x) {
  archive(x.parts, x.texts, x.calls.procedures, x.calls.variables, x.calls.described,
          x.restrictions.names, x.restrictions.assignments);
}

std::string contentOf(const ModulePath::Found &found) {
  std::string text;
  if (found.origin.kind == Origin::Missing || !readFile(found.path, text))
    return "";
  return fmt::format("{} {}", text.size(), flangChecksum(text));
}

std::string pathOf(const std::string &module, ModulePath &path) {
  std::string key = kept.identity + "\n" + module + "\n" + contentOf(path.find(module));
  return fmt::format("{}/{}-{}", kept.folder, module, flangChecksum(key));
}

// A file that was written while it was read has a time of these last seconds.
bool justWritten(const ModulePath::Found &found) {
  if (found.origin.kind == Origin::Missing)
    return false;
  std::error_code error;
  fs::file_time_type time = fs::last_write_time(found.path, error);
  return error || fs::file_time_type::clock::now() - time < std::chrono::seconds(2);
}

} // namespace

void keepTranslations(const std::string &folder, const std::string &identity) {
  kept = {folder, identity};
}

bool translationsAreKept() { return !kept.folder.empty(); }

std::optional<Translation> keptTranslation(const std::string &module, ModulePath &path) {
  std::string file = pathOf(module, path), bytes;
  if (!readFile(file, bytes) || bytes.size() < checksumSize)
    return std::nullopt;
  std::string_view rest = std::string_view(bytes).substr(checksumSize);
  if (!bytes.starts_with(flangChecksum(rest)))
    return std::nullopt;
  Translation result;
  ArchiveReader reader(rest);
  fields(reader, result);
  if (!reader.finished())
    return std::nullopt;
  for (const ModulePart &part : result.parts)
    if (contentOf(path.find(part.name)) != part.content)
      return std::nullopt;
  touchKeptFile(file);
  return result;
}

void keepTranslation(const std::string &module, ModulePath &path, Translation translation) {
  for (ModulePart &part : translation.parts) {
    const ModulePath::Found &found = path.find(part.name);
    if (justWritten(found))
      return;
    part.content = contentOf(found);
  }
  ArchiveWriter writer;
  fields(writer, translation);
  std::error_code ignored;
  fs::create_directories(kept.folder, ignored);
  if (keepFile(pathOf(module, path), flangChecksum(writer.bytes) + writer.bytes))
    pruneKeptFiles(kept.folder, mostBytes);
}

} // namespace cufc::foreign
