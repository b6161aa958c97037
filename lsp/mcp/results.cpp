// See results.h.
#include "mcp/results.h"
#include "mcp/arguments.h"
#include "project/run_messages.h"
#include <fmt/format.h>

namespace cufc::mcp {
namespace {

constexpr size_t mostDiagnostics = 100, mostOutput = 60000, mostMessages = 8000;

Json parsed(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json();
}

// The command could not do its work: what it has said is all there is.
ToolResult failure(const Outcome &outcome) {
  std::string text = outcome.errors.empty() ? outcome.output : outcome.errors;
  if (outcome.timedOut)
    text = fmt::format("ended after {} s\n", outcome.timeout) + text;
  return {shortened(text.empty() ? "it ended without a message" : text, mostMessages), Json(),
          true};
}

std::string lineOf(const Json &diagnostic) {
  std::string text;
  if (diagnostic.contains("file"))
    text = fmt::format("{}:{}:{}: ", diagnostic.value("file", ""), diagnostic.value("line", 0),
                       diagnostic.value("column", 0));
  text += fmt::format("{}: {}", diagnostic.value("severity", ""), diagnostic.value("message", ""));
  if (std::string code = diagnostic.value("code", ""); !code.empty())
    text += " [" + code + "]";
  for (const Json &fix : diagnostic.value("fixes", Json::array()))
    text += "\n  fix: " + fix.value("title", "");
  return text + "\n";
}

// What a run with checks has found, with the place of the other thread.
Json findingsIn(const Outcome &outcome) {
  auto place = [](const Diagnostic &d) {
    return Json{{"file", d.range.file},
                {"line", d.range.line},
                {"column", d.range.column},
                {"message", d.message}};
  };
  RunMessages messages(outcome.folder);
  messages.takeText(outcome.errors);
  Json list = Json::array();
  for (const Diagnostic &found : messages.diagnostics()) {
    Json finding = place(found);
    finding["code"] = found.code;
    finding["related"] = Json::array();
    for (const Diagnostic &related : found.related)
      finding["related"].push_back(place(related));
    list.push_back(std::move(finding));
  }
  return list;
}

size_t countOf(const Json &diagnostics, const char *severity) {
  return static_cast<size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [&](const Json &d) { return d.value("severity", "") == severity; }));
}

} // namespace

std::string shortened(const std::string &text, size_t most) {
  if (text.size() <= most)
    return text;
  // Characters of several bytes are not cut.
  auto isInside = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  size_t head = most / 2, tail = text.size() - most / 2;
  while (head > 0 && isInside(head))
    --head;
  while (tail < text.size() && isInside(tail))
    ++tail;
  return text.substr(0, head) + fmt::format("\n[... {} bytes left out ...]\n", tail - head) +
         text.substr(tail);
}

ToolResult diagnosticsResult(const Json &, const Outcome &outcome) {
  Json document = parsed(outcome.output);
  if (!document.contains("diagnostics") || outcome.timedOut)
    return failure(outcome);
  Json &all = document["diagnostics"];
  size_t errors = countOf(all, "error"), warnings = countOf(all, "warning");
  Json shown = Json::array();
  std::string text = fmt::format("exit status {}: {} errors, {} warnings, {} diagnostics\n",
                                 outcome.exitStatus, errors, warnings, all.size());
  for (const Json &diagnostic : all)
    if (shown.size() < mostDiagnostics) {
      shown.push_back(diagnostic);
      text += lineOf(diagnostic);
    }
  if (size_t more = all.size() - shown.size(); more > 0)
    text += fmt::format("{} more are not shown\n", more);
  std::string messages = shortened(outcome.errors, mostMessages);
  Json data = {{"exitStatus", outcome.exitStatus},
               {"errors", errors},
               {"warnings", warnings},
               {"omitted", all.size() - shown.size()},
               {"diagnostics", std::move(shown)},
               {"messages", messages}};
  return {text + messages, std::move(data), outcome.exitStatus > 1};
}

ToolResult explainResult(const Json &, const Outcome &outcome) {
  Json document = parsed(outcome.output);
  if (outcome.exitStatus != 0 || !document.contains("diagnostics"))
    return failure(outcome);
  const Json &rows = document["diagnostics"];
  std::string text;
  for (const Json &row : rows) {
    text +=
        fmt::format("{} {} ({}, group {}): {}\n", row.value("code", ""), row.value("name", ""),
                    row.value("severity", ""), row.value("group", ""), row.value("message", ""));
    if (rows.size() == 1)
      text += "\n" + row.value("explanation", "");
  }
  if (rows.size() > 1) // a group: its pages are asked for one by one
    for (Json &row : document["diagnostics"])
      row.erase("explanation");
  return {text, std::move(document), false};
}

ToolResult runResult(const Json &arguments, const Outcome &outcome) {
  std::string output = shortened(outcome.output, mostOutput),
              errors = shortened(outcome.errors, mostOutput);
  Json report = outcome.report.empty() ? Json() : parsed(outcome.report);
  Json data = {{"exitStatus", outcome.exitStatus},
               {"timedOut", outcome.timedOut},
               {"stdout", output},
               {"stderr", errors},
               {"report", report}};
  if (isSet(arguments, "check"))
    data["findings"] = findingsIn(outcome);
  std::string text = outcome.timedOut ? fmt::format("ended after {} s\n", outcome.timeout)
                                      : fmt::format("exit status {}\n", outcome.exitStatus);
  if (!output.empty())
    text += "--- stdout\n" + output;
  if (!errors.empty())
    text += "--- stderr\n" + errors;
  if (!report.is_null())
    text += "--- report\n" + report.dump() + "\n";
  return {text, std::move(data), outcome.timedOut || outcome.exitStatus != 0};
}

ToolResult occupancyResult(const Json &arguments, const Outcome &outcome) {
  Json document = parsed(outcome.output);
  if (!document.contains("kernels") || outcome.timedOut)
    return failure(outcome);
  if (!isSet(arguments, "curves"))
    for (Json &kernel : document["kernels"])
      kernel.erase("curves");
  std::string text = document.dump(1) + "\n" + shortened(outcome.errors, mostMessages);
  return {text, std::move(document), outcome.exitStatus > 1};
}

} // namespace cufc::mcp
