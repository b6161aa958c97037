// Reductions over a grid, written as LLVM IR for a list of operations and types.
//
// The threads of a warp combine their values by shuffles and the first warp those of all warps.
// Every block leaves its results in the workspace (runtime/core/reduction.cpp has its layout); the
// block that comes last combines those in the same way. Which block that is does not change the
// order of the operations, so the result depends on the launch configuration alone.
#include "codegen/device_reductions.h"
#include "codegen/reduction_workspaces.h"
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

// Of one operation and type: NAME, TYPE, COMBINE and DOWN are replaced. The first `count` lanes of
// a warp have values, all of which are the first one's then.
constexpr StringLiteral warpFunction = R"(
define internal TYPE @NAME_combine(TYPE %a, TYPE %b) alwaysinline {
COMBINE
  ret TYPE %r
}

define internal TYPE @NAME_down(TYPE %value, i32 %mask, i32 %reach) alwaysinline convergent {
DOWN
  ret TYPE %r
}

define internal TYPE @NAME_joined(TYPE %value, i32 %mask, i32 %lane, i32 %count, i32 %reach) alwaysinline convergent {
  %down = call TYPE @NAME_down(TYPE %value, i32 %mask, i32 %reach)
  %from = add i32 %lane, %reach
  %inside = icmp ult i32 %from, %count
  %both = call TYPE @NAME_combine(TYPE %value, TYPE %down)
  %r = select i1 %inside, TYPE %both, TYPE %value
  ret TYPE %r
}

define internal TYPE @NAME_warp(TYPE %v, i32 %mask, i32 %lane, i32 %count) alwaysinline convergent {
  %v16 = call TYPE @NAME_joined(TYPE %v, i32 %mask, i32 %lane, i32 %count, i32 16)
  %v8 = call TYPE @NAME_joined(TYPE %v16, i32 %mask, i32 %lane, i32 %count, i32 8)
  %v4 = call TYPE @NAME_joined(TYPE %v8, i32 %mask, i32 %lane, i32 %count, i32 4)
  %v2 = call TYPE @NAME_joined(TYPE %v4, i32 %mask, i32 %lane, i32 %count, i32 2)
  %v1 = call TYPE @NAME_joined(TYPE %v2, i32 %mask, i32 %lane, i32 %count, i32 1)
  ret TYPE %v1
}
)";

// For a list of operations: lines with a K stand for one line for each, in which TYPE and NAME are
// replaced as well. The result is true in one thread of the grid, once the values in the workspace
// are complete.
constexpr StringLiteral reduceFunction = R"(
@cufc_reduce_warps_COUNT = linkonce_odr hidden addrspace(3) global [COUNT x [32 x [16 x i8]]] undef, align 16
@cufc_reduce_last = linkonce_odr hidden addrspace(3) global i32 undef, align 4

