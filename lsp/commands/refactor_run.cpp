// Changes that do not touch each other are made together, in rounds, and analysed. If that shows an
// error that was not there, each change of the round is tried by itself, and refused if it is the
// one. Places of the texts as they were follow the changes.
#include "commands/refactor_run.h"
#include "base/diag.h"
#include "base/source_text.h"
#include "source/language_options.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

SourceReading readingOf(const FrontendOptions &front) {
  return {front.fixedForm,  languageIn(front.macros).fixedColumns,
          front.cuda,       front.backslashEscapes,
          front.preprocess, front.macros,
          front.includes,   ""};
}

// Messages name lines, which move.
std::string withoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

bool touches(const TextRange &a, const TextRange &b) {
  return a.begin <= b.end && b.begin <= a.end;
}

// Places of one file that are within what another change reaches.
bool isWithin(const TextRange &place, const std::string &file, const Refactored &other) {
  auto edits = other.edits.find(file);
  if (edits == other.edits.end())
    return false;
  TextPosition begin = edits->second.front().range.begin, end = begin;
  for (const TextChange &edit : edits->second) {
    begin = std::min(begin, edit.range.begin);
    end = std::max(end, edit.range.end);
  }
  return begin <= place.begin && place.begin <= end;
}

bool conflicts(const Refactored &one, const Refactored &other) {
  for (const auto &[path, edits] : one.edits)
    if (auto same = other.edits.find(path); same != other.edits.end())
      for (const TextChange &a : edits)
        for (const TextChange &b : same->second)
          if (touches(a.range, b.range))
            return true;
  return false;
}

// The nearest folder above a file with a project in it, otherwise its own.
std::string projectFolder(const std::string &file) {
  std::error_code error;
  for (std::string folder = directoryOf(file); folder.size() > 1; folder = directoryOf(folder))
    for (const char *mark : {"/cufls.json", "/compile_commands.json", "/.git"})
      if (std::filesystem::exists(folder + mark, error))
        return folder;
  return directoryOf(file);
}

// Refactorings that change what other files see.
bool reachesOtherFiles(const Refactoring &row) {
  return row.make == makeChangeSignature || row.make == makeMoveToModule ||
         row.make == makeCommonToModule || row.make == makeAddOnly ||
         row.make == makeGenerateProcedure || row.make == makeGenerateInterface;
}

} // namespace

void RefactorRun::add(const std::string &path, Diagnostics &diagnostics) {
  size_t before = check.files().size();
  check.add(path, diagnostics);
  std::error_code error;
  std::string absolute = absolutePath(path);
  bool folder = std::filesystem::is_directory(absolute, error);
  for (const std::string &file : check.files())
    if (folder ? file.starts_with(absolute + "/") : file == absolute)
      wanted.insert(file);
  if (!folder && reachesOtherFiles(refactoring) && check.files().size() > before) {
    Diagnostics ignored;
    check.add(projectFolder(absolute), ignored);
  }
}

void RefactorRun::note(const Pending &place, const std::string &title, const std::string &refusal) {
  places.push_back({place.file, place.original.begin, title, refusal});
}

void RefactorRun::analyse(Diagnostics &diagnostics) {
  check.keepAnalyses = true;
  Diagnostics ofProject;
  check.setTexts(texts, {});
  found = check.check(ofProject);
  for (const Diagnostic &diagnostic : ofProject.list())
    if (diagnostic.code == Diag::NoWorker.code)
      diagnostics.add(diagnostic);
}

RefactorRun::Errors RefactorRun::errors() const {
  Errors result;
  for (const Diagnostic &diagnostic : found)
    if (diagnostic.severity == Severity::Error)
      ++result[diagnostic.range.file][withoutNumbers(diagnostic.code + diagnostic.message)];
  return result;
}

std::string RefactorRun::newError(const Errors &before) const {
  Errors now = errors();
  for (const Diagnostic &diagnostic : found) {
    if (diagnostic.severity != Severity::Error)
      continue;
    std::string what = withoutNumbers(diagnostic.code + diagnostic.message);
    auto file = before.find(diagnostic.range.file);
    int old = 0;
    if (file != before.end())
      if (auto count = file->second.find(what); count != file->second.end())
        old = count->second;
    if (now[diagnostic.range.file][what] > old)
      return because(Refusal::NewErrors, shownPath(diagnostic.range.file), diagnostic.range.line,
                     diagnostic.message);
  }
  return {};
}

std::vector<RefactorRun::Ready> RefactorRun::round() {
  std::vector<Ready> ready;
  std::vector<Pending> later;
  for (const Pending &place : pending) {
    const SourceFile *file = workspace->find(place.file);
    if (!file)
      continue;
    static const std::vector<Diagnostic> none;
    ActionContext context{*workspace, *file, place.range, none};
    Refactored change = refactor(refactoring, context, wish);
    if (!change.possible()) {
      note(place, change.title, change.refusal);
      continue;
    }
    bool conflict = std::any_of(ready.begin(), ready.end(), [&](const Ready &other) {
      return conflicts(other.change, change) ||
             (refactoring.make == makeJoinLoops && isWithin(place.range, place.file, other.change));
    });
    if (conflict)
      later.push_back(place);
    else
      ready.push_back({place, std::move(change)});
  }
  pending = std::move(later);
  return ready;
}

