// Decimal text of binary floating-point numbers: the fewest digits that give the number back when
// they are read, in the form of flang's list-directed output.
//
// The digits are generated with integers of any length (Steele and White, "How to print
// floating-point numbers accurately", PLDI 1990): the value is a fraction r/s and the numbers next
// to it are m away; digits are taken until what is left is below m. Printing is rare in device
// code, so there are no tables of powers.
#ifndef CUFRT_DEVICE_DECIMAL_H
#define CUFRT_DEVICE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

namespace cufc_device {

constexpr int maxRealText = 32;

// A natural number below 2**1184: enough for 10 times the terms of any double.
struct Natural {
  static constexpr int words = 37;
  uint32_t word[words]; // the least significant first
  int used;

  void set(uint64_t value) {
    word[0] = static_cast<uint32_t>(value);
    word[1] = static_cast<uint32_t>(value >> 32);
    used = word[1] != 0 ? 2 : word[0] != 0;
  }

  void multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < used; ++i) {
      carry += static_cast<uint64_t>(word[i]) * factor;
      word[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0)
      word[used++] = static_cast<uint32_t>(carry);
  }

  void multiplyByPowerOf10(int exponent) {
    for (; exponent >= 9; exponent -= 9)
      multiply(1000000000);
    for (; exponent > 0; --exponent)
      multiply(10);
  }

  void shiftLeft(int bits) {
    for (; bits >= 31; bits -= 31)
      multiply(1u << 31);
    multiply(1u << bits);
  }

  uint32_t at(int i) const { return i < used ? word[i] : 0; }

  // Takes away a number that is not larger.
  void subtract(const Natural &other) {
    uint64_t borrow = 0;
    for (int i = 0; i < used; ++i) {
      uint64_t difference = static_cast<uint64_t>(word[i]) - other.at(i) - borrow;
      word[i] = static_cast<uint32_t>(difference);
      borrow = difference >> 63;
    }
    while (used > 0 && word[used - 1] == 0)
      --used;
  }
};

// The sign of (a + b) - c.
inline int compareSum(const Natural &a, const Natural &b, const Natural &c) {
  int length = a.used > b.used ? a.used : b.used;
  if (c.used > length)
    length = c.used;
  int64_t carry = 0;
  bool isZero = true;
  for (int i = 0; i < length; ++i) {
    int64_t digit = carry + a.at(i) + b.at(i) - c.at(i);
    isZero &= static_cast<uint32_t>(digit) == 0;
    carry = digit >> 32;
  }
  return carry < 0 ? -1 : carry > 0 || !isZero;
}

struct Decimal {
  char digit[20]; // as characters, the first of them not 0
  int count;
  int exponent; // of 0.ddd * 10**exponent
};

// mantissa * 2**exponent; `uneven` if the number below is half as far away as the one above.
class ShortestDigits {
public:
  ShortestDigits(uint64_t mantissa, int exponent, bool uneven) : even(mantissa % 2 == 0) {
    int extra = uneven ? 2 : 1;
    r.set(mantissa);
    r.shiftLeft((exponent > 0 ? exponent : 0) + extra);
    s.set(1);
    s.shiftLeft((exponent < 0 ? -exponent : 0) + extra);
    below.set(1);
    below.shiftLeft(exponent > 0 ? exponent : 0);
    above = below;
    if (uneven)
      above.shiftLeft(1);
    zero.set(0);
    int bits = 64 - __builtin_clzll(mantissa) + exponent; // value < 2**bits
    scale(bits > 0 ? bits * 30103 / 100000 : -(-bits * 30103 / 100000) - 1);
  }

