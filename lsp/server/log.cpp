// See log.h.
#include "server/log.h"
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>

namespace cufc {

Log::Log(std::string name) : file(std::move(name)) { open(); }

Log::~Log() {
  if (stream)
    std::fclose(stream);
}

void Log::open() {
  if (file.empty())
    return;
  stream = std::fopen(file.c_str(), "ae");
  if (stream) {
    std::fseek(stream, 0, SEEK_END);
    written = std::ftell(stream);
  }
}

void Log::write(std::string_view text) {
  if (!stream)
    return;
  auto now = std::chrono::system_clock::now();
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%F %T", &local);
  std::string line =
      fmt::format("{}.{:03} {}{}\n", stamp, milliseconds, text.substr(0, mostLine),
                  text.size() > mostLine ? fmt::format("... ({} bytes)", text.size()) : "");
  if (written + static_cast<long>(line.size()) > mostBytes) {
    std::fclose(stream);
    std::rename(file.c_str(), (file + ".1").c_str());
    open();
  }
  if (stream && std::fputs(line.c_str(), stream) >= 0)
    written += static_cast<long>(line.size());
  if (stream)
    std::fflush(stream);
}

} // namespace cufc
