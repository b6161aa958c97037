// Reductions over a grid, written as a template of LLVM IR for one operation and type.
//
// The threads of a block combine their values in shared memory, halving the number in each round.
// Every block leaves its result in the workspace (runtime/core/reduction.cpp has its layout); the
// block that finishes last combines those in the same way. Which block that is does not change the
// order of the operations, so the result depends on the launch configuration alone.
#include "codegen/device_reductions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include <string>

namespace cufc {
namespace {

using namespace llvm;

constexpr StringLiteral reducePrefix = "cufc_reduce_", gatherPrefix = "cufc_gather_";

// NAME, TYPE, BYTES, COMBINE and GATHER are replaced. The result is true in one thread of the grid,
// once the value in the workspace is complete.
constexpr StringLiteral function = R"(
@cufc_reduce_buffer_BYTES = linkonce_odr hidden addrspace(3) global [1024 x [BYTES x i8]] undef, align 16
@cufc_reduce_last = linkonce_odr hidden addrspace(3) global i32 undef, align 4

define internal TYPE @NAME_combine(TYPE %a, TYPE %b) alwaysinline {
COMBINE
  ret TYPE %r
}

define internal void @NAME_block(i32 %thread, i32 %threads) convergent {
entry:
  %bits = call i32 @llvm.ctlz.i32(i32 %threads, i1 false)
  %highest = sub i32 31, %bits
  %power = shl i32 1, %highest
  %own = getelementptr [BYTES x i8], ptr addrspace(3) @cufc_reduce_buffer_BYTES, i32 %thread
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %round
round:
  %reach = phi i32 [ %power, %entry ], [ %half, %next ]
  %other = add i32 %thread, %reach
  %left = icmp ult i32 %thread, %reach
  %right = icmp ult i32 %other, %threads
  %combines = and i1 %left, %right
  br i1 %combines, label %combine, label %next
combine:
  %theirs = getelementptr [BYTES x i8], ptr addrspace(3) @cufc_reduce_buffer_BYTES, i32 %other
  %a = load TYPE, ptr addrspace(3) %own
  %b = load TYPE, ptr addrspace(3) %theirs
  %c = call TYPE @NAME_combine(TYPE %a, TYPE %b)
  store TYPE %c, ptr addrspace(3) %own
  br label %next
next:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %reach, 1
  %done = icmp eq i32 %half, 0
  br i1 %done, label %exit, label %round
exit:
  ret void
}

define internal i1 @NAME_body(TYPE %value, ptr %workspace, i32 %slot) convergent {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %t1 = mul i32 %tz, %ny
  %t2 = add i32 %t1, %ty
  %t3 = mul i32 %t2, %nx
  %thread = add i32 %t3, %tx
  %n1 = mul i32 %nx, %ny
  %threads = mul i32 %n1, %nz
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %gz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %b1 = mul i32 %bz, %gy
  %b2 = add i32 %b1, %by
  %b3 = mul i32 %b2, %gx
  %block = add i32 %b3, %bx
  %g1 = mul i32 %gx, %gy
  %blocks = mul i32 %g1, %gz
  %blocks64 = zext i32 %blocks to i64
  %slot64 = zext i32 %slot to i64
  %counter = getelementptr [32 x i8], ptr %workspace, i64 %slot64
  %result = getelementptr i8, ptr %counter, i64 16
  %area = getelementptr i8, ptr %workspace, i64 1024
  %before = mul i64 %slot64, %blocks64
  %partials = getelementptr [16 x i8], ptr %area, i64 %before
  %own = getelementptr [BYTES x i8], ptr addrspace(3) @cufc_reduce_buffer_BYTES, i32 %thread
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store TYPE %value, ptr addrspace(3) %own
  call void @NAME_block(i32 %thread, i32 %threads)
  %first = icmp eq i32 %thread, 0
  br i1 %first, label %publish, label %wait
publish:
  %sum = load TYPE, ptr addrspace(3) %own
  %block64 = zext i32 %block to i64
  %mine = getelementptr [16 x i8], ptr %partials, i64 %block64
  store TYPE %sum, ptr %mine
  call void @llvm.nvvm.membar.gl()
  %earlier = atomicrmw add ptr %counter, i32 1 monotonic
  %finished = add i32 %earlier, 1
  %isLast = icmp eq i32 %finished, %blocks
  %flag = zext i1 %isLast to i32
  store i32 %flag, ptr addrspace(3) @cufc_reduce_last
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = load i32, ptr addrspace(3) @cufc_reduce_last
  %idle = icmp eq i32 %last, 0
  br i1 %idle, label %exit, label %gather
gather:
  call void @llvm.nvvm.membar.gl()
  %fewer = icmp ult i32 %threads, %blocks
  %active = select i1 %fewer, i32 %threads, i32 %blocks
  %takes = icmp ult i32 %thread, %active
  br i1 %takes, label %take, label %all
take:
  %end = sub i32 %blocks, 1
  %thread64 = zext i32 %thread to i64
  %place = getelementptr [16 x i8], ptr %partials, i64 %thread64
  %start0 = load volatile TYPE, ptr %place
  %start = add i32 %thread, %threads
  br label %more
more:
  %i = phi i32 [ %start, %take ], [ %j, %add ]
  %sofar = phi TYPE [ %start0, %take ], [ %summed, %add ]
  %another = icmp ult i32 %i, %blocks
  br i1 %another, label %add, label %keep
add:
GATHER
  br label %more
keep:
  store TYPE %sofar, ptr addrspace(3) %own
  br label %all
all:
  call void @NAME_block(i32 %thread, i32 %active)
  br i1 %first, label %finish, label %exit
finish:
  %total = load TYPE, ptr addrspace(3) %own
  store TYPE %total, ptr %result
  store i32 0, ptr %counter
  %copyPlace = getelementptr i8, ptr %counter, i64 8
  %copy = load ptr, ptr %copyPlace
  %none = icmp eq ptr %copy, null
  br i1 %none, label %exit, label %send
send:
  store TYPE %total, ptr %copy
  br label %exit
exit:
  %complete = phi i1 [ false, %wait ], [ false, %all ], [ true, %finish ], [ true, %send ]
  ret i1 %complete
}

declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
)";

// The same where one thread of each block has a value, which is the block's.
constexpr StringLiteral gatherFunction = R"(
define internal TYPE @NAME_combine(TYPE %a, TYPE %b) alwaysinline {
COMBINE
  ret TYPE %r
}

define internal i1 @NAME_body(TYPE %value, ptr %workspace, i32 %slot) {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %gz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %b1 = mul i32 %bz, %gy
  %b2 = add i32 %b1, %by
  %b3 = mul i32 %b2, %gx
  %block = add i32 %b3, %bx
  %g1 = mul i32 %gx, %gy
  %blocks = mul i32 %g1, %gz
  %blocks64 = zext i32 %blocks to i64
  %slot64 = zext i32 %slot to i64
  %counter = getelementptr [32 x i8], ptr %workspace, i64 %slot64
  %result = getelementptr i8, ptr %counter, i64 16
  %area = getelementptr i8, ptr %workspace, i64 1024
  %before = mul i64 %slot64, %blocks64
  %partials = getelementptr [16 x i8], ptr %area, i64 %before
  %block64 = zext i32 %block to i64
  %mine = getelementptr [16 x i8], ptr %partials, i64 %block64
  store TYPE %value, ptr %mine
  %earlier = atomicrmw add ptr %counter, i32 1 acq_rel
  %finished = add i32 %earlier, 1
  %isLast = icmp eq i32 %finished, %blocks
  br i1 %isLast, label %gather, label %exit
gather:
  %start = load TYPE, ptr %partials
  br label %check
check:
  %i = phi i64 [ 1, %gather ], [ %j, %add ]
  %sofar = phi TYPE [ %start, %gather ], [ %sum, %add ]
  %another = icmp ult i64 %i, %blocks64
  br i1 %another, label %add, label %finish
add:
  %there = getelementptr [16 x i8], ptr %partials, i64 %i
  %part = load TYPE, ptr %there
  %sum = call TYPE @NAME_combine(TYPE %sofar, TYPE %part)
  %j = add i64 %i, 1
  br label %check
finish:
  store TYPE %sofar, ptr %result
  store i32 0, ptr %counter
  br label %exit
exit:
  ret i1 %isLast
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
)";

struct ElementType {
  StringRef name; // in LLVM IR
  unsigned bytes;
};

ElementType elementType(StringRef suffix) {
  return StringSwitch<ElementType>(suffix)
      .Case("i4", {"i32", 4})
      .Case("i8", {"i64", 8})
      .Case("r4", {"float", 4})
      .Case("r8", {"double", 8})
      .Case("c4", {"{ float, float }", 8})
      .Case("c8", {"{ double, double }", 16});
}

// Statements that compute %r of %a and %b.
std::string combineComplex(StringRef operation, StringRef part) {
  std::string text = R"(
  %ar = extractvalue TYPE %a, 0
  %ai = extractvalue TYPE %a, 1
  %br = extractvalue TYPE %b, 0
  %bi = extractvalue TYPE %b, 1)";
  if (operation == "add")
    text += R"(
  %re = fadd PART %ar, %br
  %im = fadd PART %ai, %bi)";
  else
    text += R"(
  %rr = fmul PART %ar, %br
  %ii = fmul PART %ai, %bi
  %ri = fmul PART %ar, %bi
  %ir = fmul PART %ai, %br
  %re = fsub PART %rr, %ii
  %im = fadd PART %ri, %ir)";
  text += R"(
  %half = insertvalue TYPE poison, PART %re, 0
  %r = insertvalue TYPE %half, PART %im, 1)";
  for (size_t at; (at = text.find("PART")) != std::string::npos;)
    text.replace(at, 4, part);
  return text;
}

