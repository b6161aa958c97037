// Symbols: variables of modules in device, constant or managed memory, named by a string, by a
// type(cudaSymbol) or by the variable itself.
//
// The variables are those of the registration records. A variable that is passed arrives as its
// address on the device, and is the one whose memory that address lies in. A Fortran name is looked
// for in the names of flang's symbols, `_QM<module>E<name>`, which are in lower case.
#include "core/module_registry.h"
#include "cudafor/copy_arguments.h"
#include "cudafor/entries.h"

#include <mutex>
#include <set>
#include <string>

namespace cufrt::cudafor {
namespace {

// A place in a variable.
struct Symbol {
  const cufrt_variable *variable;
  size_t offset; // in bytes

  size_t bytes() const { return variable->bytes - offset; } // to the end of the variable
};

Error addressOf(const cufrt_variable &variable, char *&address) {
  const Device &device = api(); // first, since it places managed variables
  if (variable.kind == CUFRT_MANAGED_VARIABLE) {
    address = *static_cast<char **>(variable.shadow);
    return success;
  }
  return device.cudaGetSymbolAddress(reinterpret_cast<void **>(&address), variable.shadow);
}

std::string lowerCase(std::string text) {
  for (char &c : text)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Whether `wanted`, in lower case, is the Fortran name of `symbol`: the variable's, or that with
// the module's name before it. Submodules and procedures stand between both: `_QMmSsFpEx`.
bool isFortranName(const std::string &symbol, const std::string &wanted) {
  size_t separator = symbol.rfind('E');
  if (symbol.compare(0, 2, "_Q") != 0 || separator == std::string::npos)
    return false;
  std::string name = symbol.substr(separator + 1);
  if (wanted == name)
    return true;
  if (symbol[2] != 'M')
    return false;
  size_t end = symbol.find_first_of("SFE", 3);
  std::string qualified = symbol.substr(3, end - 3) + '_' + name;
  return wanted == qualified || wanted == qualified + '_';
}

// The name in the GPU code comes first; a Fortran name must be that of one variable.
Error findByName(const std::string &name, const cufrt_variable *&found) {
  std::string wanted = lowerCase(name);
  found = nullptr;
  bool several = false;
  for (const cufrt_variable *variable : registeredVariables()) {
    if (name == variable->name) {
      found = variable;
      return success;
    }
    if (!isFortranName(variable->name, wanted))
      continue;
    several = found != nullptr;
    found = variable;
  }
  if (several)
    return errorDuplicateVariableName;
  return found ? success : errorInvalidSymbol;
}

bool findByAddress(const char *address, Symbol &symbol) {
  for (const cufrt_variable *variable : registeredVariables()) {
    char *start;
    if (addressOf(*variable, start) != success)
      continue;
    auto offset = static_cast<size_t>(address - start);
    if (address >= start && offset < variable->bytes) {
      symbol = {variable, offset};
      return true;
    }
  }
  return false;
}

// The name that `argument` holds, if it is one: of a type(cudaSymbol), or characters.
bool nameOf(const CFI_cdesc_t *argument, std::string &name) {
  if (isOfType(argument, "cudasymbol")) {
    const char *text = *static_cast<const char **>(argument->base_addr);
    name = text ? text : "";
    return true;
  }
  if (argument->type != CFI_type_char || argument->rank != 0)
    return false;
  name.assign(static_cast<const char *>(argument->base_addr), argument->elem_len);
  name.erase(name.find_last_not_of(' ') + 1);
  return true;
}

Error symbolOf(const CFI_cdesc_t *argument, Symbol &symbol) {
  std::string name;
  if (!argument || !argument->base_addr)
    return errorInvalidSymbol;
  if (findByAddress(static_cast<const char *>(argument->base_addr), symbol))
    return success;
  symbol.offset = 0;
  return nameOf(argument, name) ? findByName(name, symbol.variable) : errorInvalidSymbol;
}

Error addressOf(const CFI_cdesc_t *argument, Symbol &symbol, char *&address) {
  if (Error error = symbolOf(argument, symbol))
    return error;
  if (Error error = addressOf(*symbol.variable, address))
    return error;
  address += symbol.offset;
  return success;
}

struct SymbolCopy {
  char *symbol, *memory;
  size_t bytes;
  int kind;
};

struct CopyArguments {
  const CFI_cdesc_t *symbol, *memory, *count, *offset, *kdir;
};

// `hostKind` is the direction between the symbol and host memory.
Error copyOf(const CopyArguments &arguments, int hostKind, SymbolCopy &copy) {
  Symbol symbol;
  Operand memory;
  size_t elements, offset = 0, offsetBytes;
  if (Error error = addressOf(arguments.symbol, symbol, copy.symbol))
    return error;
  if (!operandOf(arguments.memory, memory) || !sizeValue(arguments.count, elements) ||
      (arguments.offset && !sizeValue(arguments.offset, offset)) || !reaches(memory, elements) ||
      !multiply(elements, memory.elementBytes, copy.bytes) ||
      !multiply(offset, memory.elementBytes, offsetBytes) || offsetBytes > symbol.bytes() ||
      copy.bytes > symbol.bytes() - offsetBytes)
    return errorInvalidValue;
  if (Error error = directionOf(arguments.kdir, copy.kind))
    return error;
  if (copy.kind != hostKind && copy.kind != deviceToDevice && copy.kind != copyDefault)
    return errorInvalidMemcpyDirection;
  copy.symbol += offsetBytes;
  copy.memory = memory.address;
  return success;
}

// One string for each name, which lives as long as the program.
const char *interned(const std::string &name) {
  static std::mutex mutex;
  static auto *names = new std::set<std::string>;
  std::lock_guard lock(mutex);
  return names->insert(name).first->c_str();
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

void cufrt_f_symbolassign_(const char **symbol, const char *name, size_t length) {
  std::string text(name, length);
  text.erase(text.find_last_not_of(' ') + 1);
  *symbol = interned(text);
}

int cufrt_f_cudaGetSymbolAddress(void **devptr, const CFI_cdesc_t *symbol) {
  Symbol found;
  char *address;
  if (!devptr)
    return invalidValue();
  if (cufrt::Error error = addressOf(symbol, found, address))
    return refuse(error);
  *devptr = address;
  return cufrt::success;
}

int cufrt_f_cudaGetSymbolSize(const CFI_cdesc_t *size, const CFI_cdesc_t *symbol) {
  Symbol found;
  if (cufrt::Error error = symbolOf(symbol, found))
    return refuse(error);
  return storeInteger(size, static_cast<int64_t>(found.bytes())) ? cufrt::success : invalidValue();
}

int cufrt_f_cudaMemcpyToSymbol(const CFI_cdesc_t *symbol, const CFI_cdesc_t *src,
                               const CFI_cdesc_t *count, const CFI_cdesc_t *offset,
                               const CFI_cdesc_t *kdir) {
  SymbolCopy copy;
  if (cufrt::Error error = copyOf({symbol, src, count, offset, kdir}, cufrt::hostToDevice, copy))
    return refuse(error);
  return api().cudaMemcpy(copy.symbol, copy.memory, copy.bytes, copy.kind);
}

int cufrt_f_cudaMemcpyToSymbolAsync(const CFI_cdesc_t *symbol, const CFI_cdesc_t *src,
                                    const CFI_cdesc_t *count, const CFI_cdesc_t *offset,
                                    const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  SymbolCopy copy;
  void *handle;
  if (!streamHandle(stream, handle))
    return invalidValue();
  if (cufrt::Error error = copyOf({symbol, src, count, offset, kdir}, cufrt::hostToDevice, copy))
    return refuse(error);
  return api().cudaMemcpyAsync(copy.symbol, copy.memory, copy.bytes, copy.kind, handle);
}

int cufrt_f_cudaMemcpyFromSymbol(const CFI_cdesc_t *dst, const CFI_cdesc_t *symbol,
                                 const CFI_cdesc_t *count, const CFI_cdesc_t *offset,
                                 const CFI_cdesc_t *kdir) {
  SymbolCopy copy;
  if (cufrt::Error error = copyOf({symbol, dst, count, offset, kdir}, cufrt::deviceToHost, copy))
    return refuse(error);
  return api().cudaMemcpy(copy.memory, copy.symbol, copy.bytes, copy.kind);
}

int cufrt_f_cudaMemcpyFromSymbolAsync(const CFI_cdesc_t *dst, const CFI_cdesc_t *symbol,
                                      const CFI_cdesc_t *count, const CFI_cdesc_t *offset,
                                      const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  SymbolCopy copy;
  void *handle;
  if (!streamHandle(stream, handle))
    return invalidValue();
  if (cufrt::Error error = copyOf({symbol, dst, count, offset, kdir}, cufrt::deviceToHost, copy))
    return refuse(error);
  return api().cudaMemcpyAsync(copy.memory, copy.symbol, copy.bytes, copy.kind, handle);
}
}
