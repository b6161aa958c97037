// Reductions over a grid, written as templates of LLVM IR for one operation and type.
//
// The threads of a block combine their values in shared memory, halving the number in each round,
// the last 32 by shuffles (cufc_part_*). Every block leaves its results in the workspace
// (runtime/core/reduction.cpp has its layout) and says so once for all of them
// (cufc_reduce_arrive); the block that comes last combines those in the same way (cufc_rest_*).
// Which block that is does not change the order of the operations, so the result depends on the
// launch configuration alone.
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

constexpr StringLiteral partPrefix = "cufc_part_", restPrefix = "cufc_rest_",
                        arriveName = "cufc_reduce_arrive", gatherPrefix = "cufc_gather_";

// NAME, TYPE, BYTES, COMBINE, DOWN and GATHER are replaced. The result of the second part is true
// in one thread of the grid, once the value in the workspace is complete.
constexpr StringLiteral function = R"(
@cufc_reduce_buffer_BYTES = linkonce_odr hidden addrspace(3) global [1024 x [BYTES x i8]] undef, align 16

define internal TYPE @NAME_combine(TYPE %a, TYPE %b) alwaysinline {
COMBINE
  ret TYPE %r
}

define internal TYPE @NAME_down(TYPE %value, i32 %mask, i32 %reach) alwaysinline convergent {
DOWN
  ret TYPE %r
}

define internal void @NAME_block(i32 %thread, i32 %threads) convergent {
entry:
  %bits = call i32 @llvm.ctlz.i32(i32 %threads, i1 false)
  %highest = sub i32 31, %bits
  %power = shl i32 1, %highest
  %isPower = icmp eq i32 %power, %threads
  %below = lshr i32 %power, 1
  %first = select i1 %isPower, i32 %below, i32 %power
  %own = getelementptr [BYTES x i8], ptr addrspace(3) @cufc_reduce_buffer_BYTES, i32 %thread
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %isWide = icmp uge i32 %first, 32
  br i1 %isWide, label %round, label %last
round:
  %reach = phi i32 [ %first, %entry ], [ %half, %next ]
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
  %isStillWide = icmp uge i32 %half, 32
  br i1 %isStillWide, label %round, label %last
last:
  %start = phi i32 [ %first, %entry ], [ %half, %next ]
  %isFew = icmp ult i32 %threads, 32
  %lanes = select i1 %isFew, i32 %threads, i32 32
  %isLane = icmp ult i32 %thread, %lanes
  br i1 %isLane, label %combineLanes, label %exit
combineLanes:
  %others = sub i32 32, %lanes
  %mask = lshr i32 -1, %others
  %mine = load TYPE, ptr addrspace(3) %own
  br label %check
check:
  %step = phi i32 [ %start, %combineLanes ], [ %nextStep, %shuffle ]
  %value = phi TYPE [ %mine, %combineLanes ], [ %kept, %shuffle ]
  %done = icmp eq i32 %step, 0
  br i1 %done, label %store, label %shuffle
shuffle:
  %down = call TYPE @NAME_down(TYPE %value, i32 %mask, i32 %step)
  %from = add i32 %thread, %step
  %near = icmp ult i32 %thread, %step
  %inside = icmp ult i32 %from, %threads
  %joins = and i1 %near, %inside
  %joined = call TYPE @NAME_combine(TYPE %value, TYPE %down)
  %kept = select i1 %joins, TYPE %joined, TYPE %value
  %nextStep = lshr i32 %step, 1
  br label %check
store:
  store TYPE %value, ptr addrspace(3) %own
  br label %exit
exit:
  ret void
}

define internal void @cufc_part_NAME_body(TYPE %value, ptr %workspace, i32 %slot) convergent {
entry:
THREADS
PLACES
  store TYPE %value, ptr addrspace(3) %own
  call void @NAME_block(i32 %thread, i32 %threads)
  %first = icmp eq i32 %thread, 0
  br i1 %first, label %publish, label %exit
publish:
  %sum = load TYPE, ptr addrspace(3) %own
  %block64 = zext i32 %block to i64
  %mine = getelementptr [16 x i8], ptr %partials, i64 %block64
  store TYPE %sum, ptr %mine
  br label %exit
exit:
  ret void
}

define internal i1 @cufc_rest_NAME_body(i1 %last, ptr %workspace, i32 %slot) convergent {
entry:
  br i1 %last, label %gather, label %exit
gather:
THREADS
PLACES
  %first = icmp eq i32 %thread, 0
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
  %copyPlace = getelementptr i8, ptr %head, i64 8
  %copy = load ptr, ptr %copyPlace
  %none = icmp eq ptr %copy, null
  br i1 %none, label %exit, label %send
send:
  store TYPE %total, ptr %copy
  br label %exit
exit:
  %complete = phi i1 [ false, %entry ], [ false, %all ], [ true, %finish ], [ true, %send ]
  ret i1 %complete
}

declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
DECLARATIONS
)";

// Says that the block's results are in the workspace, whose first counter counts the blocks: true
// in all threads of the block that comes last.
constexpr StringLiteral arriveFunction = R"(
@cufc_reduce_last = linkonce_odr hidden addrspace(3) global i32 undef, align 4

