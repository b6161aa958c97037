// What describes projects and what their tools print: cufls.json, compile_commands.json, fpm.toml,
// make -n, messages of runs. The first byte chooses.
#include "project/project.h"
#include "project/compile_calls.h"
#include "project/json_reader.h"
#include "project/make_output.h"
#include "project/module_graph.h"
#include "project/run_messages.h"
#include "project/toml_reader.h"
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace cufc;

namespace {

// A folder of this process, in memory where there is one.
const std::string &folder() {
  static const std::string made = [] {
    std::string name =
        access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz_project_XXXXXX" : "/tmp/fuzz_project_XXXXXX";
    return std::string(mkdtemp(name.data()));
  }();
  return made;
}

void load(const char *name, const std::string &text) {
  const std::string path = folder() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  Diagnostics diagnostics;
  loadProject(path, diagnostics);
  diagnostics.take();
  unlink(path.c_str());
}

void readDirectly(const std::string &text) {
  Diagnostics diagnostics;
  JsonValue value;
  if (readJson("a.json", text, value, diagnostics)) {
    JsonValue again;
    const std::string quoted = quoteJson(value.text);
    if (value.is(JsonValue::Kind::String) &&
        (!readJson("b.json", quoted, again, diagnostics) || again.text != value.text))
      std::abort();
  }
  readToml("a.toml", text, value, diagnostics);
  diagnostics.take();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, size_t size) {
  if (size < 1 || size > 20000)
    return 0;
  const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (data[0] % 7) {
  case 0:
    load("cufls.json", text);
    break;
  case 1:
    load("compile_commands.json", text);
    break;
  case 2:
    load("fpm.toml", text);
    break;
  case 3:
    readMakeOutput(text, "/nowhere");
    break;
  case 4:
    readDirectly(text);
    break;
  case 5: {
    RunMessages messages("/nowhere");
    messages.takeText(text);
    messages.diagnostics();
    break;
  }
  default:
    splitCommand(text);
    scanModules("a.cuf", text, data[0] & 8, 72);
  }
  return 0;
}