std::string combine(StringRef operation, StringRef suffix) {
  bool isInteger = suffix.starts_with("i");
  if (suffix.starts_with("c"))
    return combineComplex(operation, suffix == "c4" ? "float" : "double");
  if (operation == "max" || operation == "min") {
    StringRef less = isInteger ? "icmp slt" : "fcmp olt",
              more = isInteger ? "icmp sgt" : "fcmp ogt";
    return ("  %c = " + (operation == "max" ? more : less) +
            " TYPE %a, %b\n  %r = select i1 %c, TYPE %a, TYPE %b")
        .str();
  }
  if (operation == "eqv") // of 0 and 1
    return "  %x = xor TYPE %a, %b\n  %r = xor TYPE %x, 1";
  return ("  %r = " + (isInteger ? operation : "f" + operation) + " TYPE %a, %b").str();
}

// Adds `batch` partial results, those behind the last as if they were not there, to %sofar. Their
// loads are all under way at a time; one by one they took longer than the blocks' own rounds.
std::string gather() {
  constexpr unsigned batch = 4;
  std::string loads, sums;
  raw_string_ostream load(loads), sum(sums);
  for (unsigned i = 0; i < batch; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    std::string at = i == 0 ? "%i" : "%i" + n;
    load << "  %in" << n << " = icmp ult i32 " << at << ", %blocks\n";
    load << "  %at" << n << " = select i1 %in" << n << ", i32 " << at << ", i32 %end\n";
    load << "  %wide" << n << " = zext i32 %at" << n << " to i64\n";
    load << "  %there" << n << " = getelementptr [16 x i8], ptr %partials, i64 %wide" << n << "\n";
    load << "  %part" << n << " = load volatile TYPE, ptr %there" << n << "\n";
    load << "  " << (i + 1 == batch ? "%j" : "%i" + next) << " = add i32 " << at << ", %threads\n";
    std::string before = i == 0 ? "%sofar" : "%kept" + n;
    sum << "  %sum" << n << " = call TYPE @NAME_combine(TYPE " << before << ", TYPE %part" << n
        << ")\n";
    sum << "  " << (i + 1 == batch ? "%summed" : "%kept" + next) << " = select i1 %in" << n
        << ", TYPE %sum" << n << ", TYPE " << before << "\n";
  }
  return loads + sums;
}