  void generate(Decimal &result) {
    result.exponent = power;
    result.count = 0;
    for (;;) {
      r.multiply(10), below.multiply(10), above.multiply(10);
      int digit = 0;
      for (; compareSum(r, zero, s) >= 0; ++digit)
        r.subtract(s);
      int low = compareSum(r, zero, below), high = compareSum(r, above, s);
      bool canEnd = low < 0 || (even && low == 0), canRoundUp = high > 0 || (even && high == 0);
      if (canEnd || canRoundUp) {
        bool up = canRoundUp && (!canEnd || compareSum(r, r, s) >= 0);
        result.digit[result.count++] = static_cast<char>('0' + digit + up);
        return;
      }
      result.digit[result.count++] = static_cast<char>('0' + digit);
    }
  }

private:
  // Divides by the power of 10 that makes the first digit the one after the point. `guess` is that
  // or one less.
  void scale(int guess) {
    power = guess;
    if (guess >= 0) {
      s.multiplyByPowerOf10(guess);
    } else {
      r.multiplyByPowerOf10(-guess);
      below.multiplyByPowerOf10(-guess);
      above.multiplyByPowerOf10(-guess);
    }
    for (int high = compareSum(r, above, s); high > 0 || (even && high == 0);
         high = compareSum(r, above, s)) {
      s.multiply(10);
      ++power;
    }
  }

  Natural r, s, below, above, zero;
  bool even;
  int power;
};

inline int putPadded(char *text, const char *digits, int count, int wanted) {
  for (int i = 0; i < wanted; ++i)
    text[i] = i < count ? digits[i] : '0';
  return wanted;
}

// "1.5", ".5", "100." or "1.5E-07"; numbers of 10**maxExponent and more have an exponent.
inline int decimalText(const Decimal &decimal, int maxExponent, char *text) {
  int length = 0, exponent = decimal.exponent;
  bool scientific = exponent < 0 || exponent > maxExponent;
  int before = scientific ? 1 : exponent;
  length += putPadded(text, decimal.digit, decimal.count, before);
  text[length++] = '.';
  for (int i = before; i < decimal.count; ++i)
    text[length++] = decimal.digit[i];
  if (!scientific)
    return length;
  int shown = exponent - 1;
  text[length++] = 'E';
  text[length++] = shown < 0 ? '-' : '+';
  if (shown < 0)
    shown = -shown;
  if (shown >= 100)
    text[length++] = static_cast<char>('0' + shown / 100);
  text[length++] = static_cast<char>('0' + shown / 10 % 10);
  text[length++] = static_cast<char>('0' + shown % 10);
  return length;
}

inline int copyText(char *to, const char *from) {
  int length = 0;
  for (; from[length]; ++length)
    to[length] = from[length];
  return length;
}

// A number of IEEE 754 with so many bits of fraction and of exponent.
[[gnu::noinline]] inline int realText(uint64_t bits, int fractionBits, int exponentBits,
                                      int maxExponent, char *text) {
  uint64_t fraction = bits & ((uint64_t{1} << fractionBits) - 1);
  int biased = static_cast<int>(bits >> fractionBits) & ((1 << exponentBits) - 1);
  bool negative = (bits >> (fractionBits + exponentBits)) & 1;
  if (biased == (1 << exponentBits) - 1 && fraction != 0)
    return copyText(text, "NaN");
  int sign = negative ? copyText(text, "-") : 0;
  if (biased == (1 << exponentBits) - 1)
    return sign + copyText(text + sign, "Inf");
  if (biased == 0 && fraction == 0)
    return sign + copyText(text + sign, "0.");
  bool isNormal = biased != 0;
  int exponent = (isNormal ? biased : 1) - (1 << (exponentBits - 1)) + 1 - fractionBits;
  Decimal decimal;
  ShortestDigits digits(isNormal ? fraction | (uint64_t{1} << fractionBits) : fraction, exponent,
                        fraction == 0 && biased > 1);
  digits.generate(decimal);
  return sign + decimalText(decimal, maxExponent, text + sign);
}

inline int realText(float value, char *text) {
  return realText(__builtin_bit_cast(uint32_t, value), 23, 8, 6, text);
}

inline int realText(double value, char *text) {
  return realText(__builtin_bit_cast(uint64_t, value), 52, 11, 15, text);
}

// REAL(2)
struct Half {
  uint16_t bits;
};

inline int realText(Half value, char *text) { return realText(value.bits, 10, 5, 6, text); }

} // namespace cufc_device
#endif // CUFRT_DEVICE_DECIMAL_H
