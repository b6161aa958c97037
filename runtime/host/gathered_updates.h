// Atomic updates that one thread of the pool has gathered and not made yet
// (compiler/codegen/cpu/gathered_updates.h): a table with one address a slot, which only that
// thread uses.
//
// An address that comes to a slot of another one gets it now and then alone, and is updated at
// once otherwise. So frequent addresses have the slots, and where there are more addresses than
// slots, most updates cost what they would without the table. Its first update is made at once,
// too: an invalid address is noticed in the block that uses it.
#ifndef CUFRT_HOST_GATHERED_UPDATES_H
#define CUFRT_HOST_GATHERED_UPDATES_H

#include "cufrt/abi.h"

#include <array>
#include <cstdint>
#include <memory>

namespace cufrt::host {

class GatheredUpdates {
public:
  // For `cufrt_block::updates`; made when first asked for.
  cufrt_gathered *slots();

  void make();
  void drop();

  // Of `table`, which is one that `slots` has given.
  static void add(cufrt_gathered *table, void *address, uint64_t value, cufrt_update update,
                  uint32_t bytes);

private:
  struct Operation {
    uint8_t update;
    uint8_t bytes;
  };
  struct Table {
    std::array<cufrt_gathered, CUFRT_UPDATE_SLOTS> slots; // first: generated code knows this place
    std::array<Operation, CUFRT_UPDATE_SLOTS> operations;
    std::array<uint16_t, CUFRT_UPDATE_SLOTS> used; // numbers of slots, `count` of them
    uint32_t count;
    uint32_t collisions;
  };

  static void makeUpdate(const Table &table, size_t slot);

  std::unique_ptr<Table> table;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_GATHERED_UPDATES_H
