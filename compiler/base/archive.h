// Plain values as bytes, for other processes of the same program and for its own cache. Texts and
// lists are written with their length, other values as they lie in memory. A structure that has
// texts or lists names its fields in a function `archiveFields(archive, value)`.
#ifndef CUFC_BASE_ARCHIVE_H
#define CUFC_BASE_ARCHIVE_H

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cufc {

class ArchiveWriter {
public:
  template <typename... T>
  void operator()(const T &...values) {
    (put(values), ...);
  }
  std::string bytes;

private:
  template <typename T, typename = std::enable_if_t<std::is_trivially_copyable_v<T>>>
  void put(const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void put(const std::string &text) {
    put(text.size());
    bytes += text;
  }
  void put(const std::optional<std::string> &text) {
    put(text.has_value());
    put(text.value_or(""));
  }
  template <typename T>
  void put(const std::vector<T> &values) {
    put(values.size());
    for (const T &value : values)
      put(value);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B> &value) {
    put(value.first);
    put(value.second);
  }
  template <typename K, typename V>
  void put(const std::map<K, V> &values) {
    put(values.size());
    for (const auto &value : values)
      put(value);
  }
  template <typename T>
    requires requires(ArchiveWriter &writer, const T &value) { archiveFields(writer, value); }
  void put(const T &value) {
    archiveFields(*this, value);
  }
};

// Checks each length against what is left, so damaged bytes cost neither memory nor a crash.
class ArchiveReader {
public:
  explicit ArchiveReader(std::string_view bytes) : rest(bytes) {}

  template <typename... T>
  void operator()(T &...values) {
    (get(values), ...);
  }
  bool finished() const { return sound && rest.empty(); }

private:
  template <typename T, typename = std::enable_if_t<std::is_trivially_copyable_v<T>>>
  void get(T &value) {
    sound &= rest.size() >= sizeof value;
    if (!sound)
      return;
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  void get(std::string &text) {
    size_t size = 0;
    get(size);
    sound &= size <= rest.size();
    if (!sound)
      return;
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  void get(std::optional<std::string> &text) {
    bool present = false;
    std::string value;
    get(present);
    get(value);
    if (present)
      text = std::move(value);
  }
  template <typename T>
  void get(std::vector<T> &values) {
    size_t size = 0;
    get(size);
    for (size_t i = 0; sound && i < size; ++i)
      get(values.emplace_back());
  }
  template <typename A, typename B>
  void get(std::pair<A, B> &value) {
    get(value.first);
    get(value.second);
  }
  template <typename K, typename V>
  void get(std::map<K, V> &values) {
    size_t size = 0;
    get(size);
    for (size_t i = 0; sound && i < size; ++i) {
      std::pair<K, V> value;
      get(value);
      values.insert_or_assign(std::move(value.first), std::move(value.second));
    }
  }
  template <typename T>
    requires requires(ArchiveReader &reader, T &value) { archiveFields(reader, value); }
  void get(T &value) {
    archiveFields(*this, value);
  }

  std::string_view rest;
  bool sound = true;
};

} // namespace cufc
#endif // CUFC_BASE_ARCHIVE_H
