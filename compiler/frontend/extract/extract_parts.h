// The parts of extractAnalysis, one file each. Private to frontend/.
#ifndef CUFC_FRONTEND_EXTRACT_PARTS_H
#define CUFC_FRONTEND_EXTRACT_PARTS_H

#include "frontend/extract/symbol_table.h"
#include "frontend/program.h"

namespace cufc {

struct Extraction {
  FlangProgram &program;
  const SourcePlaces &places;
  SymbolTable &symbols;
  Analysis &analysis;
};

// Every use of a name, with what it does there; unsorted.
void extractOccurrences(Extraction &extraction);

// Labels of statements and their uses.
void extractLabels(Extraction &extraction);

// Program units, constructs and statements: definitions of symbols, statements, folds, USE.
void extractStructure(Extraction &extraction);

// Kernels, launches and CUF kernel directives. After the occurrences are there and sorted.
void extractLaunches(Extraction &extraction);

// Interfaces of the modules and the modules used.
void extractModules(Extraction &extraction, const Program &program);

} // namespace cufc
#endif // CUFC_FRONTEND_EXTRACT_PARTS_H
