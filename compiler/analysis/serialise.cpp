// See serialise.h. Writer and Reader walk the same fields (fields.h). The reader checks every size
// against the bytes that are left, so that damaged input costs neither memory nor a crash.
#include "analysis/serialise.h"
#include "analysis/fields.h"
#include "analysis/hash.h"
#include <cstring>
#include <type_traits>

namespace cufc {
namespace {

constexpr std::string_view mark = "CUFA";
constexpr unsigned char version = 2;
constexpr size_t headerSize = mark.size() + 1 + sizeof(std::uint64_t);
constexpr int deepest = 32; // related diagnostics of related ones

// What an enumeration may be at most.
constexpr int lastOf(Severity) { return static_cast<int>(Severity::Note); }
constexpr int lastOf(DiagnosticTag) { return static_cast<int>(DiagnosticTag::Deprecated); }
constexpr int lastOf(SymbolKind) { return static_cast<int>(SymbolKind::Label); }
constexpr int lastOf(Role) { return static_cast<int>(Role::Launch); }
constexpr int lastOf(ScopeKind) { return static_cast<int>(ScopeKind::Interface); }

// Small numbers of either sign become small ones without: 0, -1, 1, -2, ...
std::uint64_t folded(std::int64_t x) {
  return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}
std::int64_t unfolded(std::uint64_t x) {
  return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1);
}

class Writer {
public:
  template <typename... T>
  void operator()(T &...values) {
    (put(values), ...);
  }
  std::string bytes;

private:
  void number(std::uint64_t x) {
    for (; x >= 0x80; x >>= 7)
      bytes += static_cast<char>(x | 0x80);
    bytes += static_cast<char>(x);
  }
  void put(bool x) { bytes += static_cast<char>(x); }
  void put(std::string &text) {
    number(text.size());
    bytes += text;
  }
  void put(Place &x) {
    put(x.file);
    number(folded(x.line - std::int64_t{lastLine}));
    number(folded(x.endLine - std::int64_t{x.line}));
    put(x.column);
    number(folded(x.endColumn - std::int64_t{x.column}));
    lastLine = x.line;
  }
  template <typename T>
  void put(std::optional<T> &x) {
    put(x.has_value());
    if (x)
      put(*x);
  }
  template <typename T>
  void put(std::vector<T> &values) {
    number(values.size());
    for (T &value : values)
      put(value);
  }
  template <typename T>
  void put(T &x) {
    if constexpr (std::is_enum_v<T>)
      bytes += static_cast<char>(x);
    else if constexpr (std::is_signed_v<T>)
      number(folded(x));
    else if constexpr (std::is_integral_v<T>)
      number(x);
    else
      fields(*this, x);
  }

  int lastLine = 0;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  template <typename... T>
  void operator()(T &...values) {
    (get(values), ...);
  }
  bool good() const { return sound; }
  bool finished() const { return sound && rest.empty(); }

private:
  unsigned char byte() {
    if (rest.empty()) {
      sound = false;
      return 0;
    }
    unsigned char result = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    return result;
  }
  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      unsigned char next = byte();
      result |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (!(next & 0x80))
        return result;
    }
    sound = false;
    return 0;
  }
  // Of elements that take a byte at least.
  size_t count() {
    std::uint64_t result = number();
    if (result > rest.size())
      sound = false;
    return sound ? result : 0;
  }
  void get(bool &x) {
    unsigned char next = byte();
    sound &= next <= 1;
    x = next == 1;
  }
  void get(std::string &text) {
    size_t size = count();
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  void get(Place &x) {
    get(x.file);
    x.line = moved(lastLine);
    x.endLine = moved(x.line);
    get(x.column);
    x.endColumn = moved(x.column);
    lastLine = x.line;
  }
  template <typename T>
  void get(std::optional<T> &x) {
    bool present = false;
    get(present);
    if (present)
      get(x.emplace());
  }
  template <typename T>
  void get(std::vector<T> &values) {
    size_t size = count();
    if (++depth > deepest)
      sound = false;
    for (size_t i = 0; i < size && sound; ++i)
      get(values.emplace_back());
    --depth;
  }
  template <typename T>
  void get(T &x) {
    if constexpr (std::is_enum_v<T>) {
      unsigned char value = byte();
      sound &= value <= lastOf(x);
      x = static_cast<T>(sound ? value : 0);
    } else if constexpr (std::is_same_v<T, int>) {
      x = narrow(unfolded(number()));
    } else if constexpr (std::is_signed_v<T>) {
      x = unfolded(number());
    } else if constexpr (std::is_integral_v<T>) {
      std::uint64_t value = number();
      x = static_cast<T>(value);
      sound &= x == value;
    } else {
      fields(*this, x);
    }
  }
  int moved(int from) {
    std::int64_t difference = unfolded(number()), result = 0;
    sound &= !__builtin_add_overflow(difference, from, &result);
    return narrow(result);
  }
  int narrow(std::int64_t x) {
    sound &= x == static_cast<int>(x);
    return static_cast<int>(x);
  }

  std::string_view rest;
  bool sound = true;
  int depth = 0;
  int lastLine = 0;
};

} // namespace

std::string toBytes(const Analysis &analysis) {
  Writer writer;
  writer.bytes = mark;
  writer.bytes += static_cast<char>(version);
  writer.bytes.resize(headerSize);
  fields(writer, const_cast<Analysis &>(analysis)); // which the writer leaves as it is
  std::uint64_t sum = hashOf(std::string_view(writer.bytes).substr(headerSize));
  std::memcpy(writer.bytes.data() + headerSize - sizeof sum, &sum, sizeof sum);
  return std::move(writer.bytes);
}

std::optional<Analysis> fromBytes(std::string_view bytes) {
  if (bytes.size() < headerSize || bytes.substr(0, mark.size()) != mark ||
      static_cast<unsigned char>(bytes[mark.size()]) != version)
    return std::nullopt;
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + headerSize - sizeof sum, sizeof sum);
  bytes.remove_prefix(headerSize);
  if (sum != hashOf(bytes))
    return std::nullopt;
  Reader reader(bytes);
  std::optional<Analysis> result(std::in_place);
  fields(reader, *result);
  if (!reader.finished())
    return std::nullopt;
  return result;
}

} // namespace cufc
