// A unit in its section is a header, its facts as JSON, and bitcode; `ld -r` may put several behind
// each other. LLVM's JSON and object file libraries do the work.
#include "codegen/device_unit.h"
#include "base/files.h"
#include "codegen/gpu/device_code.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <cstring>

namespace cufc {
namespace {

using namespace llvm;

constexpr const char *sectionName = ".cufc.device";
constexpr uint64_t alignment = 8;

// Its last digit is the version of the format; other versions are not taken for units.
struct Header {
  char magic[8] = {'C', 'U', 'F', 'C', 'D', 'E', 'V', '3'};
  uint64_t factsBytes;
  uint64_t bitcodeBytes;
};

int64_t bitsOf(const KernelArgumentFacts &argument) {
  return int64_t(argument.readOnly) + 2 * int64_t(argument.mayAlias) +
         4 * int64_t(argument.elementBytes);
}

KernelArgumentFacts argumentFromBits(int64_t bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, static_cast<uint32_t>(bits >> 2)};
}

json::Value toJson(const KernelFacts &kernel) {
  json::Array arguments;
  for (const KernelArgumentFacts &argument : kernel.arguments)
    arguments.push_back(bitsOf(argument));
  json::Array blocks; // x, y and z of each, one behind the other
  for (const BlockSize &block : kernel.launchedBlocks)
    for (int32_t threads : block)
      blocks.push_back(threads);
  return json::Object{{"name", kernel.name},
                      {"display", kernel.display},
                      {"arguments", std::move(arguments)},
                      {"blocks", std::move(blocks)},
                      {"maxThreads", kernel.maxThreads},
                      {"minBlocks", kernel.minBlocks},
                      {"maxClusterBlocks", kernel.maxClusterBlocks},
                      {"needsLinking", kernel.needsLinking}};
}

json::Value toJson(const DeviceVariableFacts &variable) {
  return json::Object{{"name", variable.name},
                      {"kind", int(variable.kind)},
                      {"exported", variable.exported},
                      {"array", bitsOf(variable.array)}};
}

json::Value toJson(const DeviceImport &import) {
  return json::Object{{"name", import.name},
                      {"display", import.display},
                      {"procedure", import.isProcedure},
                      {"constant", import.isConstant},
                      {"file", import.use.file},
                      {"line", import.use.line},
                      {"column", import.use.column},
                      {"endLine", import.use.endLine},
                      {"endColumn", import.use.endColumn}};
}

template <typename List>
json::Array toJsonList(const List &list) {
  json::Array values;
  for (const auto &item : list)
    values.push_back(toJson(item));
  return values;
}

std::string text(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

int number(const json::Object &object, StringRef key) {
  return static_cast<int>(object.getInteger(key).value_or(0));
}

bool flag(const json::Object &object, StringRef key) {
  return object.getBoolean(key).value_or(false);
}

// Calls `take` for each object in the list.
template <typename Take>
void forEach(const json::Object &parent, StringRef key, Take take) {
  if (const json::Array *list = parent.getArray(key))
    for (const json::Value &value : *list)
      if (const json::Object *object = value.getAsObject())
        take(*object);
}

KernelFacts kernelFromJson(const json::Object &object) {
  KernelFacts kernel;
  kernel.name = text(object, "name");
  kernel.display = text(object, "display");
  if (const json::Array *arguments = object.getArray("arguments"))
    for (const json::Value &value : *arguments)
      kernel.arguments.push_back(argumentFromBits(value.getAsInteger().value_or(0)));
  if (const json::Array *blocks = object.getArray("blocks"))
    for (size_t i = 0; i + 3 <= blocks->size(); i += 3) {
      BlockSize block{};
      for (size_t d = 0; d < block.size(); ++d)
        block[d] = static_cast<int32_t>((*blocks)[i + d].getAsInteger().value_or(0));
      kernel.launchedBlocks.push_back(block);
    }
  kernel.maxThreads = number(object, "maxThreads");
  kernel.minBlocks = number(object, "minBlocks");
  kernel.maxClusterBlocks = number(object, "maxClusterBlocks");
  kernel.needsLinking = flag(object, "needsLinking");
  return kernel;
}

DeviceFacts factsFromJson(const json::Object &object) {
  DeviceFacts facts;
  forEach(object, "kernels",
          [&](const json::Object &kernel) { facts.kernels.push_back(kernelFromJson(kernel)); });
  forEach(object, "variables", [&](const json::Object &variable) {
    facts.variables.push_back(
        {text(variable, "name"), static_cast<DeviceVariableKind>(number(variable, "kind")),
         flag(variable, "exported"), argumentFromBits(variable.getInteger("array").value_or(0))});
  });
  forEach(object, "imports", [&](const json::Object &import) {
    facts.imports.push_back(
        {text(import, "name"),
         text(import, "display"),
         flag(import, "procedure"),
         flag(import, "constant"),
         {text(import, "file"), number(import, "line"), number(import, "column"),
          number(import, "endLine"), number(import, "endColumn")}});
  });
  if (const json::Array *procedures = object.getArray("procedures"))
    for (const json::Value &value : *procedures)
      facts.procedures.push_back(value.getAsString().value_or("").str());
  return facts;
}

std::string describe(const DeviceUnit &unit) {
  json::Object object{{"id", unit.id},
                      {"source", unit.source},
                      {"gpus", json::Array(unit.gpus)},
                      {"kernels", toJsonList(unit.facts.kernels)},
                      {"variables", toJsonList(unit.facts.variables)},
                      {"imports", toJsonList(unit.facts.imports)},
                      {"procedures", json::Array(unit.facts.procedures)}};
  std::string result;
  raw_string_ostream(result) << json::Value(std::move(object));
  return result;
}

std::string sectionOf(const DeviceUnit &unit) {
  std::string facts = describe(unit);
  Header header{};
  header.factsBytes = facts.size();
  header.bitcodeBytes = unit.bitcode.size();
  std::string data(reinterpret_cast<const char *>(&header), sizeof header);
  data += facts + unit.bitcode;
  data.resize(alignTo(data.size(), Align(alignment)));
  return data;
}

std::optional<DeviceUnit> parseUnit(StringRef facts, StringRef bitcode) {
  Expected<json::Value> value = json::parse(facts);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    consumeError(value.takeError());
    return std::nullopt;
  }
  DeviceUnit unit{text(*object, "id"), text(*object, "source"), factsFromJson(*object), {}, {}};
  if (const json::Array *gpus = object->getArray("gpus"))
    for (const json::Value &gpu : *gpus)
      unit.gpus.push_back(static_cast<int>(gpu.getAsInteger().value_or(0)));
  unit.bitcode = bitcode.str();
  return unit;
}

std::vector<DeviceUnit> parseSection(StringRef data) {
  std::vector<DeviceUnit> units;
  Header expected{}, header;
  while (data.size() >= sizeof header) {
    std::memcpy(&header, data.data(), sizeof header);
    StringRef rest = data.drop_front(sizeof header);
    if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 ||
        header.factsBytes > rest.size() || header.bitcodeBytes > rest.size() - header.factsBytes)
      break;
    if (auto unit = parseUnit(rest.take_front(header.factsBytes),
                              rest.substr(header.factsBytes, header.bitcodeBytes)))
      units.push_back(std::move(*unit));
    data = data.drop_front(
        std::min(data.size(), alignTo(sizeof header + header.factsBytes + header.bitcodeBytes,
                                      Align(alignment))));
  }
  return units;
}

