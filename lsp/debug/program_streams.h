// What the program under the debugger writes: standard output to a terminal of its own, so that
// lines come as they are printed, standard error to a pipe.
#ifndef CUFLS_DEBUG_PROGRAM_STREAMS_H
#define CUFLS_DEBUG_PROGRAM_STREAMS_H

#include <functional>
#include <string>
#include <string_view>

namespace cufc::debug {

class ProgramStreams {
public:
  // `category` is "stdout" or "stderr", as the protocol names them.
  using Written = std::function<void(const char *category, std::string_view text)>;

  explicit ProgramStreams(Written written) : written(std::move(written)) {}
  ProgramStreams(const ProgramStreams &) = delete;
  ProgramStreams &operator=(const ProgramStreams &) = delete;
  ~ProgramStreams();

  bool open();
  const std::string &terminal() const { return name; }
  int errorInput() const { return errorWrite; } // for the program

  int outputDescriptor() const { return master; }
  int errorDescriptor() const { return errorRead; }
  // Takes what is there, without waiting.
  void receive();

private:
  bool receiveFrom(int descriptor, const char *category);

  Written written;
  std::string name;
  int master = -1, slave = -1, errorRead = -1, errorWrite = -1;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_PROGRAM_STREAMS_H
