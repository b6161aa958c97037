// Coarrays, their statements and their intrinsics: a program here has one image, and flang's
// run-time library for several is not part of it.
#include "base/diag.h"
#include "checks/check.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;

bool isCoarray(const semantics::Symbol *symbol) {
  const auto *object =
      symbol ? symbol->GetUltimate().detailsIf<semantics::ObjectEntityDetails>() : nullptr;
  return object && object->IsCoarray();
}

class Images : public StatementVisitor {
public:
  explicit Images(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::SyncAllStmt &) override { return refuse("SYNC ALL"); }
  bool Pre(const parser::SyncImagesStmt &) override { return refuse("SYNC IMAGES"); }
  bool Pre(const parser::SyncMemoryStmt &) override { return refuse("SYNC MEMORY"); }
  bool Pre(const parser::SyncTeamStmt &) override { return refuse("SYNC TEAM"); }
  bool Pre(const parser::FormTeamStmt &) override { return refuse("FORM TEAM"); }
  bool Pre(const parser::ChangeTeamStmt &) override { return refuse("CHANGE TEAM"); }
  bool Pre(const parser::EntityDecl &entity) override {
    const auto &name = std::get<parser::ObjectName>(entity.t);
    if (isCoarray(name.symbol))
      context.report(Diag::ImagesUnsupported, name.source, "coarray '" + name.ToString() + "'");
    return true;
  }
  bool Pre(const parser::Name &name) override {
    static constexpr const char *intrinsics[] = {
        "this_image",     "num_images",  "image_index", "image_status", "failed_images",
        "stopped_images", "team_number", "get_team",    "co_broadcast", "co_max",
        "co_min",         "co_reduce",   "co_sum"};
    std::string text = name.source.ToString();
    if (name.symbol && name.symbol->attrs().test(semantics::Attr::INTRINSIC) &&
        std::find(std::begin(intrinsics), std::end(intrinsics), text) != std::end(intrinsics))
      context.report(Diag::ImagesUnsupported, name.source, text);
    return false;
  }

private:
  bool refuse(const char *statement) {
    context.report(Diag::ImagesUnsupported, source, std::string(statement));
    return false;
  }
  CheckContext &context;
};

} // namespace

void checkImages(CheckContext &context) { context.visit<Images>(context); }

} // namespace cufc
