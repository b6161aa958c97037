// A pipe for each process, which gets a byte as soon as others may read the modules, or is closed
// when the process fails before. Messages are shown in the order in which sources were started.
#include "driver/compilations.h"
#include "base/pipe_bytes.h"
#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace cufc {
namespace {

// One more than there are cores: the last part of a compilation is ptxas, which may be waited for.
size_t mostAtOnce() { return std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)) + 1; }

} // namespace

void announceModules(const CompileJob &job) { tell(job.modulesKnown); }

Compilations::Compilations(const CompileContext &context) : context(context), most(mostAtOnce()) {}

Compilations::~Compilations() {
  for (Running &one : running) {
    one.process.stop();
    if (one.modules >= 0)
      close(one.modules);
  }
}

bool Compilations::areChecked() {
  for (size_t i = 0; i < running.size();) {
    Running &one = running[i];
    one.isChecked = one.isChecked || (one.modules >= 0 && hear(one.modules));
    if (one.isChecked) {
      ++i;
      continue;
    }
    for (size_t left = i + 1; left > 0; --left) // it has failed, or makes no code
      finishFirst();
    i = 0;
  }
  return failedLevel == none;
}

void Compilations::start(CompileJob job, size_t level) {
  while (running.size() >= most)
    finishFirst();
  if (failedLevel < level)
    return;
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0)
    ends[0] = ends[1] = -1;
  job.modulesKnown = ends[1];
  Child process(job.source, context.options.diagnosticFormat,
                [&] { return compileSource(job, context); });
  if (ends[1] >= 0)
    close(ends[1]);
  const bool makesNone = job.form.kind != FileKind::Fortran;
  running.push_back({level, ends[0], makesNone, std::move(process)});
}

bool Compilations::finish() {
  while (!running.empty())
    finishFirst();
  return failedLevel == none;
}

void Compilations::finishFirst() {
  Running first = std::move(running.front());
  running.pop_front();
  if (first.level > failedLevel)
    first.process.stop();
  else if (first.process.finish() != 0)
    failedLevel = first.level;
  if (first.modules >= 0)
    close(first.modules); // not before: it may write yet
}

} // namespace cufc