define internal i1 @SYMBOL_body(PARAMETERS, ptr %workspace) convergent {
entry:
THREADS
  %lane = and i32 %thread, 31
  %warp = lshr i32 %thread, 5
  %warpStart = shl i32 %warp, 5
  %left = sub i32 %threads, %warpStart
  %lanes = call i32 @llvm.umin.i32(i32 %left, i32 32)
  %missing = sub i32 32, %lanes
  %mask = lshr i32 -1, %missing
  %full = add i32 %threads, 31
  %warps = lshr i32 %full, 5
  %isLeader = icmp eq i32 %lane, 0
  %isFirstWarp = icmp eq i32 %warp, 0
  %isFirst = icmp eq i32 %thread, 0
  %seats = sub i32 %warps, 1
  %seat = call i32 @llvm.umin.i32(i32 %lane, i32 %seats)
  %area = getelementptr i8, ptr %workspace, i64 1024
  %headK = getelementptr [32 x i8], ptr %workspace, i64 K
  %resultK = getelementptr i8, ptr %headK, i64 16
  %beforeK = mul i64 %blocks64, K
  %partialsK = getelementptr [16 x i8], ptr %area, i64 %beforeK
  %placeK = getelementptr [COUNT x [32 x [16 x i8]]], ptr addrspace(3) @cufc_reduce_warps_COUNT, i32 0, i32 K, i32 %warp
  %seatPlaceK = getelementptr [COUNT x [32 x [16 x i8]]], ptr addrspace(3) @cufc_reduce_warps_COUNT, i32 0, i32 K, i32 %seat
  %joinedK = call TYPE @NAME_warp(TYPE %valueK, i32 %mask, i32 %lane, i32 %lanes)
  br i1 %isLeader, label %keep, label %kept
keep:
  store TYPE %joinedK, ptr addrspace(3) %placeK
  br label %kept
kept:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %isFirstWarp, label %ofWarps, label %arrived
ofWarps:
  %partK = load TYPE, ptr addrspace(3) %seatPlaceK
  %sumK = call TYPE @NAME_warp(TYPE %partK, i32 %mask, i32 %lane, i32 %warps)
  br i1 %isFirst, label %publish, label %arrived
publish:
  %block64 = zext i32 %block to i64
  %mineK = getelementptr [16 x i8], ptr %partialsK, i64 %block64
  store TYPE %sumK, ptr %mineK
  call void @llvm.nvvm.membar.gl()
  %earlier = atomicrmw add ptr %workspace, i32 1 monotonic
  %finished = add i32 %earlier, 1
  %isLast = icmp eq i32 %finished, %blocks
  %flag = zext i1 %isLast to i32
  store i32 %flag, ptr addrspace(3) @cufc_reduce_last
  br label %arrived
arrived:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %known = load i32, ptr addrspace(3) @cufc_reduce_last
  %last = icmp ne i32 %known, 0
  br i1 %last, label %gather, label %exit
gather:
  call void @llvm.nvvm.membar.gl()
  %active = call i32 @llvm.umin.i32(i32 %threads, i32 %blocks)
  %end = sub i32 %blocks, 1
  %own = call i32 @llvm.umin.i32(i32 %thread, i32 %end)
  %own64 = zext i32 %own to i64
  %ownPlaceK = getelementptr [16 x i8], ptr %partialsK, i64 %own64
  %startK = load volatile TYPE, ptr %ownPlaceK
  %next = add i32 %thread, %threads
  br label %more
more:
  %i = phi i32 [ %next, %gather ], [ %j, %add ]
  %sofarK = phi TYPE [ %startK, %gather ], [ %summedK, %add ]
  %another = icmp ult i32 %i, %blocks
  br i1 %another, label %add, label %all
add:
BATCH
  br label %more
all:
  %leftActive = sub i32 %active, %warpStart
  %notNegative = call i32 @llvm.smax.i32(i32 %leftActive, i32 0)
  %activeLanes = call i32 @llvm.umin.i32(i32 %notNegative, i32 32)
  %activeFull = add i32 %active, 31
  %activeWarps = lshr i32 %activeFull, 5
  %togetherK = call TYPE @NAME_warp(TYPE %sofarK, i32 %mask, i32 %lane, i32 %activeLanes)
  br i1 %isLeader, label %keepAll, label %keptAll
keepAll:
  store TYPE %togetherK, ptr addrspace(3) %placeK
  br label %keptAll
keptAll:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %isFirstWarp, label %total, label %exit
total:
  %ofWarpK = load TYPE, ptr addrspace(3) %seatPlaceK
  %totalK = call TYPE @NAME_warp(TYPE %ofWarpK, i32 %mask, i32 %lane, i32 %activeWarps)
  br i1 %isFirst, label %finish, label %exit
finish:
  store TYPE %totalK, ptr %resultK
  %copyPlaceK = getelementptr i8, ptr %headK, i64 8
  %copyK = load ptr, ptr %copyPlaceK
  store i32 0, ptr %workspace
  %copies = icmp ne ptr %copy0, null
  br i1 %copies, label %send, label %exit
send:
  store TYPE %totalK, ptr %copyK
  br label %exit
exit:
  %complete = phi i1 [ false, %arrived ], [ false, %keptAll ], [ false, %total ], [ true, %finish ], [ true, %send ]
  ret i1 %complete
}

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
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
NUMBERS)";

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
NUMBERS
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

