// See kernel_model.h. A kernel is recognised by the variables that the compiler declares in it
// (declareThreadIndices); blocks and waiting threads are read from the runtime library's record.
#include "debug/kernel_model.h"
#include "cufrt/debugger.h"
#include "debug/gdb_text.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <regex>

namespace cufc::debug {
namespace {

constexpr int mostLevels = 12; // of procedures between a stop and its kernel
constexpr int mostBlocks = 4096;
constexpr int mostThreads = 1024;
constexpr int warpSize = 32;

Index fromZero(const int32_t (&index)[3]) { return {index[0] + 1, index[1] + 1, index[2] + 1}; }

} // namespace

std::string shownIndex(const Index &index) {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," +
         std::to_string(index[2]) + ")";
}

const char *operationName(int operation) {
  switch (operation) {
  case CUFRT_BARRIER:
  case CUFRT_BARRIER_AND:
  case CUFRT_BARRIER_OR:
  case CUFRT_BARRIER_COUNT:
    return "a barrier";
  case CUFRT_GRID_BARRIER:
    return "a barrier of the grid";
  case CUFRT_CLUSTER_BARRIER:
    return "a barrier of the cluster";
  case CUFRT_WARP_BARRIER:
    return "a barrier of the warp";
  default:
    return "an operation of the warp";
  }
}

int KernelPosition::threadNumber() const {
  return (thread[0] - 1) + blockSize[0] * ((thread[1] - 1) + blockSize[1] * (thread[2] - 1));
}

Index Block::threadIndex(int number) const {
  return {number % blockSize[0] + 1, number / blockSize[0] % blockSize[1] + 1,
          number / blockSize[0] / blockSize[1] + 1};
}

int Block::threadNumber(const Index &at) const {
  for (size_t d = 0; d < 3; ++d)
    if (at[d] < 1 || at[d] > blockSize[d])
      return -1;
  return (at[0] - 1) + blockSize[0] * ((at[1] - 1) + blockSize[1] * (at[2] - 1));
}

std::optional<Index> indexIn(const std::string &text, int &count) {
  static const std::regex form(R"(\(?\s*(\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?)");
  std::smatch match;
  if (!std::regex_match(text, match, form))
    return std::nullopt;
  Index index{1, 1, 1};
  count = 0;
  for (size_t d = 0; d < 3; ++d)
    if (match[d + 1].matched && match[d + 1].length() < 10) {
      index[d] = std::stoi(match[d + 1].str());
      ++count;
    }
  return index;
}

std::string withLaunchIndices(std::string_view expression, const KernelPosition &position) {
  static const std::regex component(
      R"(\b(?:(threadidx)|(blockidx)|(blockdim)|(griddim))\s*%\s*([xyz])\b)", std::regex::icase);
  const Index *indices[] = {&position.thread, &position.block, &position.blockSize,
                            &position.gridSize};
  std::string text(expression), result;
  auto last = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), component), end; found != end;
       ++found) {
    const std::smatch &match = *found;
    size_t which = 0;
    while (!match[which + 1].matched)
      ++which;
    auto dimension = static_cast<size_t>(std::tolower(*match[5].first) - 'x');
    result.append(last, match[0].first);
    result += std::to_string((*indices[which])[dimension]);
    last = match[0].second;
  }
  return result.append(last, text.cend());
}

void KernelModel::forget() { positions.clear(); }

bool KernelModel::readIndex(const FrameContext &context, int level, const char *name,
                            Index &index) {
  MiReply reply = gdb.ask("-data-evaluate-expression --thread " + std::to_string(context.thread) +
                          " --frame " + std::to_string(level) + " " + name);
  size_t d = 0;
  for (const auto &[component, value] : partsOf(reply.results["value"].text))
    if (d < 3 && component == std::string(1, "xyz"[d]))
      std::from_chars(value.data(), value.data() + value.size(), index[d++]);
  return reply.ok && d == 3;
}

