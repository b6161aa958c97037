// Other machines on which programs run: those that cufls.json names, and those that a command line
// means.
#ifndef CUFC_PROJECT_MACHINES_H
#define CUFC_PROJECT_MACHINES_H

#include "base/diagnostics.h"
#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct JsonValue;

struct Machine {
  enum class Kind { Ssh, Slurm };
  Kind kind = Kind::Ssh;
  std::string name;                 // as --on has it
  std::string where;                // the host, or the partition; empty: slurm's usual one
  std::vector<std::string> options; // of ssh or srun
  std::vector<std::string> inputs;  // files that programs there need; absolute
  std::string root;                 // the folder that inputs are named from
};

// The value of the key "machines", in a project file in the folder `root`:
//   {"big": {"ssh": "me@gpu01", "options": ["-p", "2222"], "inputs": ["data/in.txt"]},
//    "queue": {"slurm": "gpu"}}
std::vector<Machine> readMachines(const JsonValue &value, const std::string &root,
                                  Diagnostics &diagnostics);

// The machine that `--on` means: one of the project file, if that is not empty, or a host, "slurm",
// "slurm:PARTITION". What cannot be one is reported.
std::optional<Machine> machineNamed(const std::string &on, const std::string &projectFile,
                                    Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_MACHINES_H
