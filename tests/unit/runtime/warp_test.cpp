// Votes, shuffles and matches, against the definitions of the PTX ISA computed naively.
#include "kernels.h"

#include <gtest/gtest.h>
#include <vector>

using namespace cufrt;

namespace {

// One warp operation for all threads; the inputs of thread i are in request[i].
struct Request {
  bool takesPart;
  cufrt_sync operation;
  uint32_t mask;
  uint64_t operand;
  int32_t lane;
  int32_t clamp;
  uint64_t result;
};

int32_t perform(const cufrt_block *block, void **arguments, cufrt_frame *frame, int32_t x,
                int32_t y, int32_t z) {
  Request &request = (*static_cast<Request **>(arguments[0]))[linear(block, x, y, z)];
  if (!request.takesPart)
    return 0;
  if (frame->state == 0)
    return stopInWarp(frame, 1, request.operation, request.mask, request.operand, request.lane,
                      request.clamp);
  request.result = frame->result;
  return 0;
}

std::vector<Request> performAll(std::vector<Request> requests) {
  static const Kernel kernel(perform);
  EXPECT_EQ(
      kernel.launch({1, 1, 1}, {static_cast<int64_t>(requests.size()), 1, 1}, {requests.data()}),
      success);
  EXPECT_EQ(api().cudaGetLastError(), success);
  return requests;
}

std::vector<Request> uniform(size_t threads, cufrt_sync operation, uint32_t mask = ~0u) {
  std::vector<Request> requests(threads);
  for (Request &request : requests)
    request = {true, operation, mask, 0, 0, 0, 0};
  return requests;
}

TEST(Warp, Votes) {
  for (uint32_t yes : {0u, 1u, 0xf0f0f0f0u, ~0u}) {
    for (cufrt_sync operation :
         {CUFRT_VOTE_ALL, CUFRT_VOTE_ANY, CUFRT_VOTE_UNIFORM, CUFRT_VOTE_BALLOT}) {
      auto requests = uniform(64, operation);
      for (size_t i = 0; i < 64; ++i)
        requests[i].operand = i < 32 ? yes >> i & 1 : 0; // the second warp says no
      auto results = performAll(requests);
      uint64_t expected = operation == CUFRT_VOTE_ALL       ? yes == ~0u
                          : operation == CUFRT_VOTE_ANY     ? yes != 0
                          : operation == CUFRT_VOTE_UNIFORM ? yes == 0 || yes == ~0u
                                                            : yes;
      for (size_t i = 0; i < 32; ++i)
        EXPECT_EQ(results[i].result, expected);
      EXPECT_EQ(results[40].result, operation == CUFRT_VOTE_UNIFORM ? 1u : 0u);
    }
  }
}

TEST(Warp, IncompleteWarpVotesOverTheThreadsThatExist) {
  auto requests = uniform(40, CUFRT_VOTE_BALLOT);
  for (Request &request : requests)
    request.operand = 1;
  auto results = performAll(requests);
  EXPECT_EQ(results[0].result, ~0u);
  EXPECT_EQ(results[35].result, 0xffu);
}

TEST(Warp, ReturnedLanesAreNotWaitedFor) {
  auto requests = uniform(32, CUFRT_VOTE_BALLOT);
  for (size_t i = 0; i < 32; ++i) {
    requests[i].takesPart = i % 3 != 0;
    requests[i].operand = 1;
  }
  uint32_t expected = 0;
  for (unsigned i = 0; i < 32; ++i)
    expected |= (i % 3 != 0 ? 1u : 0u) << i;
  EXPECT_EQ(performAll(requests)[1].result, expected);
}

TEST(Warp, DisjointMasksAreIndependent) {
  auto requests = uniform(32, CUFRT_VOTE_BALLOT);
  for (size_t i = 0; i < 32; ++i) {
    requests[i].mask = i % 2 ? 0xaaaaaaaau : 0x55555555u;
    requests[i].operation = i % 2 ? CUFRT_VOTE_BALLOT : CUFRT_VOTE_ALL;
    requests[i].operand = i != 5;
  }
  auto results = performAll(requests);
  EXPECT_EQ(results[0].result, 1u);
  EXPECT_EQ(results[1].result, 0xaaaaaaaau & ~(1u << 5));
}

// The packed clamp operand for a logical warp of `width` lanes, as CUDA's __shfl functions pass it.
int32_t clampFor(cufrt_sync operation, int width) {
  return (32 - width) << 8 | (operation == CUFRT_SHUFFLE_UP ? 0 : 31);
}

// What CUDA's guide says a shuffle reads; -1 if the caller's own value.
int sourceInGuide(cufrt_sync operation, int lane, int argument, int width) {
  int start = lane / width * width, source = lane;
  switch (operation) {
  case CUFRT_SHUFFLE_INDEX:
    return start + argument % width;
  case CUFRT_SHUFFLE_UP:
    source = lane - argument;
    return source >= start ? source : -1;
  case CUFRT_SHUFFLE_DOWN:
    source = lane + argument;
    return source < start + width ? source : -1;
  default:
    source = lane ^ argument;
    return source < start + width ? source : -1;
  }
}

TEST(Warp, Shuffles) {
  for (cufrt_sync operation :
       {CUFRT_SHUFFLE_INDEX, CUFRT_SHUFFLE_UP, CUFRT_SHUFFLE_DOWN, CUFRT_SHUFFLE_XOR})
    for (int width : {1, 2, 8, 16, 32})
      for (int argument : {0, 1, 3, 7, 15, 31}) {
        auto requests = uniform(32, operation);
        for (size_t i = 0; i < 32; ++i) {
          requests[i].operand = 0xffffffff00000000u | (1000 + i); // only 32 bits move
          requests[i].lane = argument;
          requests[i].clamp = clampFor(operation, width);
        }
        auto results = performAll(requests);
        for (int i = 0; i < 32; ++i) {
          int source = sourceInGuide(operation, i, argument, width);
          uint64_t inRange = source >= 0;
          uint64_t value = static_cast<uint64_t>(1000 + (inRange ? source : i));
          ASSERT_EQ(results[static_cast<size_t>(i)].result, inRange << 32 | value)
              << "operation " << operation << " width " << width << " argument " << argument
              << " lane " << i;
        }
      }
}

TEST(Warp, Matches) {
  auto requests = uniform(32, CUFRT_MATCH_ANY);
  for (size_t i = 0; i < 32; ++i)
    requests[i].operand = i % 2 ? 1ull << 40 : i % 4;
  auto results = performAll(requests);
  EXPECT_EQ(results[1].result, 0xaaaaaaaau);
  EXPECT_EQ(results[0].result, 0x11111111u);
  EXPECT_EQ(results[2].result, 0x44444444u);

  requests = uniform(32, CUFRT_MATCH_ALL, 0x0000ffffu);
  for (size_t i = 0; i < 32; ++i) {
    requests[i].operand = i < 16 ? 5 : i;
    requests[i].takesPart = i < 16;
  }
  EXPECT_EQ(performAll(requests)[3].result, 0x0000ffffu);
  requests[7].operand = 6;
  EXPECT_EQ(performAll(requests)[3].result, 0u);
}

// A butterfly sum: five shuffles, then a barrier of the block, again and again.
struct SumFrame {
  cufrt_frame header;
  int sum;
  int distance;
};

int32_t butterfly(const cufrt_block *block, void **arguments, cufrt_frame *header, int32_t x,
                  int32_t, int32_t) {
  auto *frame = reinterpret_cast<SumFrame *>(header);
  auto *tile = static_cast<int *>(block->shared);
  switch (header->state) {
  case 0:
    frame->sum = x;
    frame->distance = 16;
    break;
  case 1:
    frame->sum += static_cast<int>(static_cast<uint32_t>(header->result));
    frame->distance /= 2;
    break;
  default:
    int total = 0;
    for (int warp = 0; warp < block->block_dim[0] / 32; ++warp)
      total += tile[warp];
    (*static_cast<int **>(arguments[0]))[block->block_index[0] * block->block_dim[0] + x] = total;
    return 0;
  }
  if (frame->distance)
    return stopInWarp(header, 1, CUFRT_SHUFFLE_XOR, ~0u, static_cast<uint32_t>(frame->sum),
                      frame->distance, 31);
  tile[x / 32] = frame->sum;
  return stop(header, 2, CUFRT_BARRIER);
}

TEST(Warp, ShufflesAndBarriersInterleave) {
  Kernel kernel(butterfly, sizeof(SumFrame), 32 * sizeof(int));
  std::vector<int> totals(40 * 256);
  ASSERT_EQ(kernel.launch({40, 1, 1}, {256, 1, 1}, {totals.data()}), success);
  EXPECT_EQ(totals, std::vector<int>(totals.size(), 255 * 256 / 2));
}

} // namespace
