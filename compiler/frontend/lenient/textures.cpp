// See textures.h. flang knows the attribute, and refuses it.
#include "frontend/lenient/textures.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class Textures : public ShallowVisitor {
public:
  Textures(const FlangProgram &program, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics) {}

  void Post(const parser::TypeDeclarationStmt &visited) override {
    auto &declaration = changeable(visited);
    bool isTexture = false;
    for (parser::AttrSpec &attribute : std::get<std::list<parser::AttrSpec>>(declaration.t))
      if (auto *memory = std::get_if<common::CUDADataAttr>(&attribute.u))
        isTexture |= change(*memory);
    if (isTexture)
      for (const parser::EntityDecl &entity :
           std::get<std::list<parser::EntityDecl>>(declaration.t))
        report(std::get<parser::ObjectName>(entity.t));
  }
  void Post(const parser::CUDAAttributesStmt &statement) override {
    if (change(std::get<common::CUDADataAttr>(changeable(statement).t)))
      for (const parser::Name &name : std::get<std::list<parser::Name>>(statement.t))
        report(name);
  }

private:
  static bool change(common::CUDADataAttr &memory) {
    if (memory != common::CUDADataAttr::Texture)
      return false;
    memory = common::CUDADataAttr::Device;
    return true;
  }
  void report(const parser::Name &name) {
    diagnostics.report(LanguageDiag::TextureAsDevice, rangeOf(program, name.source),
                       name.source.ToString());
  }

  const FlangProgram &program;
  Diagnostics &diagnostics;
};

} // namespace

void readTexturesAsDeviceData(FlangProgram &program, Diagnostics &diagnostics) {
  Textures textures(program, diagnostics);
  walkTree(*program.parsing->parseTree(), textures);
}

} // namespace cufc
