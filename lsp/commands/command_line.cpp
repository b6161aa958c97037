// Options may stand anywhere before "--".
#include "commands/command_line.h"
#include "base/diag.h"
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

// The row that an argument spells, and the value if it is part of the argument.
const CommandOption *findOption(const std::vector<CommandOption> &options,
                                const std::string &argument, std::string &value, bool &joined) {
  for (const CommandOption &option : options) {
    joined = false;
    if (argument == option.name)
      return &option;
    bool letter = option.name.size() == 2 && !option.value.empty();
    if (!argument.starts_with(option.name))
      continue;
    std::string rest = argument.substr(option.name.size());
    joined = letter || rest.starts_with('=');
    value = rest.starts_with('=') ? rest.substr(1) : rest;
    if (joined)
      return &option;
  }
  return nullptr;
}

} // namespace

std::string CommandLine::value(std::string_view name) const {
  auto found = options.find(name);
  return found == options.end() ? "" : found->second.back();
}

CommandLine parseCommandLine(const Arguments &arguments, const std::vector<CommandOption> &options,
                             Diagnostics &diagnostics) {
  CommandLine line;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument == "--") {
      line.rest.assign(arguments.begin() + static_cast<ptrdiff_t>(at) + 1, arguments.end());
      break;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      line.operands.push_back(argument);
      continue;
    }
    if (argument == "-h" || argument == "--help") {
      line.options["--help"] = {""};
      continue;
    }
    std::string value;
    bool joined = false;
    const CommandOption *option = findOption(options, argument, value, joined);
    if (!option || (joined && option->value.empty())) {
      diagnostics.report(Diag::UnknownOption, {}, argument, "");
      continue;
    }
    bool next = !joined && !option->value.empty();
    if (next && at + 1 < arguments.size())
      value = arguments[++at];
    if (!option->value.empty() && value.empty())
      diagnostics.report(Diag::OptionNeedsValue, {}, option->name, option->value);
    line.options[std::string(option->name)].push_back(value);
  }
  return line;
}

int printHelp(std::string_view synopsis, std::string_view text,
              const std::vector<CommandOption> &options) {
  std::string all = fmt::format("usage: cufls {}\n\n{}\n", synopsis, text);
  for (const CommandOption &option : options) {
    std::string form(option.name);
    if (!option.value.empty())
      form += (option.name.starts_with("--") ? "=" : " ") + std::string(option.value);
    all +=
        fmt::format("{}  {:<22} {}\n", &option == &options.front() ? "\n" : "", form, option.help);
  }
  return std::fputs(all.c_str(), stdout) < 0 ? exitFailed : exitClean;
}

int positiveNumber(const std::string &value, std::string_view option, Diagnostics &diagnostics) {
  int number = 0;
  const char *end = value.data() + value.size();
  auto [rest, failure] = std::from_chars(value.data(), end, number);
  if (failure == std::errc() && rest == end && number > 0)
    return number;
  diagnostics.report(Diag::BadOptionValue, {}, value, option, "a number of at least 1");
  return 1;
}

std::string operandFolder(const CommandLine &line, Diagnostics &diagnostics) {
  std::string folder = line.operands.empty() ? "." : line.operands.front();
  if (access(folder.c_str(), R_OK) != 0)
    diagnostics.report(Diag::CannotRead, {}, folder, std::strerror(errno));
  for (size_t i = 1; i < line.operands.size(); ++i)
    diagnostics.report(Diag::ExtraOperand, {}, line.operands[i]);
  for (const std::string &argument : line.rest)
    diagnostics.report(Diag::ExtraOperand, {}, argument);
  return folder;
}

} // namespace cufc
