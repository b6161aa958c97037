// One list of fields for both directions. Texts are written with their length, everything else as
// it lies in memory: both ends are the same program.
#include "service/request.h"
#include <cstring>
#include <type_traits>

namespace cufc {
namespace {

template <typename Archive, typename Request>
void fields(Archive &archive, Request &r) {
  auto &f = r.front;
  archive(f.path, f.text, f.fixedForm, f.extendedLines, f.cuda, f.managed, f.preprocess,
          f.backslashEscapes, f.real8, f.warnings, f.includes, f.macros, f.moduleDirectory,
          f.intrinsicModules, f.scratchFile);
  auto &c = r.checks;
  archive(c.kernelArgumentBytes, c.warnings, c.hazards);
}

class Writer {
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
  void put(const std::pair<std::string, bool> &value) {
    put(value.first);
    put(value.second);
  }
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

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
  void get(std::pair<std::string, bool> &value) {
    get(value.first);
    get(value.second);
  }

  std::string_view rest;
  bool sound = true;
};

} // namespace

std::string toBytes(const AnalysisRequest &request) {
  Writer writer;
  fields(writer, request);
  return std::move(writer.bytes);
}

std::optional<AnalysisRequest> requestFromBytes(std::string_view bytes) {
  AnalysisRequest request;
  Reader reader(bytes);
  fields(reader, request);
  if (!reader.finished())
    return std::nullopt;
  return request;
}

} // namespace cufc
