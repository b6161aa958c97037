// See concurrent_masks.h. Names have no symbols yet, so places are compared as they are written:
// u%x and u%y are different ones, and a(i, j) that both read and change is of one iteration alone
// if all indices are subscripts of it.
#include "frontend/workarounds/concurrent_masks.h"
#include "flang/Parser/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace cufc {
namespace {

using namespace Fortran;

// A variable or a part of one.
struct Place {
  std::string text; // without blanks
  std::string path; // also without subscripts: "u%x"

  bool overlaps(const Place &other) const {
    const std::string &shorter = path.size() < other.path.size() ? path : other.path;
    const std::string &longer = path.size() < other.path.size() ? other.path : path;
    return longer.compare(0, shorter.size(), shorter) == 0 &&
           (longer.size() == shorter.size() || longer[shorter.size()] == '%');
  }
};

Place placeOf(parser::CharBlock source) {
  Place place;
  int depth = 0;
  for (char c : source.ToString()) {
    if (c == ' ')
      continue;
    place.text += c;
    depth += c == '(';
    if (depth == 0)
      place.path += c;
    depth -= c == ')';
  }
  return place;
}

// The subscripts of a place: "i" and "j+1" of a(i, j+1).
std::set<std::string> subscriptsOf(const std::string &text) {
  std::set<std::string> found;
  std::string part;
  int depth = 0;
  for (char c : text) {
    bool ends = (c == ',' && depth == 1) || (c == ')' && depth == 1);
    depth -= c == ')';
    if (ends)
      found.insert(std::exchange(part, {}));
    else if (depth > 0)
      part += c;
    depth += c == '(';
  }
  return found;
}

// What an expression reads. A function counts as a variable, whose name nothing changes.
class Reads : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
    if (std::holds_alternative<common::Indirection<parser::Designator>>(expression.u) ||
        std::holds_alternative<common::Indirection<parser::FunctionReference>>(expression.u))
      places.push_back(placeOf(expression.source));
    return true;
  }
  std::vector<Place> places;
};

// What statements may change: variables, and what is passed to a subroutine.
class Changes : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::Variable &variable) override {
    places.push_back(placeOf(variable.GetSource()));
    return true;
  }
  bool Pre(const parser::CallStmt &call) override {
    passed.places.push_back(placeOf(parser::GetFirstName(callIn(call)).source));
    walkTree(callIn(call), passed);
    return true;
  }
  bool Pre(const parser::LoopControl::Bounds &bounds) override {
    places.push_back(placeOf(variableIn(bounds).thing.source));
    return true;
  }
  std::vector<Place> places;
  Reads passed;
};

} // namespace

bool canMaskEachIteration(const parser::Expr &mask, const parser::Block &body,
                          const std::vector<parser::Name> &indices) {
  Reads reads;
  walkTree(mask, reads);
  Changes changes;
  walkTree(body, changes);
  auto isOfOneIteration = [&](const std::string &text) {
    std::set<std::string> subscripts = subscriptsOf(text);
    return std::all_of(indices.begin(), indices.end(), [&](const parser::Name &index) {
      return subscripts.count(index.source.ToString());
    });
  };
  auto isSafe = [&](const Place &read, const Place &change) {
    return !read.overlaps(change) || (read.text == change.text && isOfOneIteration(read.text));
  };
  // What is passed may be changed if it is an array: no two iterations may change one scalar.
  return std::all_of(reads.places.begin(), reads.places.end(), [&](const Place &read) {
    const auto &changed = changes.places, &passed = changes.passed.places;
    auto harmless = [&](const Place &place) { return isSafe(read, place); };
    return std::all_of(changed.begin(), changed.end(), harmless) &&
           (read.path == read.text || std::all_of(passed.begin(), passed.end(), harmless));
  });
}

} // namespace cufc