// Adds `batch` partial results, those behind the last as if they were not there, to each %sofarK.
// Their loads are all under way at a time; one by one they took longer than the blocks' own rounds.
std::string gather(unsigned batch) {
  std::string loads, sums;
  raw_string_ostream load(loads), sum(sums);
  for (unsigned i = 0; i < batch; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    std::string at = i == 0 ? "%i" : "%i" + n;
    load << "  %in" << n << " = icmp ult i32 " << at << ", %blocks\n";
    load << "  %at" << n << " = select i1 %in" << n << ", i32 " << at << ", i32 %end\n";
    load << "  %wide" << n << " = zext i32 %at" << n << " to i64\n";
    load << "  %there" << n << "_K = getelementptr [16 x i8], ptr %partialsK, i64 %wide" << n
         << "\n";
    load << "  %part" << n << "_K = load volatile TYPE, ptr %there" << n << "_K\n";
    load << "  " << (i + 1 == batch ? "%j" : "%i" + next) << " = add i32 " << at << ", %threads\n";
    std::string before = i == 0 ? "%sofarK" : "%kept" + n + "_K";
    sum << "  %sum" << n << "_K = call TYPE @NAME_combine(TYPE " << before << ", TYPE %part" << n
        << "_K)\n";
    sum << "  " << (i + 1 == batch ? "%summedK" : "%kept" + next + "_K") << " = select i1 %in" << n
        << ", TYPE %sum" << n << "_K, TYPE " << before << "\n";
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

// One operation and type of a list.
struct Part {
  std::string name; // as in add_r8
  StringRef type;   // in LLVM IR
};

std::string partFunction(StringRef text, const Part &part) {
  auto [operation, suffix] = StringRef(part.name).split('_');
  std::string result = text.str();
  replaceAll(result, "COMBINE", combine(operation, suffix));
  replaceAll(result, "DOWN", down(suffix));
  replaceAll(result, "NAME", part.name);
  replaceAll(result, "TYPE", part.type);
  return result;
}

// Each line with a K once for each part.
std::string repeated(StringRef text, ArrayRef<Part> parts) {
  std::string result;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.contains('K')) {
      result += line.str() + "\n";
      continue;
    }
    for (auto [number, part] : enumerate(parts)) {
      std::string own = line.str();
      replaceAll(own, "TYPE", part.type);
      replaceAll(own, "NAME", part.name);
      replaceAll(own, "K", std::to_string(number));
      result += own + "\n";
    }
  }
  return result;
}

std::string reduction(StringRef symbol, StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, '.');
  SmallVector<Part> parts;
  std::string text, parameters;
  for (StringRef name : names) {
    Part part{name.str(), elementType(name.split('_').second).name};
    if (none_of(parts, [&](const Part &other) { return other.name == part.name; }))
      text += partFunction(warpFunction, part);
    parameters +=
        (parts.empty() ? "" : ", ") + part.type.str() + " %value" + std::to_string(parts.size());
    parts.push_back(std::move(part));
  }
  std::string body = reduceFunction.str();
  constexpr unsigned loads = 4, least = 2; // more take registers that the kernel's loops could use
  replaceAll(body, "BATCH", gather(std::max<unsigned>(loads / names.size(), least)));
  body = repeated(body, parts);
  replaceAll(body, "THREADS", threadNumbers);
  replaceAll(body, "NUMBERS", blockNumbers);
  replaceAll(body, "DECLARATIONS", declarations);
  replaceAll(body, "PARAMETERS", parameters);
  replaceAll(body, "COUNT", std::to_string(parts.size()));
  replaceAll(body, "SYMBOL", ("\"" + symbol).str());
  replaceAll(body, "_body(", "_body\"(");
  return text + body;
}

std::string gathering(StringRef symbol, StringRef name) {
  Part part{name.str(), elementType(name.split('_').second).name};
  std::string text = gatherFunction.str();
  replaceAll(text, "NUMBERS", blockNumbers);
  replaceAll(text, "DECLARATIONS", declarations);
  replaceAll(text, "NAME", symbol);
  auto [operation, suffix] = name.split('_');
  replaceAll(text, "COMBINE", combine(operation, suffix));
  replaceAll(text, "TYPE", part.type);
  return text;
}

std::string definition(StringRef symbol) {
  StringRef name = symbol;
  if (name.consume_front(gatherPrefix))
    return gathering(symbol, name);
  name.consume_front(reducePrefix);
  return reduction(symbol, name);
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
    if (declared.isDeclaration() && isReduction(declared))
      wanted.push_back(&declared);
  for (Function *declared : wanted) {
    std::string body = declared->getName().str() + "_body";
    if (!module.getFunction(body))
      link(module, declared->getName());
    markReductionWorkspaces(*declared);
    declared->replaceAllUsesWith(module.getFunction(body));
    declared->eraseFromParent();
  }
  for (Function &body : module)
    if (StringRef name = body.getName();
        name.starts_with("cufc_") && name.ends_with("_body") && !body.isDeclaration())
      body.setLinkage(GlobalValue::InternalLinkage);
}

} // namespace cufc
