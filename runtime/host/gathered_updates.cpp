// See gathered_updates.h.
#include "host/gathered_updates.h"

#include <algorithm>

namespace cufrt::host {
namespace {

constexpr uint32_t collisionsForSlot = 16;

template <typename Integer, typename Function>
void replace(Integer *place, Function combined) {
  Integer old = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &old, combined(old), false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

template <typename Signed, typename Unsigned>
void updateAtomically(void *address, Unsigned value, cufrt_update update) {
  auto *place = static_cast<Unsigned *>(address);
  auto *number = static_cast<Signed *>(address);
  const auto operand = static_cast<Signed>(value);
  switch (update) {
  case CUFRT_UPDATE_ADD:
    __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
    break;
  case CUFRT_UPDATE_AND:
    __atomic_fetch_and(place, value, __ATOMIC_RELAXED);
    break;
  case CUFRT_UPDATE_OR:
    __atomic_fetch_or(place, value, __ATOMIC_RELAXED);
    break;
  case CUFRT_UPDATE_XOR:
    __atomic_fetch_xor(place, value, __ATOMIC_RELAXED);
    break;
  case CUFRT_UPDATE_MAX:
    replace(number, [=](Signed old) { return std::max(old, operand); });
    break;
  case CUFRT_UPDATE_MIN:
    replace(number, [=](Signed old) { return std::min(old, operand); });
    break;
  case CUFRT_UPDATE_UMAX:
    replace(place, [=](Unsigned old) { return std::max(old, value); });
    break;
  case CUFRT_UPDATE_UMIN:
    replace(place, [=](Unsigned old) { return std::min(old, value); });
    break;
  }
}

void updateAtomically(void *address, uint64_t value, cufrt_update update, uint32_t bytes) {
  if (bytes == sizeof(uint32_t))
    updateAtomically<int32_t>(address, static_cast<uint32_t>(value), update);
  else
    updateAtomically<int64_t>(address, value, update);
}

// What an update is made with that changes nothing after one with `value`.
uint64_t idle(uint64_t value, cufrt_update update) {
  switch (update) {
  case CUFRT_UPDATE_ADD:
  case CUFRT_UPDATE_OR:
  case CUFRT_UPDATE_XOR:
    return 0;
  case CUFRT_UPDATE_AND:
    return ~uint64_t{0};
  default:
    return value;
  }
}

} // namespace

cufrt_gathered *GatheredUpdates::slots() {
  if (!table)
    table = std::make_unique<Table>();
  return table->slots.data();
}

void GatheredUpdates::makeUpdate(const Table &table, size_t slot) {
  const cufrt_gathered &gathered = table.slots[slot];
  const Operation &operation = table.operations[slot];
  updateAtomically(reinterpret_cast<void *>(gathered.address), gathered.value,
                   static_cast<cufrt_update>(operation.update), operation.bytes);
}

void GatheredUpdates::make() {
  if (!table)
    return;
  for (uint32_t i = 0; i < table->count; ++i)
    makeUpdate(*table, table->used[i]);
  drop();
}

void GatheredUpdates::drop() {
  if (!table)
    return;
  for (uint32_t i = 0; i < table->count; ++i)
    table->slots[table->used[i]] = {};
  table->count = 0;
}

void GatheredUpdates::add(cufrt_gathered *slots, void *address, uint64_t value, cufrt_update update,
                          uint32_t bytes) {
  auto &table = *reinterpret_cast<Table *>(slots);
  size_t number = reinterpret_cast<uint64_t>(address) / bytes % CUFRT_UPDATE_SLOTS;
  bool isFree = table.slots[number].address == 0;
  updateAtomically(address, value, update, bytes);
  if (!isFree && ++table.collisions % collisionsForSlot != 0)
    return;
  if (isFree)
    table.used[table.count++] = static_cast<uint16_t>(number);
  else
    makeUpdate(table, number);
  table.slots[number] = {reinterpret_cast<uint64_t>(address), idle(value, update)};
  table.operations[number] = {static_cast<uint8_t>(update), static_cast<uint8_t>(bytes)};
}

} // namespace cufrt::host

extern "C" void cufrt_gather_update(cufrt_gathered *table, void *address, uint64_t value,
                                    uint32_t update, uint32_t bytes) {
  cufrt::host::GatheredUpdates::add(table, address, value, static_cast<cufrt_update>(update),
                                    bytes);
}
