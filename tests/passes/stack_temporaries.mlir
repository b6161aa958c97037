// A small temporary that is freed in the function is on the stack; one that leaves it stays.
// RUN: cufc-opt --cufc-stack-temporaries %s | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, "dlti.endianness" = "little">, fir.defaultkind = "a1c4d8i4l4r4", fir.kindmap = "", llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", llvm.target_triple = "x86_64-pc-linux-gnu"} {
func.func @small() -> f32 {
  %0 = fir.allocmem !fir.array<3xf32> {bindc_name = ".tmp", uniq_name = ""}
  %c1 = arith.constant 1 : index
  %1 = fir.convert %0 : (!fir.heap<!fir.array<3xf32>>) -> !fir.ref<!fir.array<3xf32>>
  %2 = fir.coordinate_of %1, %c1 : (!fir.ref<!fir.array<3xf32>>, index) -> !fir.ref<f32>
  %3 = fir.load %2 : !fir.ref<f32>
  fir.freemem %0 : !fir.heap<!fir.array<3xf32>>
  return %3 : f32
}
func.func @returned() -> !fir.heap<!fir.array<3xf32>> {
  %0 = fir.allocmem !fir.array<3xf32> {bindc_name = ".tmp", uniq_name = ""}
  return %0 : !fir.heap<!fir.array<3xf32>>
}
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: fir.allocmem
// CHECK: fir.alloca !fir.array<3xf32>
// CHECK-NOT: fir.freemem
// CHECK-LABEL: func.func @returned
// CHECK: fir.allocmem
