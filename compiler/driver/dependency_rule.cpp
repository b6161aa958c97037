// The forms are those of GCC's -MD, -MT and -MP (GCC manual, "Preprocessor Options"). Backslashes
// stand for themselves but before what they escape. Make has no way to write the end of a line in a
// name: it is written as a variable that is not there, so that make does not find the file;
// `cufls build` does (project/dependency_file.h).
#include "driver/dependency_rule.h"
#include "base/files.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

std::string escapeForMake(const std::string &path) {
  std::string text;
  size_t backslashes = 0; // just before
  for (char c : path) {
    if (c == ' ' || c == '\t' || c == '#')
      text += std::string(backslashes + 1, '\\');
    else if (c == ':')
      text += '\\';
    else if (c == '$')
      text += '$';
    text += c == '\n' ? "$(\\n)" : std::string(1, c);
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return text + std::string(backslashes, '\\'); // a blank follows
}

} // namespace

std::string dependencyFile(const CompileJob &job, const Options &options) {
  if (!options.dependencyFile.empty())
    return options.dependencyFile;
  return job.output.substr(0, job.output.size() - extension(job.output).size()) + ".d";
}

std::string dependencyRule(const CompileJob &job, const Options &options,
                           const std::vector<std::string> &filesRead) {
  std::string rule, others;
  for (const std::string &target : options.dependencyTargets)
    rule += (rule.empty() ? "" : " ") + target;
  if (rule.empty())
    rule = escapeForMake(options.dependenciesOnly ? stem(job.source) + ".o" : job.output);
  rule += ":";
  for (const std::string &file : filesRead) {
    rule += " \\\n  " + escapeForMake(file);
    if (options.phonyTargets && file != job.source)
      others += escapeForMake(file) + ":\n";
  }
  return rule + "\n" + others;
}

std::string numberedLines(const std::string &text) {
  std::string listing;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    listing += fmt::format("({:5}) {}\n", ++number, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return listing;
}

} // namespace cufc
