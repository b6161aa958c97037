// See global_checks.h. Pages are found by their number in tables with locks of their own.
#include "host/global_checks.h"
#include "host/arena.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cufrt::host {
namespace {

constexpr size_t shards = 64;
constexpr size_t mostBytes = size_t{1} << 30; // of all pages
constexpr size_t mostPages = mostBytes / sizeof(GlobalPage);
// Moments lie in pieces, of which a launch has 64 million at most, 1.6 GB.
constexpr uint32_t piece = 4096, mostPieces = 16384, keptPieces = 1024;

struct Shard {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::unique_ptr<GlobalPage>> pages;
};

struct State {
  std::array<Shard, shards> table;
  std::atomic<size_t> pages{0};
  std::vector<std::atomic<uint32_t>> releases; // for each block of the grid
  std::atomic<bool> allForeign{false};         // a kernel has run that says nothing
  uint32_t first = piece;                      // of this launch
  std::atomic<uint32_t> used{0};               // pieces of it
  std::array<std::unique_ptr<Moment[]>, mostPieces> moments;
};

bool alone = false; // changes between launches
thread_local GlobalWord *volatile locked = nullptr;

State &state() {
  static State *instance = new State; // destructors of the program may still launch
  return *instance;
}

void forgetWords() {
  for (Shard &shard : state().table)
    for (auto &[number, page] : shard.pages)
      for (GlobalWord &word : page->words)
        for (GlobalWord::Which which :
             {GlobalWord::writer, GlobalWord::reader, GlobalWord::olderReader})
          word.put(which, {});
}

} // namespace

void beginGlobalChecks(const Grid &grid, bool isChecked, bool isAlone) {
  State &all = state();
  if (!isChecked) {
    all.allForeign.store(true, std::memory_order_relaxed);
    return;
  }
  alone = isAlone;
  uint32_t used = std::min(all.used.exchange(0), mostPieces);
  for (uint32_t i = keptPieces; i < used; ++i)
    all.moments[i].reset();
  all.first += used * piece;
  if (all.first > UINT32_MAX - mostPieces * piece) {
    forgetWords();
    all.first = piece;
  }
  all.releases = std::vector<std::atomic<uint32_t>>(static_cast<size_t>(grid.blocks));
}

WordLock::WordLock(GlobalWord &keeper) {
  if (alone)
    return;
  keeper.lock();
  locked = &keeper;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void WordLock::letGo() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  GlobalWord *word = locked;
  locked = nullptr;
  if (word)
    word->unlock();
}

GlobalPage *pageAt(uintptr_t number) {
  Shard &shard = state().table[number % shards];
  std::lock_guard lock(shard.mutex);
  auto [at, isNew] = shard.pages.try_emplace(number);
  if (isNew) {
    if (state().pages.fetch_add(1, std::memory_order_relaxed) >= mostPages) {
      shard.pages.erase(at);
      state().pages.fetch_sub(1, std::memory_order_relaxed);
      return nullptr;
    }
    at->second = std::make_unique<GlobalPage>();
  }
  return at->second.get();
}

uint32_t firstMoment() { return state().first; }

// Who reads the number of a moment in a word has locked the word after its owner did.
const Moment &momentOf(uint32_t number) {
  uint32_t index = number - state().first;
  return state().moments[index / piece][index % piece];
}

uint32_t MomentSource::add(const Moment &moment) {
  State &all = state();
  if (next == end) {
    uint32_t mine = all.used.fetch_add(1, std::memory_order_relaxed);
    if (mine >= mostPieces) {
      all.used.store(mostPieces, std::memory_order_relaxed);
      return 0;
    }
    if (!all.moments[mine])
      all.moments[mine] = std::make_unique<Moment[]>(piece);
    next = all.first + mine * piece;
    end = next + piece;
  }
  uint32_t index = next - all.first;
  all.moments[index / piece][index % piece] = moment;
  return next++;
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
