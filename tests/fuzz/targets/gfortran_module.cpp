// Module files of gfortran, whose text another compiler wrote and which may be damaged.
#include "foreign/model.h"
#include "foreign/module_text.h"
#include <cstdint>

using namespace cufc::foreign;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, size_t size) {
  if (size > 100000)
    return 0;
  const std::string text(reinterpret_cast<const char *>(data), size);
  if (const std::unique_ptr<Module> module = readModuleText("library", text)) {
    Calls calls;
    Restrictions restrictions;
    moduleText(*module, [](const auto &...) { return nullptr; }, calls, restrictions);
  }
  return 0;
}
