// Automatic shared arrays follow each other; one of assumed size begins at the start.
// RUN: cufc-opt --cufc-place-shared-arrays %s | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, "dlti.endianness" = "little">, fir.defaultkind = "a1c4d8i4l4r4", fir.kindmap = "", llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", llvm.target_triple = "x86_64-pc-linux-gnu"} {
func.func @_QMmPk(%arg0: i32 {fir.bindc_name = "n"}) attributes {cuf.proc_attr = #cuf.cuda_proc<global>} {
  %0 = fir.dummy_scope : !fir.dscope
  %1 = fir.alloca i32
  fir.store %arg0 to %1 : !fir.ref<i32>
  %2:2 = hlfir.declare %1 dummy_scope %0 arg 1 {fortran_attrs = #fir.var_attrs<value>, uniq_name = "_QMmFkEn"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
  %7 = fir.assumed_size_extent : index
  %8 = cuf.shared_memory !fir.array<?xf32>, %7 : index {bindc_name = "c", uniq_name = "_QMmFkEc"} -> !fir.ref<!fir.array<?xf32>>
  %9 = fir.shape %7 : (index) -> !fir.shape<1>
  %10:2 = hlfir.declare %8(%9) {data_attr = #cuf.cuda<shared>, uniq_name = "_QMmFkEc"} : (!fir.ref<!fir.array<?xf32>>, !fir.shape<1>) -> (!fir.box<!fir.array<?xf32>>, !fir.ref<!fir.array<?xf32>>)
  %17 = fir.load %2#0 : !fir.ref<i32>
  %18 = fir.convert %17 : (i32) -> i64
  %19 = fir.convert %18 : (i64) -> index
  %c0 = arith.constant 0 : index
  %20 = arith.cmpi sgt, %19, %c0 : index
  %21 = arith.select %20, %19, %c0 : index
  %22 = cuf.shared_memory !fir.array<?xf32>, %21 : index {bindc_name = "a", uniq_name = "_QMmFkEa"} -> !fir.ref<!fir.array<?xf32>>
  %23 = fir.shape %21 : (index) -> !fir.shape<1>
  %24:2 = hlfir.declare %22(%23) {data_attr = #cuf.cuda<shared>, uniq_name = "_QMmFkEa"} : (!fir.ref<!fir.array<?xf32>>, !fir.shape<1>) -> (!fir.box<!fir.array<?xf32>>, !fir.ref<!fir.array<?xf32>>)
  %25 = fir.load %2#0 : !fir.ref<i32>
  %26 = fir.convert %25 : (i32) -> i64
  %27 = fir.convert %26 : (i64) -> index
  %c0_0 = arith.constant 0 : index
  %28 = arith.cmpi sgt, %27, %c0_0 : index
  %29 = arith.select %28, %27, %c0_0 : index
  %30 = cuf.shared_memory !fir.array<?xf32>, %29 : index {bindc_name = "b", uniq_name = "_QMmFkEb"} -> !fir.ref<!fir.array<?xf32>>
  %31 = fir.shape %29 : (index) -> !fir.shape<1>
  %32:2 = hlfir.declare %30(%31) {data_attr = #cuf.cuda<shared>, uniq_name = "_QMmFkEb"} : (!fir.ref<!fir.array<?xf32>>, !fir.shape<1>) -> (!fir.box<!fir.array<?xf32>>, !fir.ref<!fir.array<?xf32>>)
  %cst = arith.constant 1.000000e+00 : f32
  %c1 = arith.constant 1 : index
  %33 = hlfir.designate %24#0 (%c1)  : (!fir.box<!fir.array<?xf32>>, index) -> !fir.ref<f32>
  hlfir.assign %cst to %33 : f32, !fir.ref<f32>
  %c1_1 = arith.constant 1 : index
  %34 = hlfir.designate %10#0 (%c1_1)  : (!fir.box<!fir.array<?xf32>>, index) -> !fir.ref<f32>
  %35 = fir.load %34 : !fir.ref<f32>
  %c1_2 = arith.constant 1 : index
  %36 = hlfir.designate %32#0 (%c1_2)  : (!fir.box<!fir.array<?xf32>>, index) -> !fir.ref<f32>
  hlfir.assign %35 to %36 : f32, !fir.ref<f32>
  return
}
}

// CHECK: cuf.shared_memory !fir.array<?xf32>, %{{.*}} {bindc_name = "c"
// CHECK: cuf.shared_memory !fir.array<?xf32>, %{{.*}} {bindc_name = "a"
// CHECK: %[[END:.*]] = arith.andi
// CHECK: cuf.shared_memory[%[[END]] : i32] !fir.array<?xf32>, %{{.*}} {bindc_name = "b"
