// The dynamic symbols of -lNAME in the folders of -L and those where the linker looks anyway. All
// Fortran procedures of a library have one form of name; which one the linker must find is
// mpi_send_, as flang spells it.
#include "mpi/symbols.h"
#include "base/host_machine.h"
#include "mpi/library.h"
#include "mpi/rows.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <set>
#include <unistd.h>

namespace cufc {
namespace {

std::vector<std::string> sharedLibraries(const std::vector<std::string> &link) {
  std::vector<std::string> folders, found;
  for (const std::string &argument : link)
    if (argument.starts_with("-L"))
      folders.push_back(argument.substr(2));
  folders.push_back(std::string("/usr/lib/") + thisMachine.libraries);
  for (const char *usual : {"/usr/lib64", "/usr/lib", "/usr/local/lib"})
    folders.push_back(usual);
  for (const std::string &argument : link) {
    if (mpiLibraryNamed(argument).empty())
      continue;
    for (const std::string &folder : folders)
      if (std::string path = folder + "/lib" + argument.substr(2) + ".so";
          access(path.c_str(), R_OK) == 0) {
        found.push_back(path);
        break;
      }
  }
  return found;
}

void addSymbols(const std::string &path, std::set<std::string> &symbols) {
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  const auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (!elf)
    return;
  for (const llvm::object::ELFSymbolRef &symbol : elf->getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (flags && name && !(*flags & llvm::object::SymbolRef::SF_Undefined))
      symbols.insert(name->str());
    if (!flags)
      llvm::consumeError(flags.takeError());
    if (!name)
      llvm::consumeError(name.takeError());
  }
}

std::set<std::string> symbolsOf(const std::vector<std::string> &link) {
  std::set<std::string> symbols;
  for (const std::string &path : sharedLibraries(link))
    addSymbols(path, symbols);
  return symbols;
}

} // namespace

bool haveLargeCounts(const std::vector<std::string> &link) {
  return symbolsOf(link).count("PMPI_Send_c") != 0;
}

std::vector<std::string> proceduresLacking(const std::vector<std::string> &link) {
  std::set<std::string> symbols = symbolsOf(link);
  std::vector<std::string> lacking;
  if (!symbols.count("mpi_init_"))
    return lacking;
  for (const MpiProcedure &procedure : mpiProcedures()) {
    std::string name(procedure.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    bool ours = name == "mpi_sizeof" || name == "mpi_status_f082f" || name == "mpi_status_f2f08";
    if (procedure.form != "callback" && !ours && !symbols.count(name + "_"))
      lacking.push_back(std::string(procedure.name));
  }
  return lacking;
}

} // namespace cufc
