// Decimal text of binary floating-point numbers: the fewest digits that give the number back when
// they are read, in the form of flang's list-directed output.
//
// The digits are generated with integers of any length (after Steele and White, "How to print
// floating-point numbers accurately", PLDI 1990). The numbers that are read as this one lie between
// the means with its neighbours; the digits of the two bounds are generated together, until they
// differ. There the middle one of the possible digits is taken, as flang does. Printing is rare in
// device code, so there are no tables of powers.
#ifndef CUFRT_DEVICE_DECIMAL_H
#define CUFRT_DEVICE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

namespace cufc_device {

constexpr int maxRealText = 32;

// A natural number below 2**1184: enough for 100 times the terms of any double.
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

inline int compare(const Natural &a, const Natural &b) {
  if (a.used != b.used)
    return a.used < b.used ? -1 : 1;
  for (int i = a.used - 1; i >= 0; --i)
    if (a.word[i] != b.word[i])
      return a.word[i] < b.word[i] ? -1 : 1;
  return 0;
}

struct Decimal {
  char digit[20]; // as characters, the first of them not 0
  int count;
  int exponent;        // of 0.ddd * 10**exponent
  int roundedExponent; // the same of the number rounded to one digit
};

// Of mantissa * 2**exponent. `uneven`: the number below is half as far away as the one above.
// `last`: there is none above.
class ShortestDigits {
public:
  ShortestDigits(uint64_t mantissa, int exponent, bool uneven, bool last) {
    value.set(4 * mantissa);
    low.set(4 * mantissa - (uneven ? 1 : 2));
    high.set(4 * mantissa + (last ? 0 : 2));
    unit.set(1);
    if (exponent >= 2) {
      value.shiftLeft(exponent - 2);
      low.shiftLeft(exponent - 2);
      high.shiftLeft(exponent - 2);
    } else {
      unit.shiftLeft(2 - exponent);
    }
    int bits = 64 - __builtin_clzll(mantissa) + exponent; // 2**(bits - 1) <= value < 2**bits
    scale(bits > 0 ? (bits - 1) * 30103 / 100000 : -(-bits * 30103 / 100000) - 1);
  }

  // The lower bound may be reached, the upper one may not.
  void generate(Decimal &result) {
    result.exponent = power;
    result.roundedExponent = power + roundsUp();
    result.count = 0;
    for (;;) {
      low.multiply(10), high.multiply(10);
      int below = 0, above = 0;
      for (; compare(low, unit) >= 0; ++below)
        low.subtract(unit);
      for (; compare(high, unit) > 0; ++above)
        high.subtract(unit);
      result.digit[result.count++] = static_cast<char>('0' + above - (above - below) / 2);
      if (above != below)
        return;
    }
  }

private:
  // Divides by the power of 10 that makes the upper bound's first digit the one behind the point.
  // `guess` is that or less.
  void scale(int guess) {
    power = guess;
    if (guess >= 0) {
      unit.multiplyByPowerOf10(guess);
    } else {
      value.multiplyByPowerOf10(-guess);
      low.multiplyByPowerOf10(-guess);
      high.multiplyByPowerOf10(-guess);
    }
    for (; compare(high, unit) > 0; ++power)
      unit.multiply(10);
  }

  // To the next power of 10, when it is rounded to one digit.
  bool roundsUp() const {
    Natural hundredfold = value, limit = unit;
    hundredfold.multiply(100);
    limit.multiply(95);
    return compare(hundredfold, limit) >= 0;
  }

  Natural value, low, high, unit;
  int power;
};

inline int putPadded(char *text, const char *digits, int count, int wanted) {
  for (int i = 0; i < wanted; ++i)
    text[i] = i < count ? digits[i] : '0';
  return wanted;
}

// "1.5", ".5", "100." or "1.5E-07". Which form a number has depends on its size when rounded to one
// digit, as in flang.
inline int decimalText(const Decimal &decimal, int maxExponent, char *text) {
  int length = 0, exponent = decimal.exponent;
  bool scientific = decimal.roundedExponent < 0 || decimal.roundedExponent > maxExponent;
  int before = scientific ? 1 : exponent > 0 ? exponent : 0;
  length += putPadded(text, decimal.digit, decimal.count, before);
  text[length++] = '.';
  if (!scientific && exponent < 0)
    text[length++] = '0';
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
  bool last = biased == (1 << exponentBits) - 2 && fraction == (uint64_t{1} << fractionBits) - 1;
  ShortestDigits digits(isNormal ? fraction | (uint64_t{1} << fractionBits) : fraction, exponent,
                        fraction == 0 && biased > 1, last);
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
