// A gdb that runs beside us and is spoken to by its machine interface.
//
// Used by one thread. `ask` waits for the answer; what gdb says meanwhile of the program is kept
// for `nextEvent`.
#ifndef CUFLS_DEBUG_MI_CONNECTION_H
#define CUFLS_DEBUG_MI_CONNECTION_H

#include "debug/mi_value.h"
#include <deque>
#include <functional>
#include <utility>

namespace cufc::debug {

struct MiReply {
  bool ok = false;
  std::string error; // gdb's words if not
  MiValue results;
  std::string console; // what the command printed
};

class MiConnection {
public:
  MiConnection() = default;
  MiConnection(const MiConnection &) = delete;
  MiConnection &operator=(const MiConnection &) = delete;
  // Ends gdb, which ends the program.
  ~MiConnection();

  // Starts a debugger. It and the program inherit `errors` as descriptor 3.
  bool start(const std::vector<std::string> &command, int errors);

  MiReply ask(std::string command);
  // A command of gdb's own language.
  MiReply console(const std::string &command);
  // In the language C, whatever the program's is.
  MiReply askInC(const std::string &command);
  // The value of an expression, or empty.
  std::string value(const std::string &expression);

  // Readable when gdb has something to say; -1 when it has ended.
  int descriptor() const { return output; }
  // Takes what is there.
  void receive();
  // A record of type '*' or '=', in their order, or of type '^': the error of a command that was
  // said to run the program, and did not.
  std::optional<MiRecord> nextEvent();
  // Waits for events, at most so long; false if nothing came.
  bool waitForOutput(int milliseconds);

  // cuda-gdb has stopped in code of a GPU: a command that names a thread of the process would turn
  // to host code, so the thread is left out, and a frame, which MI takes with a thread alone, is
  // selected before.
  bool isOnDevice = false;

  // What gdb has said as an error or warning since its last answer, once.
  std::string takeComplaints() { return std::exchange(complaints, {}); }

  // Where commands and answers are told to, for a log.
  std::function<void(std::string_view)> log;

private:
  MiReply send(const std::string &command);
  void takeLine(std::string_view line);
  void takeAnswer(MiRecord answer);
  void close();

  int process = -1, input = -1, output = -1;
  int64_t lastToken = 0, answered = 0;
  std::string buffer;
  std::string printed, complaints;
  std::deque<MiRecord> events;
  std::deque<MiRecord> answers;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_MI_CONNECTION_H
