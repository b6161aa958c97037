// A local variable begins with zero, a dummy argument does not.
// RUN: cufc-opt --cufc-local-values %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<i32> {fir.bindc_name = "x"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %1 = fir.alloca i32 {bindc_name = "i", uniq_name = "_QFsEi"}
  %2:2 = hlfir.declare %1 {uniq_name = "_QFsEi"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
  %3:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {uniq_name = "_QFsEx"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
  %4 = fir.load %2#0 : !fir.ref<i32>
  hlfir.assign %4 to %3#0 : i32, !fir.ref<i32>
  return
}

// CHECK: %[[I:.*]]:2 = hlfir.declare %{{.*}} {uniq_name = "_QFsEi"}
// CHECK: hlfir.assign %{{.*}} to %[[I]]#0
// CHECK-NOT: hlfir.assign %c0_i32 to
