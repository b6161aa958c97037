// See global_checks.h. Pages are found by their number in tables that share the locks.
#include "host/global_checks.h"
#include "host/arena.h"

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

namespace cufrt::host {
namespace {

constexpr size_t pageBytes = 4096, wordsOfPage = pageBytes / globalWordBytes;
constexpr size_t shards = 64;
constexpr size_t mostBytes = size_t{1} << 30; // of all that is remembered
constexpr size_t mostPages = mostBytes / (wordsOfPage * sizeof(GlobalWord));

struct Page {
  std::array<GlobalWord, wordsOfPage> words;
  bool isForeign = false;
};

struct Shard {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages;
};

struct State {
  std::array<Shard, shards> table;
  std::atomic<size_t> pages{0};
  uint32_t launch = 0;
  std::vector<std::atomic<uint32_t>> releases; // for each block of the grid
  std::atomic<bool> allForeign{false};         // a kernel has run that says nothing
};

State &state() {
  static State *instance = new State; // destructors of the program may still launch
  return *instance;
}

} // namespace

void beginGlobalChecks(const Grid &grid, bool isChecked) {
  if (!isChecked) {
    state().allForeign.store(true, std::memory_order_relaxed);
    return;
  }
  ++state().launch;
  state().releases = std::vector<std::atomic<uint32_t>>(static_cast<size_t>(grid.blocks));
}

uint32_t currentLaunch() { return state().launch; }

LockedWord lockWord(uintptr_t address) {
  uintptr_t number = address / pageBytes;
  Shard &shard = state().table[number % shards];
  LockedWord found{std::unique_lock(shard.mutex), nullptr, nullptr};
  auto [at, isNew] = shard.pages.try_emplace(number);
  if (isNew) {
    if (state().pages.fetch_add(1, std::memory_order_relaxed) >= mostPages) {
      shard.pages.erase(at);
      state().pages.fetch_sub(1, std::memory_order_relaxed);
      return found;
    }
    at->second = std::make_unique<Page>();
  }
  found.word = &at->second->words[address % pageBytes / globalWordBytes];
  found.isForeign = &at->second->isForeign;
  return found;
}

uint32_t releasesOf(uint32_t block) {
  return block < state().releases.size() ? state().releases[block].load(std::memory_order_relaxed)
                                         : 0;
}

void noteRelease(uint32_t block) {
  if (block < state().releases.size())
    state().releases[block].fetch_add(1, std::memory_order_relaxed);
}

bool isFresh(const void *address) {
  return !state().allForeign.load(std::memory_order_relaxed) && isUsedByKernelsAlone(address);
}

} // namespace cufrt::host
