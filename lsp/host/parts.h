// What several parts of a host work with: its files, projects and analyses, and whom they tell.
#ifndef CUFLS_HOST_PARTS_H
#define CUFLS_HOST_PARTS_H

namespace cufc {

class Analyses;
class HostObserver;
class Projects;
class Workspace;

struct HostParts {
  Workspace &workspace;
  Projects &projects;
  Analyses &analyses;
  HostObserver &observer;
};

} // namespace cufc
#endif // CUFLS_HOST_PARTS_H
