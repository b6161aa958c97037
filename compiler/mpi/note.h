// What an object file that calls MPI says to the link of a program: the kit that it was compiled
// with.
#ifndef CUFC_MPI_NOTE_H
#define CUFC_MPI_NOTE_H

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace cufc {

struct MpiNote {
  std::string object;  // the object, or the archive that has it
  std::string kit;     // folder
  std::string header;  // mpif.h of the library
  std::string library; // for messages: "Open MPI 4.1.4"
};

// If the module calls a procedure of MPI.
void addMpiNote(llvm::Module &host, const MpiNote &note);

// Of an object file or an archive; none of other files.
std::vector<MpiNote> readMpiNotes(const std::string &path);

} // namespace cufc
#endif // CUFC_MPI_NOTE_H
