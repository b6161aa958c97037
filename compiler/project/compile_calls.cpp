// See compile_calls.h. Options that do not matter to an analysis are left out, and noted if cufc
// lacks them.
#include "project/compile_calls.h"
#include "base/files.h"
#include "base/gpus.h"
#include "base/option_table.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

using Arguments = std::vector<std::string>;

using Id = OptionId;

// Options of other compilers that take the argument behind them.
constexpr std::string_view withArgument[] = {"-arch", "-target", "-Xcompiler", "-Xclang",
                                             "-Xflang"};

// What an analysis does not need: outputs, rules of make, libraries, what is printed.
bool isOfNoConcern(Id id) {
  static constexpr Id ids[] = {Id::Output,
                               Id::CompileOnly,
                               Id::Assembly,
                               Id::PreprocessOnly,
                               Id::SyntaxOnly,
                               Id::Emit,
                               Id::Dependencies,
                               Id::DependencyFile,
                               Id::DependencyTarget,
                               Id::PhonyTargets,
                               Id::DependenciesOnly,
                               Id::LinkerOption,
                               Id::CudaLibrary,
                               Id::Verbose,
                               Id::DryRun,
                               Id::Version,
                               Id::BareVersion,
                               Id::TargetTriple,
                               Id::Help,
                               Id::Keep,
                               Id::Listing,
                               Id::Info,
                               Id::MissedInfo,
                               Id::Shared,
                               Id::DiagnosticsFormat,
                               Id::DiagnosticsColour,
                               Id::WarningsAreErrors};
  return std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
}

// Of "-gpu=cc90,cuda12.4" what changes code.
std::string gpuOption(const std::string &list, std::set<std::string> &unknown) {
  std::string kept;
  for (const std::string &item : splitAtCommas(list)) {
    bool toolkit = item.starts_with("cuda") || item.find('.') != std::string::npos;
    if (findGpu(item) || isGpuItem(item))
      kept += (kept.empty() ? "" : ",") + item;
    else if (!toolkit)
      unknown.insert("-gpu=" + item);
  }
  return kept;
}

// OpenACC and DO CONCURRENT on a GPU, which cufc refuses to compile; reading them needs no option.
bool isForGpus(const OptionMatch &found) {
  return (found.row->id == Id::Openacc || found.row->id == Id::Concurrent) &&
         found.value.find("host") == std::string::npos &&
         found.value.find("multicore") == std::string::npos;
}

class Translation {
public:
  Translation(const Arguments &from, const std::string &directory, const std::string &source,
              std::set<std::string> &unknown)
      : from(from), directory(directory), source(source), unknown(unknown) {}

  Arguments run() {
    for (size_t at = 0; at < from.size();)
      at += translate(at);
    return std::move(result);
  }

private:
  // How many arguments were taken.
  size_t translate(size_t at) {
    const std::string &argument = from[at];
    if (argument.size() < 2 || argument[0] != '-') {
      if (absolutePath(argument, directory) != source && argument != from.front())
        unknown.insert(argument);
      return 1;
    }
    auto withOne = std::find(std::begin(withArgument), std::end(withArgument), argument);
    if (withOne != std::end(withArgument))
      return 2;
    OptionMatch found = matchOption(from, at);
    bool isUnderstood =
        found.row && !found.missingValue && wrongItem(*found.row, found.value).empty();
    if (isUnderstood && found.row->fate == OptionFate::Refused)
      unknown.insert(std::string(found.row->name));
    else if (!isUnderstood || isForGpus(found))
      unknown.insert(argument);
    else if (found.row->fate == OptionFate::Applied && !isOfNoConcern(found.row->id))
      take(found, at);
    return static_cast<size_t>(found.taken);
  }

  void take(const OptionMatch &found, size_t at) {
    const Id id = found.row->id;
    if (id == Id::Mcuda)
      result.emplace_back("-cuda");
    if (id == Id::Mcuda || id == Id::Gpu) {
      if (std::string kept = gpuOption(found.value, unknown); !kept.empty())
        result.push_back("-gpu=" + kept);
    } else if (id == Id::Include || id == Id::ModuleDirectory) {
      result.push_back("-I" + absolutePath(found.value, directory));
    } else if (found.row->kind == OptionKind::Joined) {
      result.push_back(std::string(found.row->name) + found.value);
    } else {
      for (int i = 0; i < found.taken; ++i)
        result.push_back(from[at + static_cast<size_t>(i)]);
    }
  }

