// See object_facts.h.
#include "driver/object_facts.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cufc {
namespace {

using namespace llvm;

class Reader {
public:
  ObjectFacts facts;

  void read(MemoryBufferRef data) {
    Expected<std::unique_ptr<object::Binary>> binary = object::createBinary(data);
    if (!binary)
      return consumeError(binary.takeError());
    if (auto *archive = dyn_cast<object::Archive>(binary->get()))
      readArchive(*archive);
    else if (auto *file = dyn_cast<object::ELFObjectFileBase>(binary->get()))
      if (file->isRelocatableObject())
        readObject(*file);
  }

private:
  void readArchive(const object::Archive &archive) {
    Error error = Error::success();
    for (const object::Archive::Child &child : archive.children(error))
      if (Expected<MemoryBufferRef> member = child.getMemoryBufferRef())
        read(*MemoryBuffer::getMemBufferCopy(member->getBuffer())); // they are not aligned
      else
        consumeError(member.takeError());
    consumeError(std::move(error));
  }

  void readObject(const object::ELFObjectFileBase &file) {
    bool marked = false, hasCode = false;
    for (const object::ELFSectionRef section : file.sections()) {
      Expected<StringRef> name = section.getName();
      if (!name) {
        consumeError(name.takeError());
        continue;
      }
      bool executable = section.getFlags() & ELF::SHF_EXECINSTR;
      if (*name == ".note.GNU-stack") {
        marked = true;
        facts.executableStack |= executable;
      }
      hasCode |= executable;
    }
    facts.executableStack |= hasCode && !marked;
    for (const object::SymbolRef &symbol : file.symbols())
      readSymbol(symbol);
  }

  void readSymbol(const object::SymbolRef &symbol) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (flags && name && *flags & object::SymbolRef::SF_Undefined) {
      facts.gfortran |= name->starts_with("_gfortran_") || name->contains("_MOD_") ||
                        name->starts_with("cufrt_to_gfortran");
      facts.openmp |= name->starts_with("__kmpc_") || name->starts_with("omp_");
      facts.cudaLibraries |= name->starts_with("cufrt_lib");
    }
    consumeError(flags.takeError());
    consumeError(name.takeError());
  }
};

} // namespace

ObjectFacts readObjectFacts(const std::vector<std::string> &files) {
  Reader reader;
  for (const std::string &file : files)
    if (ErrorOr<std::unique_ptr<MemoryBuffer>> data = MemoryBuffer::getFile(file, false, false))
      reader.read((*data)->getMemBufferRef());
  return reader.facts;
}

} // namespace cufc
