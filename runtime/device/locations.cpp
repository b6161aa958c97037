// MAXLOC, MINLOC and FINDLOC where the compiler does not make loops of them: with BACK, with a DIM
// that is not a constant, and FINDLOC always.
#include "arrays.h"

namespace cufc_device {
namespace {

// The position of the largest (Sign = 1) or smallest (Sign = -1) element so far.
template <typename T, int Sign>
struct Extreme {
  T best{};
  bool found = false;

  bool add(T x, bool back) {
    bool better = !found || (Sign > 0 ? x > best : x < best) || (back && x == best) ||
                  (best != best && x == x);
    if (better)
      best = x;
    found = true;
    return better;
  }
};

template <typename T, int Sign>
void extremeOf(Array &result, const Array &array, const Array *mask, bool back) {
  Extreme<T, Sign> extreme;
  if (elements(array) == 0)
    return;
  Position position;
  do {
    if (isTrue(mask, position) && extreme.add(value<T>(array, position), back))
      for (int i = 0; i < array.rank; ++i)
        storeInteger(static_cast<char *>(result.base_addr) + i * Index(result.elem_len),
                     result.elem_len, position.at[i] + 1);
  } while (position.advance(array));
}

// A vector of zeros, one for each dimension.
void allocateLocation(Array &result, const Array &array, int kind) {
  Index extent = array.rank;
  allocate(result, 1, &extent, integerType(kind), static_cast<size_t>(kind));
  for (int i = 0; i < array.rank; ++i)
    storeInteger(static_cast<char *>(result.base_addr) + i * kind, result.elem_len, 0);
}

template <typename T, int Sign>
void whole(Array &result, const Array &array, int kind, const Array *mask, bool back) {
  allocateLocation(result, array, kind);
  extremeOf<T, Sign>(result, array, mask, back);
}

// For each position without dimension `dim`: the number, counted from one, of the last element
// along it for which `takes` is true, and zero if there is none.
template <typename Start>
void along(const Array &result, const Array &array, int dim, const Array *mask, Start start) {
  Position position;
  char *place = static_cast<char *>(result.base_addr);
  for (Index left = elements(result); left > 0; --left, place += result.elem_len) {
    auto takes = start();
    Index number = 0;
    for (Index k = 0; k < array.dim[dim].extent; ++k) {
      position.at[dim] = k;
      if (isTrue(mask, position) && takes(position))
        number = k + 1;
    }
    storeInteger(place, result.elem_len, number);
    position.advance(array, dim);
  }
}

template <typename T, int Sign>
void extremeAlong(const Array &result, const Array &array, int dim, const Array *mask, bool back) {
  along(result, array, dim, mask, [&] {
    return [&array, back, extreme = Extreme<T, Sign>()](const Position &position) mutable {
      return extreme.add(value<T>(array, position), back);
    };
  });
}

template <int Sign>
void extremesAlong(Array &result, const Array &array, int kind, int dim, const Array *mask,
                   bool back) {
  allocateWithout(result, array, dim, integerType(kind), static_cast<size_t>(kind));
  switch (array.type) {
  case CFI_type_int8_t:
    return extremeAlong<int8_t, Sign>(result, array, dim, mask, back);
  case CFI_type_int16_t:
    return extremeAlong<int16_t, Sign>(result, array, dim, mask, back);
  case CFI_type_int32_t:
    return extremeAlong<int32_t, Sign>(result, array, dim, mask, back);
  case CFI_type_int64_t:
    return extremeAlong<int64_t, Sign>(result, array, dim, mask, back);
  case CFI_type_float:
    return extremeAlong<float, Sign>(result, array, dim, mask, back);
  default:
    return extremeAlong<double, Sign>(result, array, dim, mask, back);
  }
}

// An element as a number that compares with those of other types, for FINDLOC.
struct Number {
  bool isReal = false;
  int64_t integer = 0;
  double re = 0, im = 0;