  const Arguments &from;
  const std::string &directory, &source;
  std::set<std::string> &unknown;
  Arguments result;
};

// A Fortran source, by its suffix.
bool isSource(const std::string &word) {
  if (word.empty() || word[0] == '-')
    return false;
  std::optional<SourceForm> form = sourceForm(word);
  return form && form->kind == FileKind::Fortran && !extension(word).empty();
}

bool assigns(const std::string &word) {
  size_t equals = word.find('=');
  return equals != std::string::npos && equals > 0 && word[0] != '-' && word.find('/') > equals;
}

// Words in front of a compiler: ccache, env NAME=value, libtool --mode=compile.
bool isLauncher(const std::string &word) {
  static constexpr std::string_view names[] = {"ccache", "sccache",   "distcc", "env",
                                               "time",   "nice",      "exec",   "libtool",
                                               "scorep", "tau_f90.sh"};
  std::string_view name(word);
  if (size_t slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

bool isFortranCompiler(const std::string &word) {
  static constexpr std::string_view parts[] = {"fortran", "flang", "ifort", "ifx",     "mpif",
                                               "mpiif",   "xlf",   "pgf",   "nagfor",  "f90",
                                               "f95",     "f77",   "mpifc", "mpinfort"};
  static constexpr std::string_view names[] = {"ftn", "frt",  "frtpx", "caf",   "cufc",
                                               "fc",  "h5fc", "h5pfc", "nfort", "g95"};
  std::string name = word.substr(word.rfind('/') + 1);
  if (isSource(name))
    return false;
  return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
         std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// The words of a command as a shell would see them, without expansions.
std::vector<std::string> splitCommand(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quote == '\'' ? c == quote : quote && c == quote) {
      quote = 0;
    } else if (quote != '\'' && c == '\\' && at + 1 < text.size()) {
      word += text[++at];
      inside = true;
    } else if (quote) {
      word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside)
        words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside)
    words.push_back(std::move(word));
  return words;
}

void CompileCalls::add(const std::string &directory, std::vector<std::string> words,
                       const std::string &file) {
  auto isOption = [](const std::string &text) { return text.starts_with('-'); };
  std::vector<std::string> sources;
  if (!file.empty()) {
    sources.push_back(file);
    // The compiler itself may stand behind a launcher such as ccache.
    words.erase(words.begin(), std::find_if(words.begin(), words.end(), isOption));
  } else {
    for (const std::string &word : words)
      if (isSource(word))
        sources.push_back(absolutePath(word, directory));
    std::erase_if(words, isSource);
    if (!words.empty() && !isOption(words.front()))
      words.erase(words.begin());
  }
  for (const std::string &source : sources)
    if (isSource(source))
      addSource(directory, words, source);
}

void CompileCalls::addSource(const std::string &directory, const std::vector<std::string> &words,
                             const std::string &path) {
  std::vector<std::string> arguments = Translation(words, directory, path, unknown).run();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    project.notes.push_back(path + ": is not there, as named in " + project.file);
  else if (!project.find(path))
    project.sources.push_back({path, directory, std::move(arguments)});
}

void CompileCalls::addCommand(const std::string &directory, std::vector<std::string> words) {
  size_t begin = 0;
  while (begin < words.size() &&
         (isLauncher(words[begin]) || assigns(words[begin]) || words[begin].starts_with("--")))
    ++begin;
  words.erase(words.begin(), words.begin() + static_cast<long>(begin));
  if (words.empty())
    return;
  // A makefile whose compiler is not set calls "-c"; scripts around compilers have any name.
  bool compiles = std::find(words.begin(), words.end(), "-c") != words.end();
  if (isFortranCompiler(words.front()) || compiles)
    add(directory, std::move(words));
}

void CompileCalls::finish() {
  for (const std::string &option : unknown)
    project.notes.push_back(option + ": has no meaning here and is left out");
  unknown.clear();
}

} // namespace cufc
