// MIN and MAX of real(4) are an instruction of a GPU; a MERGE, which loads its own operands, and numbers of 64 bits are not.
// RUN: cufc-opt --cufc-real-extremes %s | FileCheck %s

// CHECK-LABEL: func.func @extremes
// CHECK: %[[LEAST:.*]] = arith.minnumf %arg0, %arg1 : f32
// CHECK: arith.maxnumf %[[LEAST]], %arg1 : f32
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK-NOT: numf
func.func @extremes(%a: f32, %b: f32, %c: f64, %d: f64) -> (f32, f64) {
  %0 = arith.cmpf olt, %a, %b : f32
  %1 = arith.select %0, %a, %b : f32
  %2 = arith.cmpf ogt, %1, %b : f32
  %3 = arith.select %2, %1, %b : f32
  %4 = arith.cmpf olt, %c, %d : f64
  %5 = arith.select %4, %c, %d : f64
  return %3, %5 : f32, f64
}

// CHECK-LABEL: func.func @merged
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK-NOT: numf
func.func @merged(%a: !fir.ref<f32>, %b: f32) -> f32 {
  %0 = fir.load %a : !fir.ref<f32>
  %1 = arith.cmpf olt, %0, %b : f32
  %2 = fir.load %a : !fir.ref<f32>
  %3 = arith.select %1, %2, %b : f32
  return %3 : f32
}
