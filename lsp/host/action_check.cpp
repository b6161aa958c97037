// See action_check.h.
#include "host/action_check.h"
#include "base/diagnostics.h"
#include "host/analyses.h"
#include "host/projects.h"
#include "ide/refactor/refactoring.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

// Messages name lines, which move.
std::string keyOf(const Diagnostic &diagnostic) {
  std::string key = diagnostic.code + diagnostic.message;
  std::erase_if(key, [](char c) { return c >= '0' && c <= '9'; });
  return key;
}

// Not what is wrong with the program that analyses.
bool isMistake(const Diagnostic &diagnostic) {
  const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
  return diagnostic.severity == Severity::Error &&
         !(row && std::string_view(row->group) == "internal");
}

} // namespace

void ActionCheck::start(const HostParts &parts, const std::string &path,
                        std::vector<CodeAction> actions, Done done) {
  std::shared_ptr<ActionCheck> check(new ActionCheck(parts, std::move(done)));
  check->problems.resize(actions.size());
  std::set<std::string> known;
  OpenedFiles opened;
  for (size_t i = 0; i < actions.size(); ++i) {
    std::vector<std::string> paths;
    for (const auto &[file, edits] : actions[i].edits)
      paths.insert(file == path ? paths.begin() : paths.end(), file);
    for (const std::string &file : paths) {
      const SourceFile *source = parts.workspace.find(file);
      if (!source)
        continue;
      if (known.insert(file).second)
        check->jobs.insert(check->jobs.begin(), {i, file, file, ""});
      check->jobs.push_back(
          {i, file, file, changedText(opened(*source).document, actions[i].edits.at(file))});
      auto name = actions[i].renamed.find(file);
      if (name != actions[i].renamed.end())
        check->jobs.back().path = name->second;
    }
  }
  check->next(check);
}

AnalysisRequest ActionCheck::requestFor(const Job &job) const {
  LoadedProject &project = parts.projects.of(job.path);
  AnalysisRequest request = parts.projects.requestFor(project, job.path);
  FrontendOptions &front = request.front;
  front.includes.insert(front.includes.begin(), {front.moduleDirectory, directoryOf(job.path)});
  std::string name = job.text.empty() ? "before" : "action" + std::to_string(job.action);
  front.moduleDirectory = scratch.path(name);
  std::error_code ignored;
  std::filesystem::create_directories(front.moduleDirectory, ignored);
  if (!job.text.empty()) {
    front.text = job.text;
  } else if (const SourceFile *file = parts.workspace.find(job.path); file && file->open) {
    front.text = file->document.text();
  }
  return request;
}

void ActionCheck::next(const std::shared_ptr<ActionCheck> &self) {
  if (at == jobs.size())
    return done(problems);
  parts.analyses.once(requestFor(jobs[at]), [self](const Analysis &analysis) {
    self->take(self->jobs[self->at], analysis);
    ++self->at;
    self->next(self);
  });
}

void ActionCheck::take(const Job &job, const Analysis &analysis) {
  Errors errors;
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (isMistake(diagnostic))
      ++errors[keyOf(diagnostic)];
  if (job.text.empty()) {
    before[job.path] = std::move(errors);
    return;
  }
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (isMistake(diagnostic) && problems[job.action].empty() &&
        errors[keyOf(diagnostic)] > before[job.known][keyOf(diagnostic)])
      problems[job.action] = because(Refusal::NewErrors, job.path.substr(job.path.rfind('/') + 1),
                                     diagnostic.range.line, diagnostic.message);
}

} // namespace cufc
