// See tallies.h.
#include "report/tallies.h"
#include "core/module_registry.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

namespace cufrt::report {
namespace {

struct LibraryTallies {
  const char *module, *function;
  Tally host, device;
};

struct LaunchTally {
  int64_t count = 0, threads = 0;
};

using DeviceKernel = std::pair<std::string, int>; // its symbol and the library call

struct Rows {
  std::mutex mutex;
  std::unordered_map<const void *, Tally> kernels; // by stub
  std::unordered_map<const void *, LaunchTally> launches;
  std::map<DeviceKernel, Tally> deviceKernels;
  std::map<std::pair<Direction, Origin>, Tally> transfers;
  std::unordered_map<const void *, int> libraryNumbers; // by the address of the function's name
  std::vector<LibraryTallies> libraryCalls;
  std::map<std::string, Tally> ranges; // by path
  std::map<std::string, int64_t> marks;
  std::set<int> devices;
};

Rows *&place() {
  static Rows *instance = new Rows; // destructors of the program may still launch
  return instance;
}

Rows &rows() { return *place(); }

void addTime(Tally &tally, uint64_t bytes, int64_t nanoseconds) {
  if (nanoseconds < 0)
    return;
  ++tally.timed;
  tally.nanoseconds += nanoseconds;
  tally.timedBytes += bytes;
}

// The following need the mutex.

LibraryTallies &libraryRow(const Work &work) {
  auto [found, isNew] =
      rows().libraryNumbers.emplace(work.key, static_cast<int>(rows().libraryCalls.size()));
  if (isNew)
    rows().libraryCalls.push_back({work.module, static_cast<const char *>(work.key), {}, {}});
  return rows().libraryCalls[static_cast<size_t>(found->second)];
}

Tally &rowOf(const Work &work) {
  if (work.kind == Work::Kind::kernel)
    return rows().kernels[work.key];
  if (work.kind == Work::Kind::library)
    return libraryRow(work).host;
  return rows().transfers[{work.direction, work.origin}];
}

void count(Tally &tally, uint64_t bytes) {
  ++tally.count;
  tally.bytes += bytes;
}

void addToLibrary(int libraryCall, int64_t nanoseconds) {
  if (libraryCall < 0 || static_cast<size_t>(libraryCall) >= rows().libraryCalls.size())
    return;
  Tally &device = rows().libraryCalls[static_cast<size_t>(libraryCall)].device;
  ++device.count;
  addTime(device, 0, nanoseconds);
}

// Rows that took equally long are sorted by name.
template <typename Row>
void longestFirst(std::vector<Row> &all, Tally Row::*tally, std::string Row::*name) {
  std::sort(all.begin(), all.end(), [=](const Row &one, const Row &other) {
    int64_t first = (one.*tally).nanoseconds, second = (other.*tally).nanoseconds;
    return first != second ? first > second : one.*name < other.*name;
  });
}

// C++ names without what stands between angle brackets and parentheses.
std::string readable(const std::string &symbol) {
  int status = 0;
  char *demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (status != 0 || !demangled)
    return symbol;
  std::string name, whole = demangled;
  std::free(demangled);
  int depth = 0;
  for (char letter : whole.substr(0, whole.rfind('('))) {
    depth -= letter == '>';
    if (depth == 0 && letter != '>')
      name += letter;
    depth += letter == '<';
  }
  if (size_t space = name.rfind(' '); space != std::string::npos && space + 1 < name.size())
    name = name.substr(space + 1); // behind the type of the result
  std::erase(name, '<');
  return name.empty() ? symbol : name;
}

void takeKernels(Data &data) {
  std::map<std::pair<std::string, std::string>, Tally> byName;
  auto add = [&](const std::string &name, const std::string &call, const Tally &tally) {
    Tally &row = byName[{name, call}];
    row.count += tally.count;
    row.timed += tally.timed;
    row.nanoseconds += tally.nanoseconds;
  };
  for (const auto &[stub, tally] : rows().kernels) {
    const cufrt_kernel *kernel = findKernel(stub);
    add(kernel ? kernel->display : "(unknown)", "", tally);
  }
  for (const auto &[key, tally] : rows().deviceKernels) {
    std::string own = displayOfSymbol(key.first);
    add(own.empty() ? readable(key.first) : own,
        own.empty() && key.second >= 0
            ? rows().libraryCalls[static_cast<size_t>(key.second)].function
            : "",
        tally);
  }
  std::map<std::string, LaunchTally> launched;
  for (const auto &[stub, tally] : rows().launches)
    if (const cufrt_kernel *kernel = findKernel(stub)) {
      launched[kernel->display].count += tally.count;
      launched[kernel->display].threads += tally.threads;
    }
  for (const auto &[key, tally] : byName) {
    LaunchTally own = key.second.empty() ? launched[key.first] : LaunchTally();
    data.kernels.push_back({key.first, key.second, tally, own.count, own.threads});
  }
  longestFirst(data.kernels, &KernelRow::tally, &KernelRow::name);
}

// `path` is that of the ranges around, with a separator behind each.
std::vector<RangeRow> rangesIn(const std::string &path) {
  std::map<std::string, Tally> inner;
  for (auto at = rows().ranges.upper_bound(path); at != rows().ranges.end(); ++at) {
    if (at->first.compare(0, path.size(), path) != 0)
      break;
    size_t end = at->first.find(rangeSeparator, path.size());
    Tally &row = inner[at->first.substr(path.size(), end - path.size())];
    if (end + 1 == at->first.size())
      row = at->second;
  }
  std::vector<RangeRow> made;
  for (const auto &[name, tally] : inner)
    made.push_back({name, tally, rangesIn(path + name + rangeSeparator)});
  longestFirst(made, &RangeRow::tally, &RangeRow::name);
  return made;
}

// The value of an assignment is fetched first, wherever it is.
bool isOfNoInterest(const Work &work) {
  return work.kind == Work::Kind::transfer && work.direction == Direction::hostToHost &&
         work.origin == Origin::assignment;
}

} // namespace

void note(const Work &work, int64_t nanoseconds) {
  if (isOfNoInterest(work))
    return;
  std::lock_guard lock(rows().mutex);
  Tally &row = rowOf(work);
  count(row, work.bytes);
  addTime(row, work.bytes, nanoseconds);
}

void noteSubmitted(const Work &work) { note(work, -1); }

void noteTime(const Work &work, int64_t nanoseconds) {
  if (isOfNoInterest(work))
    return;
  std::lock_guard lock(rows().mutex);
  addTime(rowOf(work), work.bytes, nanoseconds);
}

void noteLaunch(const void *stub, int64_t threads) {
  if (threads < 0)
    return;
  std::lock_guard lock(rows().mutex);
  LaunchTally &row = rows().launches[stub];
  ++row.count;
  row.threads += threads;
}

void noteReplay(const Work &work, int64_t nanoseconds) {
  std::lock_guard lock(rows().mutex);
  Tally &row = work.kind == Work::Kind::library ? libraryRow(work).device : rowOf(work);
  count(row, work.bytes);
  addTime(row, work.bytes, nanoseconds);
}

namespace {

// A kernel's other entries, NAME_packed and NAME_packed_..., count as the kernel
// (base/kernel_names.h).
std::string kernelOfEntry(const std::string &symbol) {
  std::string kernel = symbol.substr(0, symbol.rfind("_packed"));
  return displayOfSymbol(kernel).empty() ? symbol : kernel;
}

} // namespace

int numberOfLibraryCall(const Work &work) {
  std::lock_guard lock(rows().mutex);
  libraryRow(work);
  return rows().libraryNumbers[work.key];
}

void noteDeviceKernel(const std::string &symbol, int libraryCall, int64_t nanoseconds) {
  std::lock_guard lock(rows().mutex);
  Tally &row = rows().deviceKernels[{kernelOfEntry(symbol), libraryCall}];
  ++row.count;
  addTime(row, 0, nanoseconds);
  addToLibrary(libraryCall, nanoseconds);
}

void noteDeviceTransfer(const Work &work, int libraryCall, int64_t nanoseconds) {
  if (isOfNoInterest(work))
    return;
  std::lock_guard lock(rows().mutex);
  Tally &row = rowOf(work);
  count(row, work.bytes);
  addTime(row, work.bytes, nanoseconds);
  addToLibrary(libraryCall, nanoseconds);
}

std::string displayOfSymbol(const std::string &symbol) {
  for (const cufrt_module *module : registeredModules())
    for (uint64_t i = 0; i < module->kernel_count; ++i)
      if (module->kernels[i].name && symbol == module->kernels[i].name)
        return module->kernels[i].display;
  return "";
}

void noteRange(const std::string &path, int64_t nanoseconds) {
  std::lock_guard lock(rows().mutex);
  Tally &row = rows().ranges[path];
  ++row.count;
  addTime(row, 0, nanoseconds);
}

void noteMark(const std::string &name) {
  std::lock_guard lock(rows().mutex);
  ++rows().marks[name];
}

void noteDevice(int number) {
  std::lock_guard lock(rows().mutex);
  rows().devices.insert(number);
}

std::vector<int> devicesOfReport() {
  std::lock_guard lock(rows().mutex);
  return {rows().devices.begin(), rows().devices.end()};
}

void takeRows(Data &data) {
  std::lock_guard lock(rows().mutex);
  takeKernels(data);
  for (const auto &[key, tally] : rows().transfers)
    data.transfers.push_back({key.first, key.second, tally});
  for (const LibraryTallies &call : rows().libraryCalls)
    if (call.host.count > 0)
      data.libraryCalls.push_back({call.module, call.function, call.host, call.device});
  longestFirst(data.libraryCalls, &LibraryRow::host, &LibraryRow::function);
  data.ranges = rangesIn("");
  for (const auto &[name, number] : rows().marks)
    data.marks.push_back({name, number});
  data.deviceNumbers.assign(rows().devices.begin(), rows().devices.end());
}

bool hasRows() {
  std::lock_guard lock(rows().mutex);
  return !rows().kernels.empty() || !rows().transfers.empty() || !rows().libraryCalls.empty() ||
         !rows().ranges.empty() || !rows().marks.empty();
}

void forgetRows() { place() = new Rows; } // another thread may have held the mutex

} // namespace cufrt::report
