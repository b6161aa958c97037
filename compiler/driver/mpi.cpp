// The kit's folders stand among those of -I: before the user's, since the modules of another
// compiler may lie there, or behind them if modules of these names are cufc's own work.
#include "driver/mpi.h"
#include "base/files.h"
#include "base/mpi_diag.h"
#include "driver/caches.h"
#include "mpi/note.h"
#include "project/build_state.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

// Sources without a word that begins with these letters are not looked at any further.
bool mentionsMpi(const std::string &text) {
  static constexpr std::string_view word = "mpi";
  auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (auto at = text.begin(); at != text.end(); ++at) {
    at = std::search(at, text.end(), word.begin(), word.end(), same);
    if (at == text.end())
      return false;
    if (at == text.begin() || !isName(at[-1]))
      return true;
  }
  return false;
}

std::string textOf(const FrontendOptions &front) {
  if (front.text)
    return *front.text;
  std::string text;
  readFile(front.path, text);
  return text;
}

// A kit is made of these; the rest of the compiler may change.
std::string identityOf(const Installation &installation) {
  std::string text = CUFC_VERSION;
  for (const char *part : {"mpi", "mpi_f08", "mpi_f08_large", "mpi_types", "mpi_own",
                           "mpi_procedures", "mpi_callbacks"})
    text += " " + installedAs(fmt::format("{}/mpi/{}.inc", installation.libraries, part));
  return text;
}

MpiKitPlace placeOf(const Installation &installation) {
  return {writableCacheFolder("mpi"), installation.libraries, identityOf(installation)};
}

std::string standardKit(const Installation &installation) {
  return installation.libraries + "/mpi/standard";
}

MpiWish wishOf(const Options &options) { return {options.mpi, options.mpiName, options.includes}; }

// Whether a folder has a module file of one of the names that cufc has written.
bool hasOwnModules(const std::string &folder) {
  for (const char *name : {"mpi", "mpi_f08", "mpi_constants", "mpi_f08_types", "mpi_base"}) {
    std::string text;
    if (readFile(fmt::format("{}/{}.mod", folder, name), text) && text.find("!mod$") < 8)
      return true;
  }
  return false;
}

void addFolders(FrontendOptions &front, const std::string &kit) {
  bool own = std::any_of(front.includes.begin(), front.includes.end(), hasOwnModules);
  front.includes.insert(own ? front.includes.end() : front.includes.begin(),
                        {kit + "/modules", kit + "/include"});
}

std::optional<MpiKit> findKit(const MpiWish &wish, const Installation &installation, MakeKit make,
                              Diagnostics *diagnostics) {
  MpiKitPlace place = placeOf(installation);
  std::optional<MpiLibrary> library = findMpiLibrary(wish, place.cache);
  std::string problem;
  std::optional<MpiKit> kit;
  if (library)
    kit = kitOf(*library, place, make, problem);
  if (kit || !diagnostics)
    return kit;
  if (library)
    diagnostics->report(MpiDiag::MpiUnusable, {}, library->header, problem);
  else if (wish.asked)
    diagnostics->report(MpiDiag::MpiNotFound, {}, wish.name.empty() ? "" : " '" + wish.name + "'");
  return kit;
}

} // namespace

void addMpiKit(FrontendOptions &front, const Options &options, const Installation &installation,
               MpiPurpose purpose, Diagnostics &diagnostics) {
  if (options.noMpi)
    return;
  MpiWish wish = wishOf(options);
  bool compile = purpose == MpiPurpose::Compile;
  bool wanted = wish.asked || !folderWithMpiHeader(wish.includes).empty();
  // A header that is no library's may be the program's own.
  Diagnostics *told = compile && wish.asked ? &diagnostics : nullptr;
  // A source may use MPI through a module that was analysed with the library's own: that one counts
  // for all, or the module's file would not fit.
  bool mentioned = wanted || mentionsMpi(textOf(front));
  bool make = mentioned && purpose != MpiPurpose::Show;
  if (mentioned || !compile)
    if (std::optional<MpiKit> kit =
            findKit(wish, installation, make ? MakeKit::Yes : MakeKit::No, told)) {
      addFolders(front, kit->folder);
      return;
    }
  std::string standard = standardKit(installation);
  if (!compile)
    front.includes.insert(front.includes.end(), {standard + "/modules", standard + "/include"});
}

bool addDefaultMpiKit(FrontendOptions &front, const Options &options,
                      const Installation &installation, Diagnostics &diagnostics) {
  if (options.noMpi || options.mpi || kitAmong(front.includes))
    return false;
  std::optional<MpiKit> kit = findKit(wishOf(options), installation, MakeKit::Yes, &diagnostics);
  if (kit)
    addFolders(front, kit->folder);
  return kit.has_value();
}

std::optional<MpiKit> findMpiKit(const Options &options, const std::string &header,
                                 const Installation &installation, Diagnostics &diagnostics) {
  MpiWish wish = wishOf(options);
  wish.asked = true;
  if (!header.empty() && wish.name.empty())
    wish.includes = {directoryOf(header)};
  return findKit(wish, installation, MakeKit::Yes, &diagnostics);
}

std::optional<MpiKit> mpiKitOf(const FrontendOptions &front) { return kitAmong(front.includes); }

bool missesMpi(const Diagnostics &found) {
  return std::any_of(found.list().begin(), found.list().end(),
                     [](const Diagnostic &d) { return d.code == MpiDiag::MpiModuleMissing.code; });
}

std::vector<std::string> ownModuleFolders(const Installation &installation) {
  return {installation.modules, standardKit(installation) + "/modules"};
}

} // namespace cufc
