// See mi_connection.h.
#include "debug/mi_connection.h"
#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace cufc::debug {
namespace {

constexpr int mostSilence = 60'000; // milliseconds in which gdb must answer

// Takes an option with a number, such as --thread 1, out of the command; its number, or empty.
std::string takeOption(std::string &command, std::string_view option) {
  size_t start = command.find(option);
  if (start == std::string::npos)
    return "";
  size_t number = start + option.size();
  size_t end = std::min(command.find_first_not_of("0123456789", number), command.size());
  std::string result = command.substr(number, end - number);
  command.erase(start, end - start);
  return result;
}

} // namespace

MiConnection::~MiConnection() { close(); }

void MiConnection::close() {
  if (input >= 0)
    ::close(std::exchange(input, -1));
  if (output >= 0)
    ::close(std::exchange(output, -1));
  if (process <= 0)
    return;
  // At the end of its input gdb ends the program and itself.
  for (int i = 0; i < 100; ++i) {
    if (waitpid(process, nullptr, WNOHANG) == process) {
      process = -1;
      return;
    }
    usleep(10'000);
  }
  kill(process, SIGKILL);
  waitpid(std::exchange(process, -1), nullptr, 0);
}

bool MiConnection::start(const std::vector<std::string> &command, int errors) {
  std::array<int, 2> in{}, out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0)
    return false;
  if (pipe2(out.data(), O_CLOEXEC) != 0) {
    ::close(in[0]);
    ::close(in[1]);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Ctrl-C in a terminal of the client is not for gdb; a signal mask of ours neither.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  bool started =
      posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(in[0]);
  ::close(out[1]);
  input = in[1];
  output = out[0];
  if (!started) {
    process = -1;
    close();
  }
  return started;
}

void MiConnection::takeLine(std::string_view line) {
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  if (log)
    log(line);
  std::optional<MiRecord> record = parseMiLine(line);
  if (!record)
    return;
  if (record->type == '~')
    printed += record->text;
  else if (record->type == '&')
    complaints += record->text;
  else if (record->type == '^')
    takeAnswer(std::move(*record));
  else if (record->type == '*' || record->type == '=')
    events.push_back(std::move(*record));
}

// "^running" can be followed by "^error" of the same command: breakpoints are put in place then.
void MiConnection::takeAnswer(MiRecord answer) {
  if (answer.token == answered) {
    if (answer.name == "error")
      events.push_back(std::move(answer));
    return;
  }
  answered = answer.token;
  complaints.clear();
  answers.push_back(std::move(answer));
}

void MiConnection::receive() {
  std::array<char, 65536> bytes;
  ssize_t count = output >= 0 ? read(output, bytes.data(), bytes.size()) : 0;
  if (count <= 0)
    return close();
  buffer.append(bytes.data(), static_cast<size_t>(count));
  size_t start = 0;
  for (size_t end; (end = buffer.find('\n', start)) != std::string::npos; start = end + 1)
    takeLine(std::string_view(buffer).substr(start, end - start));
  buffer.erase(0, start);
}

bool MiConnection::waitForOutput(int milliseconds) {
  if (output < 0)
    return false;
  pollfd wanted{output, POLLIN, 0};
  if (poll(&wanted, 1, milliseconds) <= 0)
    return false;
  receive();
  return true;
}

std::optional<MiRecord> MiConnection::nextEvent() {
  if (events.empty())
    return std::nullopt;
  MiRecord first = std::move(events.front());
  events.pop_front();
  return first;
}

MiReply MiConnection::ask(std::string command) {
  if (isOnDevice) {
    takeOption(command, " --thread ");
    std::string level = takeOption(command, " --frame ");
    if (!level.empty())
      send("-stack-select-frame " + level);
  }
  return send(command);
}

MiReply MiConnection::send(const std::string &command) {
  if (input < 0)
    return {false, "the debugger has ended", {}, {}};
  std::string line = std::to_string(++lastToken) + command + "\n";
  if (log)
    log(line.substr(0, line.size() - 1));
  printed.clear();
  if (write(input, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    close();
    return {false, "the debugger has ended", {}, {}};
  }
  for (;;) {
    for (; !answers.empty(); answers.pop_front()) {
      MiRecord &answer = answers.front();
      if (answer.token != lastToken)
        continue;
      MiReply reply{answer.name != "error", answer.results["msg"].text, answer.results,
                    std::exchange(printed, {})};
      answers.pop_front();
      return reply;
    }
    if (!waitForOutput(mostSilence))
      return {false, "the debugger does not answer", {}, {}};
  }
}

MiReply MiConnection::console(const std::string &command) {
  return ask("-interpreter-exec console " + miQuoted(command));
}

MiReply MiConnection::askInC(const std::string &command) {
  ask("-gdb-set language c");
  MiReply reply = ask(command);
  ask("-gdb-set language auto");
  return reply;
}

std::string MiConnection::value(const std::string &expression) {
  MiReply reply = ask("-data-evaluate-expression " + miQuoted(expression));
  return reply.ok ? reply.results["value"].text : "";
}

} // namespace cufc::debug