  Number(const Array &array, const char *place) {
    if (array.type == CFI_type_float || array.type == CFI_type_float_Complex) {
      auto *parts = reinterpret_cast<const float *>(place);
      isReal = true, re = parts[0];
      im = array.type == CFI_type_float ? 0 : parts[1];
    } else if (array.type == CFI_type_double || array.type == CFI_type_double_Complex) {
      auto *parts = reinterpret_cast<const double *>(place);
      isReal = true, re = parts[0];
      im = array.type == CFI_type_double ? 0 : parts[1];
    } else {
      integer = integerAt(place, array.elem_len);
      bool logical = array.type == CFI_type_Bool ||
                     (array.type >= CFI_type_int_least8_t && array.type <= CFI_type_int_least64_t);
      integer = logical ? integer != 0 : integer;
      re = static_cast<double>(integer);
    }
  }

  bool operator==(const Number &other) const {
    return isReal || other.isReal ? re == other.re && im == other.im : integer == other.integer;
  }
};

// Characters are equal if they are so padded with blanks.
bool sameText(const char *a, size_t aLength, const char *b, size_t bLength) {
  for (size_t i = 0; i < aLength || i < bLength; ++i)
    if ((i < aLength ? a[i] : ' ') != (i < bLength ? b[i] : ' '))
      return false;
  return true;
}

bool equals(const Array &array, const Position &position, const Array &target) {
  const char *place = address(array, position), *wanted = address(target, {});
  if (array.type == CFI_type_char)
    return sameText(place, array.elem_len, wanted, target.elem_len);
  return Number(array, place) == Number(target, wanted);
}

} // namespace

#define EXTREME(name, T, sign)                                                                     \
  CUFC_ENTRY void _FortranA##name(Array &result, const Array &array, int kind, const char *, int,  \
                                  const Array *mask, bool back) {                                  \
    whole<T, sign>(result, array, kind, mask, back);                                               \
  }
#define EXTREMES(name, sign)                                                                       \
  EXTREME(name##Integer1, int8_t, sign)                                                            \
  EXTREME(name##Integer2, int16_t, sign)                                                           \
  EXTREME(name##Integer4, int32_t, sign)                                                           \
  EXTREME(name##Integer8, int64_t, sign)                                                           \
  EXTREME(name##Real4, float, sign)                                                                \
  EXTREME(name##Real8, double, sign)                                                               \
  CUFC_ENTRY void _FortranA##name##Dim(Array &result, const Array &array, int kind, int dim,       \
                                       const char *, int, const Array *mask, bool back) {          \
    extremesAlong<sign>(result, array, kind, dim - 1, mask, back);                                 \
  }
EXTREMES(Maxloc, 1)
EXTREMES(Minloc, -1)

CUFC_ENTRY void _FortranAFindloc(Array &result, const Array &array, const Array &target, int kind,
                                 const char *, int, const Array *mask, bool back) {
  allocateLocation(result, array, kind);
  if (elements(array) == 0)
    return;
  Position position;
  do {
    if (!isTrue(mask, position) || !equals(array, position, target))
      continue;
    for (int i = 0; i < array.rank; ++i)
      storeInteger(static_cast<char *>(result.base_addr) + i * kind, result.elem_len,
                   position.at[i] + 1);
    if (!back)
      return;
  } while (position.advance(array));
}

CUFC_ENTRY void _FortranAFindlocDim(Array &result, const Array &array, const Array &target,
                                    int kind, int dim, const char *, int, const Array *mask,
                                    bool back) {
  allocateWithout(result, array, dim - 1, integerType(kind), static_cast<size_t>(kind));
  along(result, array, dim - 1, mask, [&] {
    return [&, found = false](const Position &position) mutable {
      if ((found && !back) || !equals(array, position, target))
        return false;
      return found = true;
    };
  });
}

} // namespace cufc_device