std::optional<KernelPosition> KernelModel::findPosition(const FrameContext &context) {
  MiReply reply = gdb.ask("-stack-list-frames --thread " + std::to_string(context.thread) + " 0 " +
                          std::to_string(mostLevels));
  int level = -1;
  for (const auto &[name, frame] : reply.results["stack"].items) {
    ++level;
    KernelPosition found;
    if (!frame.has("fullname") || !readIndex(context, level, "threadidx", found.thread))
      continue;
    found.level = level;
    found.function = frame["func"].text;
    readIndex(context, level, "blockidx", found.block);
    readIndex(context, level, "blockdim", found.blockSize);
    readIndex(context, level, "griddim", found.gridSize);
    if (found.threadCount() < 1 || found.threadCount() > mostThreads ||
        found.threadNumber() >= found.threadCount())
      return std::nullopt;
    return found;
  }
  return std::nullopt;
}

std::optional<KernelPosition> KernelModel::position(const FrameContext &context) {
  if (onDevice)
    return onDevice;
  FrameContext key{context.thread, 0, context.frame, context.place};
  auto known = positions.find(key);
  if (known == positions.end())
    known = positions.emplace(key, findPosition(context)).first;
  return known->second;
}

uint64_t KernelModel::dataAddress() {
  if (data)
    return *data;
  std::string text = gdb.value("&cufrt_debugger_data");
  size_t start = text.rfind("0x");
  uint64_t address =
      start == std::string::npos ? 0 : addressOf(text.substr(start, text.find(' ', start) - start));
  auto record = address ? memory.object<cufrt_debugger>(address) : std::nullopt;
  // Before the program runs, and in one of another version, there is nothing to read.
  if (!record || record->version != CUFRT_DEBUGGER_VERSION || record->abi != CUFRT_ABI_VERSION)
    return 0;
  data = address;
  return address;
}

void KernelModel::readThreads(uint64_t frames, uint64_t stride, uint64_t warps, Block &block) {
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < block.threads.size(); ++i)
    addresses.push_back(frames + i * stride);
  std::vector<cufrt_frame> heads(addresses.size());
  std::vector<cufrt_warp_lanes> lanes((addresses.size() + warpSize - 1) / warpSize);
  if (!memory.readAll(addresses, heads.data(), sizeof(cufrt_frame)) ||
      !memory.read(warps, lanes.data(), lanes.size() * sizeof(cufrt_warp_lanes)))
    return;
  for (size_t i = 0; i < heads.size(); ++i) {
    const cufrt_frame &head = heads[i];
    const cufrt_warp_lanes &warp = lanes[i / warpSize];
    uint32_t bit = 1u << (i % warpSize);
    BlockThread &thread = block.threads[i];
    thread.operation = head.operation;
    thread.frame = addresses[i];
    if (head.place == CUFRT_ENDED || !(warp.alive & bit)) {
      thread.state = ThreadState::Ended;
    } else if (head.state != 0) {
      // Lanes behind the running one are still to be resumed; those before have stopped again.
      thread.state = warp.ready & bit ? ThreadState::Ready : ThreadState::Waiting;
      thread.place = head.place ? block.resume + static_cast<uint32_t>(head.place) : 0;
    }
  }
}

