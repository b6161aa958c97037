// Which MPI library a command means, and what that adds to compiling and linking.
//
// -Mmpi names one; without it, a folder of -I with an mpif.h does, as a compiler wrapper gives it;
// and otherwise it is the library whose wrapper is first on PATH. Of the last, a kit is made only
// for a source that has a word of MPI.
#ifndef CUFC_DRIVER_MPI_H
#define CUFC_DRIVER_MPI_H

#include "driver/installation.h"
#include "driver/options.h"
#include "driver/plan.h"
#include "frontend/program.h"
#include "mpi/kit.h"
#include <optional>

namespace cufc {

enum class MpiPurpose {
  Compile, // a kit that is missing is made, and mistakes are reported
  Check,   // it is made; a kit of the standard's names stands in for one that cannot be
  Show     // the same, but nothing is made
};

// Lets the front end see the modules and the mpif.h of the library, before those of other
// compilers; modules of these names that cufc has made of the user's own sources come first.
void addMpiKit(FrontendOptions &front, const Options &options, const Installation &installation,
               MpiPurpose purpose, Diagnostics &diagnostics);

// For a source that turned out to need MPI: adds the kit of the library on PATH, or says why there
// is none. False if the source had one already, or gets none.
bool addDefaultMpiKit(FrontendOptions &front, const Options &options,
                      const Installation &installation, Diagnostics &diagnostics);

// For a link: the kit that -Mmpi names, or that of a header.
std::optional<MpiKit> findMpiKit(const Options &options, const std::string &header,
                                 const Installation &installation, Diagnostics &diagnostics);

// The kit that a front end has got, if any.
std::optional<MpiKit> mpiKitOf(const FrontendOptions &front);

// Whether flang has missed a module or the header of MPI.
bool missesMpi(const Diagnostics &found);

// The folders of modules that need no source: cufc's own and those of MPI.
std::vector<std::string> ownModuleFolders(const Installation &installation);

// What stands behind the objects of a link: the kit's objects and the layer, and the library unless
// the command names one. Empty if no object uses MPI and nothing asks for it.
std::vector<std::string> mpiLinkArguments(const Plan &plan, const Options &options,
                                          const Installation &installation,
                                          Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_MPI_H
