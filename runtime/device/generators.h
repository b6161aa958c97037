// The generators of module curand_device: states that advance, skip ahead and give bits as those of
// cuRAND do (curand_kernel.h of the CUDA toolkit says how; XORWOW is Marsaglia's "Xorshift RNGs",
// 2003, Philox by Salmon and others, 2011, MRG32k3a by L'Ecuyer, 1999).
#ifndef CUFRT_DEVICE_GENERATORS_H
#define CUFRT_DEVICE_GENERATORS_H

#include "philox.h"

namespace cufc_device {
namespace {

// The second number of a pair that normal distributions are made of. `used` belongs to Philox:
// there it fills a gap, so that a state is as large as its type in Fortran.
struct Kept {
  uint32_t used;
  int32_t which, whichDouble; // 0 for none, 1 of the normal, 2 of the lognormal distribution
  float number;
  double numberDouble;
};

struct Xorwow {
  uint32_t d, v[5];
  Kept kept;
};

struct Philox {
  uint32_t counter[4], output[4], key[2];
  Kept kept;
};

struct Mrg {
  uint32_t s1[3], s2[3];
  Kept kept;
};

struct Sobol32 {
  uint32_t i, x, c, vectors[32];
};

struct Sobol64 {
  uint64_t i, x, c, vectors[64];
};

// tables/curand_device.toml has the sizes in words.
static_assert(sizeof(Xorwow) == 48 && sizeof(Philox) == 64 && sizeof(Mrg) == 48);
static_assert(sizeof(Sobol32) == 140 && sizeof(Sobol64) == 536);

// ------------------------------------------------------------------------------------- XORWOW

constexpr int words = 5, bits = 32 * words, digits = 16;

// A linear map of the state's words v: its images of the single bits.
struct BitMatrix {
  uint32_t rows[bits][words];
};

constexpr void stepWords(uint32_t (&v)[words]) {
  uint32_t t = v[0] ^ (v[0] >> 2);
  for (int i = 0; i + 1 < words; ++i)
    v[i] = v[i + 1];
  v[words - 1] = (v[words - 1] ^ (v[words - 1] << 4)) ^ (t ^ (t << 1));
}

constexpr void apply(const BitMatrix &matrix, uint32_t (&v)[words]) {
  uint32_t result[words] = {};
  for (int i = 0; i < words; ++i)
    for (int j = 0; j < 32; ++j)
      if (v[i] >> j & 1)
        for (int k = 0; k < words; ++k)
          result[k] ^= matrix.rows[32 * i + j][k];
  for (int k = 0; k < words; ++k)
    v[k] = result[k];
}

constexpr void square(BitMatrix &matrix) {
  BitMatrix copy = matrix;
  for (int row = 0; row < bits; ++row)
    apply(copy, matrix.rows[row]);
}

// The step to the powers of 16, times 2**`shift`.
struct Powers {
  BitMatrix at[digits];
};

constexpr Powers powersFrom(int shift) {
  BitMatrix matrix = {};
  for (int row = 0; row < bits; ++row) {
    matrix.rows[row][row / 32] = 1u << (row % 32);
    stepWords(matrix.rows[row]);
  }
  for (int i = 0; i < shift; ++i)
    square(matrix);
  Powers powers = {};
  for (int digit = 0; digit < digits; ++digit) {
    powers.at[digit] = matrix;
    for (int i = 0; i < 4; ++i)
      square(matrix);
  }
  return powers;
}

constexpr Powers steps = powersFrom(0), sequences = powersFrom(67);

void skip(const Powers &powers, uint64_t count, uint32_t (&v)[words]) {
  for (int digit = 0; count; ++digit, count >>= 4)
    for (uint32_t i = 0; i < (count & 15); ++i)
      apply(powers.at[digit], v);
}

void skipAhead(Xorwow &state, uint64_t count) {
  skip(steps, count, state.v);
  state.d += 362437u * static_cast<uint32_t>(count);
}

// 2**67 steps each, after which `d` is what it was.
void skipSequences(Xorwow &state, uint64_t count) { skip(sequences, count, state.v); }

void start(Xorwow &state, uint64_t seed, uint64_t sequence, uint64_t offset) {
  uint32_t low = 1099087573u * (static_cast<uint32_t>(seed) ^ 0xaad26b49u);
  uint32_t high = 2591861531u * (static_cast<uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  state.d = 6615241u + high + low;
  state.v[0] = 123456789u + low;
  state.v[1] = 362436069u ^ low;
  state.v[2] = 521288629u + high;
  state.v[3] = 88675123u ^ high;
  state.v[4] = 5783321u + low;
  skipSequences(state, sequence);
  skipAhead(state, offset);
  state.kept = {};
}

uint32_t next(Xorwow &state) {
  stepWords(state.v);
  state.d += 362437u;
  return state.v[4] + state.d;
}

// ------------------------------------------------------------------------------------- Philox

void makeOutput(Philox &state) {
  uint32_t x[4] = {state.counter[0], state.counter[1], state.counter[2], state.counter[3]};
  uint32_t key[2] = {state.key[0], state.key[1]};
  philoxRounds(x, key);
  for (int i = 0; i < 4; ++i)
    state.output[i] = x[i];
}

// Adds to the lower or, from word 2 on, to the upper half of the counter.
void count(Philox &state, int word, uint64_t number) {
  for (uint64_t carry = 0; word < 4; ++word, number >>= 32) {
    uint64_t sum = (number & 0xffffffffu) + state.counter[word] + carry;
    state.counter[word] = static_cast<uint32_t>(sum);
    carry = sum >> 32;
  }
}

void skipAhead(Philox &state, uint64_t number) {
  state.kept.used += static_cast<uint32_t>(number & 3);
  number = (number >> 2) + (state.kept.used >> 2);
  state.kept.used &= 3;
  count(state, 0, number);
  makeOutput(state);
}

void skipSequences(Philox &state, uint64_t number) {
  count(state, 2, number);
  makeOutput(state);
}

void start(Philox &state, uint64_t seed, uint64_t sequence, uint64_t offset) {
  state = {};
  state.key[0] = static_cast<uint32_t>(seed);
  state.key[1] = static_cast<uint32_t>(seed >> 32);
  skipSequences(state, sequence);
  skipAhead(state, offset);
}

uint32_t next(Philox &state) {
  uint32_t number = state.output[state.kept.used++ & 3];
  if (state.kept.used == 4) {
    count(state, 0, 1);
    makeOutput(state);
    state.kept.used = 0;
  }
  return number;
}

// ------------------------------------------------------------------------------------- MRG32k3a

constexpr uint64_t modulus1 = 4294967087u, modulus2 = 4294944443u;

struct Matrix {
  uint64_t at[3][3];
};

constexpr Matrix product(const Matrix &a, const Matrix &b, uint64_t modulus) {
  Matrix result = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        result.at[i][j] = (result.at[i][j] + a.at[i][k] * b.at[k][j] % modulus) % modulus;
  return result;
}

constexpr Matrix squared(Matrix matrix, int times, uint64_t modulus) {
  for (int i = 0; i < times; ++i)
    matrix = product(matrix, matrix, modulus);
  return matrix;
}

constexpr Matrix step1 = {{{0, 1, 0}, {0, 0, 1}, {modulus1 - 810728, 1403580, 0}}};
constexpr Matrix step2 = {{{0, 1, 0}, {0, 0, 1}, {modulus2 - 1370589, 0, 527612}}};
// A subsequence is 2**76 numbers, a sequence 2**127.
constexpr Matrix subsequence1 = squared(step1, 76, modulus1),
                 subsequence2 = squared(step2, 76, modulus2);
constexpr Matrix sequence1 = squared(step1, 127, modulus1),
                 sequence2 = squared(step2, 127, modulus2);

void advance(uint32_t (&s)[3], Matrix matrix, uint64_t count, uint64_t modulus) {
  for (; count; count >>= 1) {
    if (count & 1) {
      uint64_t result[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          result[i] = (result[i] + matrix.at[i][k] * s[k] % modulus) % modulus;
      for (int i = 0; i < 3; ++i)
        s[i] = static_cast<uint32_t>(result[i]);
    }
    matrix = product(matrix, matrix, modulus);
  }
}

void skipAhead(Mrg &state, uint64_t count) {
  advance(state.s1, step1, count, modulus1);
  advance(state.s2, step2, count, modulus2);
}

void skipSubsequences(Mrg &state, uint64_t count) {
  advance(state.s1, subsequence1, count, modulus1);
  advance(state.s2, subsequence2, count, modulus2);
}

void skipSequences(Mrg &state, uint64_t count) {
  advance(state.s1, sequence1, count, modulus1);
  advance(state.s2, sequence2, count, modulus2);
}

void start(Mrg &state, uint64_t seed, uint64_t subsequence, uint64_t offset) {
  state = {{12345, 12345, 12345}, {12345, 12345, 12345}, {}};
  if (seed) {
    uint64_t low = static_cast<uint32_t>(seed) ^ 0x55555555u;
    uint64_t high = static_cast<uint32_t>(seed >> 32) ^ 0xAAAAAAAAu;
    for (int i = 0; i < 3; ++i) {
      state.s1[i] = static_cast<uint32_t>((i == 1 ? high : low) * 12345 % modulus1);
      state.s2[i] = static_cast<uint32_t>((i == 1 ? low : high) * 12345 % modulus2);
    }
  }
  skipSubsequences(state, subsequence);
  skipAhead(state, offset);
}

// 1 to the first modulus.
uint64_t step(Mrg &state) {
  uint64_t p1 = (1403580ull * state.s1[1] + 810728ull * (modulus1 - state.s1[0])) % modulus1;
  uint64_t p2 = (527612ull * state.s2[2] + 1370589ull * (modulus2 - state.s2[0])) % modulus2;
  state.s1[0] = state.s1[1];
  state.s1[1] = state.s1[2];
  state.s1[2] = static_cast<uint32_t>(p1);
  state.s2[0] = state.s2[1];
  state.s2[1] = state.s2[2];
  state.s2[2] = static_cast<uint32_t>(p2);
  return p1 <= p2 ? p1 + modulus1 - p2 : p1 - p2;
}

uint32_t next(Mrg &state) {
  return static_cast<uint32_t>(static_cast<double>(step(state)) * 1.000000048662);
}

// ------------------------------------------------------------------------------------- Sobol

template <typename State, typename Number>
void skipAhead(State &state, Number count) {
  state.x = state.c;
  state.i += count;
  Number gray = state.i ^ (state.i >> 1);
  for (int k = 0; gray; ++k, gray >>= 1)
    if (gray & 1)
      state.x ^= state.vectors[k];
}

template <typename State, typename Number>
void startSobol(State &state, const Number *vectors, Number scramble, Number offset) {
  state.i = 0;
  state.c = scramble;
  for (size_t k = 0; k < 8 * sizeof(Number); ++k)
    state.vectors[k] = vectors[k];
  skipAhead(state, offset);
}

template <typename State>
auto nextSobol(State &state) {
  auto number = state.x;
  auto bit = state.i;
  size_t k = 0;
  for (; k + 1 < 8 * sizeof number && bit & 1; ++k)
    bit >>= 1;
  state.x ^= state.vectors[k];
  ++state.i;
  return number;
}

uint32_t next(Sobol32 &state) { return nextSobol(state); }
uint64_t next(Sobol64 &state) { return nextSobol(state); }

} // namespace
} // namespace cufc_device

#endif // CUFRT_DEVICE_GENERATORS_H