// Analyses the texts with some changes; keeps them if they bring no new error.
bool RefactorRun::apply(const std::vector<Ready> &list, Diagnostics &diagnostics) {
  std::map<std::string, std::string> before = texts;
  std::vector<Diagnostic> foundBefore = found;
  Errors known = errors();
  std::map<std::string, std::vector<TextChange>> all;
  std::map<std::string, std::string> names;
  for (const Ready &each : list) {
    for (const auto &[path, edits] : each.change.edits)
      all[path].insert(all[path].end(), edits.begin(), edits.end());
    names.insert(each.change.renamed.begin(), each.change.renamed.end());
  }
  for (const auto &[path, edits] : all)
    if (const SourceFile *file = workspace->find(path))
      texts[names.contains(path) ? names[path] : path] = changedText(file->document, edits);
  for (const auto &[from, to] : names)
    if (auto old = known.find(from); old != known.end())
      known[to] = old->second;
  check.setTexts(texts, names);
  Diagnostics ofProject;
  found = check.check(ofProject);
  lastError = newError(known);
  if (lastError.empty()) {
    renamed.insert(names.begin(), names.end());
    return true;
  }
  texts = before;
  found = foundBefore;
  if (!names.empty()) {
    std::map<std::string, std::string> back;
    for (const auto &[from, to] : names)
      back[to] = from;
    check.setTexts(texts, back);
  }
  analyse(diagnostics);
  return false;
}

// Places that wait follow the changes.
void RefactorRun::accept(const std::vector<Ready> &list) {
  std::map<std::string, std::vector<TextChange>> all;
  for (const Ready &each : list) {
    note(each.place, each.change.title, "");
    for (const auto &[path, edits] : each.change.edits)
      all[path].insert(all[path].end(), edits.begin(), edits.end());
  }
  for (const auto &[path, edits] : all) {
    std::multimap<TextPosition, const TextChange *> inOrder;
    for (const TextChange &edit : edits)
      inOrder.emplace(edit.range.begin, &edit);
    EditMap map;
    for (auto edit = inOrder.rbegin(); edit != inOrder.rend(); ++edit)
      map.add(*edit->second); // from the end, so that places before stay true
    for (Pending &place : pending)
      if (place.file == path) {
        std::optional<TextRange> now = map.now(place.range);
        if (now)
          place.range = *now;
        else
          place.file.clear();
      }
  }
  std::erase_if(pending, [](const Pending &place) { return place.file.empty(); });
}

bool RefactorRun::run(const std::optional<TextRange> &at, Diagnostics &diagnostics) {
  analyse(diagnostics);
  bool first = true;
  while (first || !pending.empty()) {
    workspace = std::make_unique<Workspace>();
    for (const CheckRun::Kept &kept : check.kept()) {
      SourceFile &file = workspace->file(kept.path);
      file.reading = readingOf(kept.request.front);
      std::string text;
      if (auto changed = texts.find(kept.path); changed != texts.end())
        text = changed->second;
      else
        readFile(kept.path, text);
      file.document.replace(text);
      file.open = true;
      workspace->setAnalysis(kept.path, std::make_shared<Analysis>(kept.analysis));
    }
    for (const std::string &path : first ? wanted : std::set<std::string>()) {
      const SourceFile *file = workspace->find(path);
      static const std::vector<Diagnostic> none;
      if (!file || !file->analysis)
        continue;
      std::vector<TextRange> ranges =
          at ? std::vector<TextRange>{*at}
             : placesFor(refactoring, {*workspace, *file, {{1, 1}, {1, 1}}, none});
      for (const TextRange &range : ranges)
        pending.push_back({path, range, range});
    }
    first = false;
    std::vector<Ready> ready = round();
    if (ready.empty())
      break;
    if (apply(ready, diagnostics)) {
      accept(ready);
      continue;
    }
    // The largest first part that brings no error; the rest again, in the new text.
    for (std::vector<Ready> part = ready; !part.empty(); part.resize(part.size() / 2)) {
      bool tried = part.size() == ready.size();
      if (!tried && apply(part, diagnostics)) {
        for (size_t i = part.size(); i < ready.size(); ++i)
          pending.push_back(ready[i].place);
        accept(part);
        break;
      }
      if (part.size() == 1) {
        note(part[0].place, part[0].change.title, lastError);
        for (size_t i = 1; i < ready.size(); ++i)
          pending.push_back(ready[i].place);
        break;
      }
    }
  }
  return !diagnostics.hasErrors();
}

} // namespace cufc
