// How a procedure or variable of another compiler's module is reached from code that flang
// generates: plain data, of which codegen/foreign_calls.cpp makes adapters.
#ifndef CUFC_FOREIGN_CALLS_H
#define CUFC_FOREIGN_CALLS_H

#include "foreign/layout.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cufc::foreign {

enum class Passing {
  Same,       // as flang passes it
  Optional,   // VALUE and OPTIONAL: flang passes an address, gfortran a value and a flag behind
  Structure,  // a derived type by VALUE: flang passes the address of a copy
  Descriptor, // by descriptor: arrays, and scalars that are pointers, allocatable or polymorphic
  CDescriptor // of a BIND(C) procedure: the descriptor of the Fortran standard for C, by gcc's
              // header
};

// A dummy argument, or a result that is passed like one.
struct Passed {
  std::string name;
  Passing passing = Passing::Same;
  std::string type;       // INTEGER, REAL, ...
  int kind = 0;           // of numbers that are passed by value
  int rank = 0;           // of a descriptor; -1: assumed
  bool character = false; // its length is a hidden argument
  bool deferredLength = false;
  bool byValue = false;
  bool optional = false, allocatable = false, pointer = false, contiguous = false;
  bool intentIn = false, intentOut = false;
  bool polymorphic = false;
  // Of a polymorphic one: the type descriptors of flang and the tables of gfortran that it may
  // have.
  std::vector<std::pair<std::string, std::string>> types;
  bool unlimited = false;      // CLASS(*)
  long long bytes = 0;         // of a structure, and of one element
  std::vector<Part> registers; // of a structure; empty: in memory
};

enum class ResultForm {
  Same,       // none, or as flang returns it
  String,     // flang returns the address and the length that it was given
  Structure,  // gfortran returns a derived type as C does, flang writes it to a hidden argument
  Array,      // flang passes the address of the result, gfortran a descriptor
  Descriptor, // allocatable or pointer
};

struct Call {
  std::string display;  // "module::procedure"
  std::string target;   // its symbol in the library
  bool adapted = false; // otherwise the symbol's name is all that differs
  std::vector<Passed> dummies;
  ResultForm form = ResultForm::Same;
  Passed result;
  std::vector<long long> extents; // of an array result, where they are constants
  std::string refused;            // why it cannot be called; empty if it can
};

// A variable that is allocatable or a pointer, which both compilers keep in descriptors of their
// own.
struct DescribedVariable {
  std::string target; // its symbol in the library
  Passed facts;
};

// By the names that flang gives to symbols, "_QMmodulePprocedure" and "_QMmoduleEvariable".
struct Calls {
  std::map<std::string, Call> procedures;
  std::map<std::string, std::string> variables;
  std::map<std::string, DescribedVariable> described;
};

// Names of a module's entities that no source may mention, with the reason; components as
// "type%component". Types whose values cannot be assigned, with the component that owns memory.
struct Restrictions {
  std::map<std::string, std::string> names;
  std::map<std::string, std::string> assignments;
};

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_CALLS_H
