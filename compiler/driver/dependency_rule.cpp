// The forms are those of GCC's -MD, -MT and -MP (GCC manual, "Preprocessor Options").
#include "driver/dependency_rule.h"
#include "base/files.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

std::string escapeForMake(const std::string &path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == '\\')
      text += '\\';
    else if (c == '$')
      text += '$';
    text += c;
  }
  return text;
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
