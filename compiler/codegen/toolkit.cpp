// Search for the CUDA Toolkit. The version is read from its headers, since asking nvcc takes longer
// than compiling a small program.
#include "codegen/toolkit.h"
#include "base/files.h"
#include "base/process.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace cufc {
namespace {

int readVersion(const std::string &root) {
  std::string text;
  if (!readFile(root + "/include/cuda_runtime_api.h", text))
    return 0;
  static constexpr std::string_view macro = "#define CUDART_VERSION";
  size_t at = text.find(macro);
  if (at == std::string::npos)
    return 0;
  size_t digits = std::min(text.find_first_not_of(" \t", at + macro.size()), text.size());
  int version = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), version);
  return version;
}

std::optional<Toolkit> toolkitAt(const std::string &root) {
  if (root.empty())
    return std::nullopt;
  Toolkit toolkit{root, 0};
  if (access(toolkit.program("ptxas").c_str(), X_OK) != 0 ||
      access(toolkit.libdevice().c_str(), R_OK) != 0)
    return std::nullopt;
  toolkit.version = readVersion(root);
  return toolkit;
}

std::string rootOfNvcc() {
  std::string nvcc = findProgram("nvcc");
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(nvcc, error);
  return nvcc.empty() || error ? "" : real.parent_path().parent_path().string();
}

} // namespace

std::string Toolkit::optionalProgram(const std::string &name) const {
  return access(program(name).c_str(), X_OK) == 0 ? program(name) : findProgram(name);
}

std::string Toolkit::libraryFolder() const {
  if (!machine.empty())
    return root + "/targets/" + machine + "/lib";
  std::string folder = root + "/lib64";
  return access(folder.c_str(), R_OK) == 0 ? folder : root + "/lib";
}

bool Toolkit::supports(const Gpu &gpu) const {
  struct Row {
    int number, first, end;
  };
  static constexpr Row rows[] = {
#define CUF_GPU(number, ptx, dataCentre, sharedKilobytes, firstToolkit, endToolkit)                \
  {number, firstToolkit, endToolkit},
#include "tables/gpus.def"
#undef CUF_GPU
  };
  constexpr int oldest = 11080;
  for (const Row &row : rows)
    if (row.number == gpu.number)
      return version >= std::max(row.first, oldest) && (row.end == 0 || version < row.end);
  return false;
}

std::vector<Gpu> Toolkit::defaultGpus() const {
  std::vector<Gpu> gpus;
  for (const Gpu &gpu : allGpus())
    if (gpu.dataCentre && supports(gpu))
      gpus.push_back(gpu);
  return gpus;
}

static std::optional<Toolkit> anyToolkit() {
  if (const char *home = std::getenv("CUDA_HOME"); home && *home)
    return toolkitAt(home);
  if (std::optional<Toolkit> toolkit = toolkitAt(rootOfNvcc()))
    return toolkit;
  return toolkitAt("/usr/local/cuda");
}

std::optional<Toolkit> findToolkit(const HostMachine &machine) {
  std::optional<Toolkit> toolkit = anyToolkit();
  if (!toolkit || &machine == &thisMachine)
    return toolkit;
  toolkit->machine = machine.toolkit;
  if (access((toolkit->libraryFolder() + "/libcudart_static.a").c_str(), R_OK) != 0)
    return std::nullopt;
  return toolkit;
}

} // namespace cufc
