// The one instantiation of flang's walk over its parse tree. See statement_visitor.h.
#include "frontend/statement_visitor.h"
#include "frontend/tree_caller.h"

namespace cufc {

using namespace Fortran;

StatementVisitor::~StatementVisitor() = default;

bool StatementVisitor::enterStatement(const StatementHead &head) {
  source = head.source;
  return true;
}

#define CUFC_TREE_NODE(NODE)                                                                       \
  bool StatementVisitor::Pre(const parser::NODE &node) {                                           \
    pass(&node, __LINE__);                                                                         \
    return true;                                                                                   \
  }                                                                                                \
  void StatementVisitor::Post(const parser::NODE &node) { pass(&node, -__LINE__); }
#include "frontend/tree_nodes.def"
#undef CUFC_TREE_NODE

template <typename Node>
void walkTree(const Node &node, StatementVisitor &visitor) {
  TreeCaller caller(visitor);
  parser::Walk(node, caller);
}

void walkTree(const parser::Block &block, StatementVisitor &visitor) {
  TreeCaller caller(visitor);
  parser::Walk(block, caller);
}

// Where visitors of ours begin.
#define CUFC_TREE_ROOT(NODE) template void walkTree(const parser::NODE &, StatementVisitor &);
CUFC_TREE_ROOT(AccEndCombinedDirective)
CUFC_TREE_ROOT(ActualArg)
CUFC_TREE_ROOT(AllocateStmt)
CUFC_TREE_ROOT(ArithmeticIfStmt)
CUFC_TREE_ROOT(ArraySpec)
CUFC_TREE_ROOT(AssignStmt)
CUFC_TREE_ROOT(AssignedGotoStmt)
CUFC_TREE_ROOT(AttrSpec)
CUFC_TREE_ROOT(BackspaceStmt)
CUFC_TREE_ROOT(Call)
CUFC_TREE_ROOT(CallStmt)
CUFC_TREE_ROOT(CallStmt::Chevrons)
CUFC_TREE_ROOT(ChangeTeamConstruct)
CUFC_TREE_ROOT(CharLength)
CUFC_TREE_ROOT(CloseStmt)
CUFC_TREE_ROOT(CompilerDirective)
CUFC_TREE_ROOT(ComponentDataSource)
CUFC_TREE_ROOT(ComputedGotoStmt)
CUFC_TREE_ROOT(CriticalConstruct)
CUFC_TREE_ROOT(DataRef)
CUFC_TREE_ROOT(DeclarationTypeSpec)
CUFC_TREE_ROOT(DerivedTypeSpec)
CUFC_TREE_ROOT(DoConstruct)
CUFC_TREE_ROOT(EndfileStmt)
CUFC_TREE_ROOT(EventPostStmt)
CUFC_TREE_ROOT(EventWaitStmt)
CUFC_TREE_ROOT(ExecutionPartConstruct)
CUFC_TREE_ROOT(Expr)
CUFC_TREE_ROOT(FlushStmt)
CUFC_TREE_ROOT(ForallConstruct)
CUFC_TREE_ROOT(ForallStmt)
CUFC_TREE_ROOT(FormTeamStmt)
CUFC_TREE_ROOT(Format)
CUFC_TREE_ROOT(IfConstruct)
CUFC_TREE_ROOT(ImageSelector)
CUFC_TREE_ROOT(Initialization)
CUFC_TREE_ROOT(InputItem)
CUFC_TREE_ROOT(InquireStmt)
CUFC_TREE_ROOT(IoControlSpec)
CUFC_TREE_ROOT(IoUnit)
CUFC_TREE_ROOT(LockStmt)
CUFC_TREE_ROOT(LoopControl::Bounds)
CUFC_TREE_ROOT(NotifyWaitStmt)
CUFC_TREE_ROOT(OpenACCConstruct)
CUFC_TREE_ROOT(OpenMPConstruct)
CUFC_TREE_ROOT(OpenMPInvalidDirective)
CUFC_TREE_ROOT(OpenMPMisplacedEndDirective)
CUFC_TREE_ROOT(OpenStmt)
CUFC_TREE_ROOT(PauseStmt)
CUFC_TREE_ROOT(PointerAssignmentStmt::Bounds)
CUFC_TREE_ROOT(PointerObject)
CUFC_TREE_ROOT(PrefixSpec)
CUFC_TREE_ROOT(PrintStmt)
CUFC_TREE_ROOT(Program)
CUFC_TREE_ROOT(ReadStmt)
CUFC_TREE_ROOT(RewindStmt)
CUFC_TREE_ROOT(ScalarExpr)
CUFC_TREE_ROOT(ScalarIntExpr)
CUFC_TREE_ROOT(ScalarIntConstantExpr)
CUFC_TREE_ROOT(ScalarName)
CUFC_TREE_ROOT(DoVariable)
CUFC_TREE_ROOT(SectionSubscript)
CUFC_TREE_ROOT(Selector)
CUFC_TREE_ROOT(SelectRankConstruct)
CUFC_TREE_ROOT(SelectTypeConstruct)
CUFC_TREE_ROOT(SpecificationPart)
CUFC_TREE_ROOT(Statement<parser::AssociateStmt>)
CUFC_TREE_ROOT(SubstringRange)
CUFC_TREE_ROOT(SyncAllStmt)
CUFC_TREE_ROOT(SyncImagesStmt)
CUFC_TREE_ROOT(SyncMemoryStmt)
CUFC_TREE_ROOT(SyncTeamStmt)
CUFC_TREE_ROOT(TypeParamSpec)
CUFC_TREE_ROOT(UnlockStmt)
CUFC_TREE_ROOT(Variable)
CUFC_TREE_ROOT(WaitStmt)
CUFC_TREE_ROOT(WhereConstruct)
CUFC_TREE_ROOT(WhereStmt)
CUFC_TREE_ROOT(WriteStmt)
#undef CUFC_TREE_ROOT

} // namespace cufc
