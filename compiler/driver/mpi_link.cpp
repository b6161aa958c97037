// Which library a program is linked with is what its objects were compiled for: their notes say so.
#include "base/files.h"
#include "base/mpi_diag.h"
#include "driver/caches.h"
#include "driver/mpi.h"
#include "mpi/note.h"
#include <algorithm>
#include <unistd.h>

namespace cufc {
namespace {

// The source of an object that this command has compiled, or the object.
std::string shownName(const Plan &plan, const std::string &object) {
  auto source = plan.sources.find(object);
  return source == plan.sources.end() ? object : source->second;
}

std::vector<MpiNote> allNotes(const Plan &plan) {
  std::vector<MpiNote> notes;
  for (const std::string &file : plan.linked)
    for (MpiNote &note : readMpiNotes(file))
      notes.push_back(std::move(note));
  return notes;
}

// The first library that the command itself names, or empty.
std::string libraryNamed(const Plan &plan, const Options &options) {
  for (const std::vector<std::string> &list : {options.linkArguments, plan.linked})
    for (const std::string &argument : list)
      if (!argument.ends_with(".o") && !mpiLibraryNamed(argument).empty())
        return mpiLibraryNamed(argument);
  return "";
}

// libmpi alone may be anybody's.
bool belongs(const std::string &named, const MpiKit &kit) {
  if (named == "mpi")
    return true;
  bool openMpi = named.starts_with("mpi_");
  return openMpi == (kit.library == "Open MPI");
}

} // namespace

std::vector<std::string> mpiLinkArguments(const Plan &plan, const Options &options,
                                          const Installation &installation,
                                          Diagnostics &diagnostics) {
  std::vector<MpiNote> notes = allNotes(plan);
  for (const MpiNote &note : notes)
    if (note.library != notes.front().library || note.header != notes.front().header)
      diagnostics.report(MpiDiag::MpiMixed, {}, shownName(plan, notes.front().object),
                         notes.front().library, shownName(plan, note.object), note.library);
  if (options.noMpi || (notes.empty() && !options.mpi))
    return {};
  std::optional<MpiKit> kit;
  if (!notes.empty())
    kit = readKit(notes.front().kit);
  if (!kit) // the cache was cleaned, or no object of ours is there
    kit = findMpiKit(options, notes.empty() ? "" : notes.front().header, installation, diagnostics);
  if (!kit)
    return {};
  std::string named = libraryNamed(plan, options);
  if (!named.empty() && !belongs(named, *kit))
    diagnostics.report(MpiDiag::MpiWrongLibrary, {}, kit->name(), "-l" + named);
  std::vector<std::string> result{kit->folder + "/kit.o"};
  if (std::string layer = installation.libraries + "/libcufrt_mpi.a";
      access(layer.c_str(), R_OK) == 0)
    result.insert(result.end(), {kit->folder + "/layer.o", layer});
  // The layer calls the library through references that need not be there.
  if (!named.empty()) {
    result.push_back("-Wl,--no-as-needed");
    return result;
  }
  for (const std::string &argument : kit->link)
    if (mpiLibraryNamed(argument).empty())
      result.push_back(argument);
    else
      result.insert(result.end(), {"-Wl,--push-state,--no-as-needed", argument, "-Wl,--pop-state"});
  return result;
}

} // namespace cufc