std::vector<Block> KernelModel::blocksUnderWay() {
  std::vector<Block> blocks;
  uint64_t address = dataAddress();
  auto record = address ? memory.object<cufrt_debugger>(address) : std::nullopt;
  auto next = record ? reinterpret_cast<uint64_t>(record->blocks) : 0;
  for (int i = 0; next && i < mostBlocks; ++i) {
    auto running = memory.object<cufrt_running_block>(next);
    if (!running)
      break;
    next = reinterpret_cast<uint64_t>(running->next);
    if (!running->kernel || running->threads < 1 || running->threads > mostThreads)
      continue;
    auto kernel = memory.object<cufrt_kernel>(reinterpret_cast<uint64_t>(running->kernel));
    auto position = memory.object<cufrt_block>(reinterpret_cast<uint64_t>(running->block));
    if (!kernel || !position)
      continue;
    Block block;
    block.kernel = memory.readText(reinterpret_cast<uint64_t>(kernel->display));
    block.resume = reinterpret_cast<uint64_t>(kernel->resume_thread);
    block.index = fromZero(position->block_index);
    std::copy_n(position->block_dim, 3, block.blockSize.begin());
    std::copy_n(position->grid_dim, 3, block.gridSize.begin());
    block.threads.resize(static_cast<size_t>(running->threads));
    readThreads(reinterpret_cast<uint64_t>(running->frames), running->frame_stride,
                reinterpret_cast<uint64_t>(running->warps), block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

// Threads of a kernel without synchronising operations run one after the other.
void KernelModel::deduceThreads(const KernelPosition &position, Block &block) const {
  block.threads.resize(static_cast<size_t>(position.threadCount()));
  for (int i = 0; i < position.threadCount(); ++i)
    block.threads[static_cast<size_t>(i)].state =
        i < position.threadNumber() ? ThreadState::Ended : ThreadState::NotBegun;
}

std::optional<Block> KernelModel::blockAt(const FrameContext &context) {
  std::optional<KernelPosition> position = this->position(context);
  if (!position || onDevice)
    return std::nullopt;
  Block block;
  for (Block &known : blocksUnderWay())
    if (known.index == position->block && known.blockSize == position->blockSize)
      block = std::move(known);
  if (block.threads.empty()) {
    block = {
        position->function, position->block, position->blockSize, position->gridSize, 0, {}, -1};
    deduceThreads(*position, block);
  }
  // The call stack's own thread.
  auto known = positions.find(FrameContext{context.thread});
  std::optional<KernelPosition> real = known != positions.end() ? known->second : std::nullopt;
  if (real && real->block == block.index) {
    block.running = real->threadNumber();
    block.threads[static_cast<size_t>(block.running)].state = ThreadState::Running;
    // The lanes before it have been resumed, and have stopped again.
    for (int i = block.running / warpSize * warpSize; i < block.running; ++i)
      if (BlockThread &lane = block.threads[static_cast<size_t>(i)];
          lane.state == ThreadState::Ready)
        lane.state = ThreadState::Waiting;
  }
  return block;
}

SourceLine KernelModel::lineOf(uint64_t address) {
  auto [known, isNew] = lines.try_emplace(address);
  if (!isNew || !address)
    return known->second;
  MiReply reply = gdb.ask("-data-disassemble -s " + std::to_string(address) + " -e " +
                          std::to_string(address + 1) + " -- 5");
  for (const auto &[name, part] : reply.results["asm_insns"].items)
    if (part.has("line"))
      known->second = {part["fullname"].text, static_cast<int>(part.number("line"))};
  return known->second;
}

std::string KernelModel::describeAddress(uint64_t address) {
  uint64_t at = dataAddress();
  auto record = at ? memory.object<cufrt_debugger>(at) : std::nullopt;
  if (!record || !record->describe_address)
    return {};
  std::string call = "((long (*)(long))" +
                     std::to_string(reinterpret_cast<uint64_t>(record->describe_address)) + ")(" +
                     std::to_string(address) + ")";
  MiReply reply = gdb.askInC("-data-evaluate-expression " + miQuoted(call));
  uint64_t text = addressOf(reply.results["value"].text);
  return text ? memory.readText(text) : "";
}

uint64_t KernelModel::scratch(uint64_t &bytes) {
  uint64_t at = dataAddress();
  auto record = at ? memory.object<cufrt_debugger>(at) : std::nullopt;
  bytes = record ? record->scratch_bytes : 0;
  return record ? reinterpret_cast<uint64_t>(record->scratch) : 0;
}

} // namespace cufc::debug