define internal i1 @cufc_reduce_arrive_body(ptr %counter) convergent {
entry:
THREADS
  %first = icmp eq i32 %thread, 0
  br i1 %first, label %arrive, label %wait
arrive:
  call void @llvm.nvvm.membar.gl()
  %earlier = atomicrmw add ptr %counter, i32 1 monotonic
  %finished = add i32 %earlier, 1
  %isLast = icmp eq i32 %finished, %blocks
  %flag = zext i1 %isLast to i32
  store i32 %flag, ptr addrspace(3) @cufc_reduce_last
  br i1 %isLast, label %reset, label %wait
reset:
  store i32 0, ptr %counter
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %known = load i32, ptr addrspace(3) @cufc_reduce_last
  %last = icmp ne i32 %known, 0
  br i1 %last, label %see, label %exit
see:
  call void @llvm.nvvm.membar.gl()
  br label %exit
exit:
  ret i1 %last
}

DECLARATIONS
)";

// The numbers of the thread in its block and of the block in the grid, and how many there are.
constexpr StringLiteral threadNumbers = R"(
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
BLOCKS)";

constexpr StringLiteral blockNumbers = R"(
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
)";

// Where a slot has its head, its result and the blocks' parts, and the thread its number.
constexpr StringLiteral places = R"(
  %slot64 = zext i32 %slot to i64
  %head = getelementptr [32 x i8], ptr %workspace, i64 %slot64
  %result = getelementptr i8, ptr %head, i64 16
  %area = getelementptr i8, ptr %workspace, i64 1024
  %before = mul i64 %slot64, %blocks64
  %partials = getelementptr [16 x i8], ptr %area, i64 %before
  %own = getelementptr [BYTES x i8], ptr addrspace(3) @cufc_reduce_buffer_BYTES, i32 %thread
)";

constexpr StringLiteral declarations = R"(
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
BLOCKS
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

DECLARATIONS
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

// Statements that shuffle %value of a type as %r.
std::string down(StringRef suffix) {
  unsigned words = elementType(suffix).bytes / 4;
  std::string text = "  %memory = alloca TYPE\n  store TYPE %value, ptr %memory\n";
  raw_string_ostream out(text);
  for (unsigned i = 0; i < words; ++i)
    out << "  %at" << i << " = getelementptr i32, ptr %memory, i32 " << i << "\n  %word" << i
        << " = load i32, ptr %at" << i << "\n  %down" << i
        << " = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %word" << i
        << ", i32 %reach, i32 31)\n  store i32 %down" << i << ", ptr %at" << i << "\n";
  out << "  %r = load TYPE, ptr %memory";
  return text;
}

// What defines a function, and for the parts of a reduction its other part.
std::string definition(StringRef symbol) {
  StringRef name = symbol;
  if (name == arriveName) {
    std::string text = arriveFunction.str();
    replaceAll(text, "THREADS", threadNumbers);
    replaceAll(text, "BLOCKS", blockNumbers);
    replaceAll(text, "DECLARATIONS", declarations);
    return text;
  }
  bool gathers = name.consume_front(gatherPrefix);
  if (!gathers && !name.consume_front(partPrefix))
    name.consume_front(restPrefix);
  auto [operation, suffix] = name.split('_');
  ElementType element = elementType(suffix);
  std::string text = (gathers ? gatherFunction : function).str();
  replaceAll(text, "GATHER", gather());
  replaceAll(text, "DOWN", down(suffix));
  replaceAll(text, "THREADS", threadNumbers);
  replaceAll(text, "BLOCKS", blockNumbers);
  replaceAll(text, "PLACES", places);
  replaceAll(text, "DECLARATIONS", declarations);
  replaceAll(text, "NAME", gathers ? symbol : name);
  replaceAll(text, "COMBINE", combine(operation, suffix));
  replaceAll(text, "TYPE", element.name);
  replaceAll(text, "BYTES", std::to_string(element.bytes));
  return text;
}

void link(Module &module, StringRef symbol) {
  SMDiagnostic error;
  std::unique_ptr<Module> parsed =
      parseAssemblyString(definition(symbol), error, module.getContext());
  if (!parsed)
    report_fatal_error("reduction: " + error.getMessage());
  parsed->setDataLayout(module.getDataLayout());
  parsed->setTargetTriple(module.getTargetTriple());
  for (Function &body : *parsed)
    if (body.getName().ends_with("_body"))
      body.setLinkage(GlobalValue::ExternalLinkage);
  Linker::linkModules(module, std::move(parsed));
}

} // namespace

void defineDeviceReductions(Module &module) {
  SmallVector<Function *> wanted;
  for (Function &declared : module)
    if (StringRef name = declared.getName();
        declared.isDeclaration() && (name.starts_with(partPrefix) || name.starts_with(restPrefix) ||
                                     name == arriveName || name.starts_with(gatherPrefix)))
      wanted.push_back(&declared);
  for (Function *declared : wanted) {
    std::string body = declared->getName().str() + "_body";
    if (!module.getFunction(body))
      link(module, declared->getName());
    declared->replaceAllUsesWith(module.getFunction(body));
    declared->eraseFromParent();
  }
  for (Function &body : module)
    if (StringRef name = body.getName();
        name.starts_with("cufc_") && name.ends_with("_body") && !body.isDeclaration())
      body.setLinkage(GlobalValue::InternalLinkage);
}

} // namespace cufc
