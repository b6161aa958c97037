! Module cooperative_groups of CUDA Fortran. flang lowers the functions that make groups, and knows
! the types by their names and components; what it lacks are barriers of groups and the shared memory
! of a cluster's other blocks, whose bodies are compiler/codegen/group_operations.cpp.
module cooperative_groups
  use, intrinsic :: __fortran_builtins, only: c_devptr => __builtin_c_devptr
  use, intrinsic :: cudadevice, only: dim3, syncthreads
  implicit none
  private :: c_devptr

  type :: cluster_group
    type(c_devptr), private :: handle
    integer(4) :: size ! blocks
    integer(4) :: rank ! of this block, from one
  end type

  type :: grid_group
    type(c_devptr), private :: handle
    integer(4) :: size ! threads
    integer(4) :: rank ! of this thread, from one
  end type

  type :: coalesced_group
    type(c_devptr), private :: handle
    integer(4) :: size
    integer(4) :: rank
  end type

  type :: thread_group
    type(c_devptr), private :: handle
    integer(4) :: size
    integer(4) :: rank
  end type

  interface
    attributes(device) function cluster_block_index()
      import
      type(dim3) :: cluster_block_index
    end function
    attributes(device) function cluster_dim_blocks()
      import
      type(dim3) :: cluster_dim_blocks
    end function
    attributes(device) function this_cluster()
      import
      type(cluster_group) :: this_cluster
    end function
    attributes(device) function this_grid()
      import
      type(grid_group) :: this_grid
    end function
    attributes(device) function this_thread_block()
      import
      type(thread_group) :: this_thread_block
    end function
  end interface

  interface this_warp
    attributes(device) function this_warp()
      import
      type(coalesced_group) :: this_warp
    end function
  end interface

  interface syncthreads
    attributes(device) subroutine cufc_group_sync_grid(group) bind(c, name="cufc_group_sync_grid")
      import
      type(grid_group) :: group
    end subroutine
    attributes(device) subroutine cufc_group_sync_block(group) bind(c, name="cufc_group_sync_block")
      import
      type(thread_group) :: group
    end subroutine
    attributes(device) subroutine cufc_group_sync_warp(group) bind(c, name="cufc_group_sync_warp")
      import
      type(coalesced_group) :: group
    end subroutine
    attributes(device) subroutine cufc_group_sync_cluster(group) bind(c, name="cufc_group_sync_cluster")
      import
      type(cluster_group) :: group
    end subroutine
  end interface

  ! The address of a shared variable in the block with this rank, for a Cray pointer.
  interface cluster_map_shared_rank
    attributes(device) integer(8) function cufc_group_map_shared(variable, rank) &
        bind(c, name="cufc_group_map_shared")
      !dir$ ignore_tkr(tkrd) variable
      integer(4), shared :: variable(*)
      integer(4), value :: rank
    end function
  end interface
end module