void addObject(MemoryBufferRef buffer, DeviceObject object, std::vector<DeviceObject> &found) {
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createObjectFile(buffer);
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  bool hasDeviceCode = false;
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    Expected<StringRef> content = section.getContents();
    if (name && content && *name == sectionName)
      object.units = parseSection(*content);
    hasDeviceCode |= name && (*name == sectionName || *name == "__nv_relfatbin");
    consumeError(name.takeError());
    consumeError(content.takeError());
  }
  if (hasDeviceCode)
    found.push_back(std::move(object));
}

void addMembers(MemoryBufferRef buffer, const std::string &path, std::vector<DeviceObject> &found) {
  Expected<std::unique_ptr<object::Archive>> archive = object::Archive::create(buffer);
  if (!archive) {
    consumeError(archive.takeError());
    return;
  }
  Error error = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(error)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    if (!member) {
      consumeError(member.takeError());
      continue;
    }
    // A copy, since members are aligned to two bytes only.
    auto copy = MemoryBuffer::getMemBufferCopy(member->getBuffer());
    size_t before = found.size();
    addObject(*copy, {path, member->getBufferIdentifier().str(), {}, {}}, found);
    if (found.size() > before)
      found.back().content = member->getBuffer().str();
  }
  consumeError(std::move(error));
}

} // namespace

DeviceUnit makeDeviceUnit(const Module &device, const std::string &source,
                          const DeviceFacts &facts) {
  DeviceUnit unit{"", source, facts, {}, {}};
  std::unique_ptr<Module> copy = CloneModule(device);
  keepVisible(*copy, facts, /*withProcedures=*/true);
  raw_string_ostream stream(unit.bitcode);
  WriteBitcodeToFile(*copy, stream);
  unit.id = "_" + utohexstr(MD5Hash(source + unit.bitcode), /*LowerCase=*/true) + "_cufc";
  return unit;
}

void embedDeviceUnit(Module &host, const DeviceUnit &unit) {
  const std::string data = sectionOf(unit);
  embedBufferInModule(host, MemoryBufferRef(data, "device unit"), sectionName, Align(alignment));
}

bool writeDeviceUnit(const std::string &path, const DeviceUnit &unit) {
  return writeFile(path, sectionOf(unit));
}

std::optional<DeviceUnit> readDeviceUnit(const std::string &path) {
  std::string data;
  if (!readFile(path, data))
    return std::nullopt;
  std::vector<DeviceUnit> units = parseSection(data);
  return units.empty() ? std::nullopt : std::optional(std::move(units.front()));
}

std::vector<DeviceObject> readDeviceObjects(const std::string &path) {
  std::vector<DeviceObject> found;
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return found;
  if ((*buffer)->getBuffer().starts_with("!<arch>\n"))
    addMembers(**buffer, path, found);
  else
    addObject(**buffer, {path, {}, {}, {}}, found);
  return found;
}

} // namespace cufc