void replaceAll(std::string &text, StringRef word, StringRef by) {
  for (size_t at = 0; (at = text.find(word.data(), at, word.size())) != std::string::npos;
       at += by.size())
    text.replace(at, word.size(), by.data(), by.size());
}

std::string definition(StringRef symbol) {
  StringRef name = symbol;
  bool gathers = name.consume_front(gatherPrefix);
  if (!gathers)
    name.consume_front(reducePrefix);
  auto [operation, suffix] = name.split('_');
  ElementType element = elementType(suffix);
  std::string text = (gathers ? gatherFunction : function).str();
  replaceAll(text, "GATHER", gather());
  replaceAll(text, "NAME", symbol);
  replaceAll(text, "COMBINE", combine(operation, suffix));
  replaceAll(text, "TYPE", element.name);
  replaceAll(text, "BYTES", std::to_string(element.bytes));
  return text;
}

} // namespace

void defineDeviceReductions(Module &module) {
  SmallVector<Function *> wanted;
  for (Function &declared : module)
    if (StringRef name = declared.getName();
        declared.isDeclaration() &&
        (name.starts_with(reducePrefix) || name.starts_with(gatherPrefix)))
      wanted.push_back(&declared);
  for (Function *declared : wanted) {
    SMDiagnostic error;
    std::string name = declared->getName().str();
    std::unique_ptr<Module> parsed =
        parseAssemblyString(definition(name), error, module.getContext());
    if (!parsed)
      report_fatal_error("reduction: " + error.getMessage());
    parsed->setDataLayout(module.getDataLayout());
    parsed->setTargetTriple(module.getTargetTriple());
    parsed->getFunction(name + "_body")->setLinkage(GlobalValue::ExternalLinkage);
    Linker::linkModules(module, std::move(parsed));
    Function *body = module.getFunction(name + "_body");
    body->setLinkage(GlobalValue::InternalLinkage);
    declared->replaceAllUsesWith(body);
    declared->eraseFromParent();
  }
}

} // namespace cufc
