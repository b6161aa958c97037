// Lines of text in a section that is not part of a linked program.
#include "mpi/note.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace llvm;

constexpr const char *sectionName = ".cufc.mpi";

bool callsMpi(const Module &module) {
  auto isMpi = [](const GlobalValue &value) {
    StringRef name = value.getName();
    return value.isDeclaration() &&
           (name.starts_with("mpi_") || name.starts_with("pmpi_") ||
            name.starts_with("cufrt_f08_mpi_") || name.starts_with("_QMmpi_f08"));
  };
  return std::any_of(module.begin(), module.end(), isMpi);
}

void addNotes(MemoryBufferRef buffer, const std::string &path, std::vector<MpiNote> &notes) {
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createObjectFile(buffer);
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    Expected<StringRef> content = section.getContents();
    if (name && content && *name == sectionName) {
      SmallVector<StringRef> lines;
      content->split(lines, '\n');
      // `ld -r` may have put several behind each other.
      for (size_t at = 0; at + 2 < lines.size(); at += 3)
        notes.push_back({path, lines[at].str(), lines[at + 1].str(), lines[at + 2].str()});
    }
    consumeError(name.takeError());
    consumeError(content.takeError());
  }
}

void addMembers(MemoryBufferRef buffer, const std::string &path, std::vector<MpiNote> &notes) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(buffer);
  if (!archive) {
    consumeError(archive.takeError());
    return;
  }
  Error error = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(error)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    // A copy, since members are aligned to two bytes only.
    if (member)
      addNotes(*MemoryBuffer::getMemBufferCopy(member->getBuffer()), path, notes);
    consumeError(member.takeError());
  }
  consumeError(std::move(error));
}

} // namespace

void addMpiNote(Module &host, const MpiNote &note) {
  if (!callsMpi(host))
    return;
  std::string text = note.kit + "\n" + note.header + "\n" + note.library + "\n";
  embedBufferInModule(host, MemoryBufferRef(text, "MPI note"), sectionName);
}

std::vector<MpiNote> readMpiNotes(const std::string &path) {
  std::vector<MpiNote> notes;
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return notes;
  if ((*buffer)->getBuffer().starts_with("!<arch>\n"))
    addMembers(**buffer, path, notes);
  else
    addNotes(**buffer, path, notes);
  return notes;
}

} // namespace cufc
