// Chunks of a dynamic schedule come from one queue.
// RUN: cufc-opt --cufc-openmp-schedules %s | FileCheck %s

omp.private {type = private} @_QFsEi_private_i32 : i32
func.func @_QPs(%arg0: !fir.ref<!fir.array<?xf32>> {fir.bindc_name = "a"}, %arg1: !fir.ref<i32> {fir.bindc_name = "n"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %1:2 = hlfir.declare %arg1 dummy_scope %0 arg 2 {uniq_name = "_QFsEn"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
  %2 = fir.alloca i32 {bindc_name = "i", uniq_name = "_QFsEi"}
  %3:2 = hlfir.declare %2 {uniq_name = "_QFsEi"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
  %4 = fir.load %1#0 : !fir.ref<i32>
  %5 = fir.convert %4 : (i32) -> i64
  %6 = fir.convert %5 : (i64) -> index
  %c0 = arith.constant 0 : index
  %7 = arith.cmpi sgt, %6, %c0 : index
  %8 = arith.select %7, %6, %c0 : index
  %9 = fir.shape %8 : (index) -> !fir.shape<1>
  %10:2 = hlfir.declare %arg0(%9) dummy_scope %0 arg 1 {uniq_name = "_QFsEa"} : (!fir.ref<!fir.array<?xf32>>, !fir.shape<1>, !fir.dscope) -> (!fir.box<!fir.array<?xf32>>, !fir.ref<!fir.array<?xf32>>)
  omp.parallel {
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %11 = fir.load %1#0 : !fir.ref<i32>
    %c1_i32_0 = arith.constant 1 : i32
    omp.wsloop schedule(dynamic = %c4_i32 : i32) private(@_QFsEi_private_i32 %3#0 -> %arg2 : !fir.ref<i32>) {
      omp.loop_nest (%arg3) : i32 = (%c1_i32) to (%11) inclusive step (%c1_i32_0) {
        %12:2 = hlfir.declare %arg2 {uniq_name = "_QFsEi"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
        hlfir.assign %arg3 to %12#0 : i32, !fir.ref<i32>
        %13 = fir.load %12#0 : !fir.ref<i32>
        %14 = fir.convert %13 : (i32) -> f32
        %15 = fir.load %12#0 : !fir.ref<i32>
        %16 = fir.convert %15 : (i32) -> i64
        %17 = hlfir.designate %10#0 (%16)  : (!fir.box<!fir.array<?xf32>>, i64) -> !fir.ref<f32>
        hlfir.assign %14 to %17 : f32, !fir.ref<f32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK: omp.wsloop schedule(dynamic = %{{.*}} : i32, monotonic)
