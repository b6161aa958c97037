// atomiccas gives the old value, not whether it swapped.
// RUN: cufc-opt --cufc-device-repairs %s | FileCheck %s

func.func @swap(%p: !llvm.ptr, %a: i32, %b: i32) -> i32 {
  %0 = llvm.cmpxchg %p, %a, %b acq_rel monotonic : !llvm.ptr, i32
  %1 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i1)>
  %2 = fir.convert %1 : (i1) -> i32
  return %2 : i32
}

// CHECK: %[[BOTH:.*]] = llvm.cmpxchg
// CHECK: %[[OLD:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK: return %[[OLD]]
