! Procedures of MPI that have no buffers, each called once by two ranks, for coverage.py. What stands behind NEEDS is left
! out where the library lacks that procedure.
module callbacks
  use mpi
  implicit none
  integer :: deleted = 0, handled = 0
contains
  subroutine delete_it(handle, key, value, extra, ierror)
    integer :: handle, key, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete_old(handle, key, value, extra, ierror)
    integer :: handle, key, value, extra, ierror
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine handle_it(handle, code)
    integer :: handle, code
    handled = handled + 1
  end subroutine
  subroutine largest(from, to, length, datatype)
    integer :: length, datatype, from(length), to(length)
    to = max(from, to)
  end subroutine
  subroutine query(extra, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 4_MPI_COUNT_KIND, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
  end subroutine
  subroutine free_it(extra, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel_it(extra, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program without_buffers
  use callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, other, ierror, i, j, k, handle, comm, group, key, status(MPI_STATUS_SIZE), list(6), ranges(3, 1), win
  integer(MPI_ADDRESS_KIND) :: a, b
  integer(MPI_COUNT_KIND) :: c, d
  integer(MPI_OFFSET_KIND) :: offset
  logical :: flag, flags(2)
  character(MPI_MAX_LIBRARY_VERSION_STRING) :: text
  character(MPI_MAX_OBJECT_NAME) :: name
  type(c_ptr) :: memory
  call MPI_Initialized(flag, ierror)
  call expect(.not. flag, 'initialized')
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, i, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  other = 1 - rank
  call environment
  call requests
  call datatypes
  call communicators
  call groups
  call topologies
  call attributes
  call errors
  call hints
  call windows
  call files
  call old
  call sessions
  call MPI_Finalize(ierror)
  call MPI_Finalized(flag, ierror)
  call expect(flag, 'finalized')
  if (rank == 0) print '(a)', 'PASS'

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    print '(a, i0, 2a)', 'FAIL on rank ', rank, ': ', what
    flush (6)
    error stop 1
  end subroutine

  subroutine environment
    call MPI_Query_thread(i, ierror)
    call MPI_Is_thread_main(flag, ierror)
    call expect(flag .and. i >= MPI_THREAD_SINGLE, 'threads')
    call MPI_Get_version(i, j, ierror)
    call expect(i >= 3, 'version')
    call MPI_Get_library_version(text, i, ierror)
    call expect(index(text, 'MPI') > 0, 'library')
    call MPI_Get_processor_name(name, i, ierror)
    call expect(i > 0, 'processor')
    call expect(MPI_Wtick() > 0 .and. MPI_Wtime() >= 0, 'time')
    call MPI_Pcontrol(1)
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory, ierror)
    call expect(c_associated(memory), 'memory')
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, a, ierror)
    call expect(a /= 0, 'memory as a number')
  end subroutine

  subroutine requests
    call MPI_Grequest_start(query, free_it, cancel_it, 0_MPI_ADDRESS_KIND, handle, ierror)
    call MPI_Grequest_complete(handle, ierror)
    call MPI_Wait(handle, status, ierror)
    call MPI_Get_elements_x(status, MPI_INTEGER, c, ierror)
    call expect(c == 4, 'elements')
    call MPI_Test_cancelled(status, flag, ierror)
    call expect(.not. flag, 'cancelled')
    call MPI_Iprobe(other, 99, MPI_COMM_WORLD, flag, status, ierror)
    call expect(.not. flag, 'iprobe')
    call MPI_Ibarrier(MPI_COMM_WORLD, handle, ierror)
    call MPI_Wait(handle, status, ierror)
    ! NEEDS MPI_Barrier_init
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, handle, ierror)
    call MPI_Start(handle, ierror)
    call MPI_Wait(handle, status, ierror)
    call MPI_Request_free(handle, ierror)
    ! END
    call own_operation
    call statuses
  end subroutine

  subroutine own_operation
    call MPI_Op_create(largest, .true., handle, ierror)
    call MPI_Op_commutative(handle, flag, ierror)
    call MPI_Allreduce(rank + 5, i, 1, MPI_INTEGER, handle, MPI_COMM_WORLD, ierror)
    call expect(flag .and. i == 6, 'own operation')
    call MPI_Op_free(handle, ierror)
  end subroutine

  subroutine statuses
    use mpi_f08, only: MPI_Status, MPI_Status_f2f08, MPI_Status_f082f
    type(MPI_Status) :: modern
    integer :: back(MPI_STATUS_SIZE)
    status(MPI_TAG) = 17
    call MPI_Status_f2f08(status, modern)
    call expect(modern%MPI_TAG == 17, 'status')
    call MPI_Status_f082f(modern, back)
    call expect(back(MPI_TAG) == 17, 'status back')
  end subroutine

  subroutine datatypes
    call MPI_Type_vector(4, 2, 5, MPI_INTEGER, handle, ierror)
    call MPI_Type_size(handle, i, ierror)
    call MPI_Type_size_x(handle, c, ierror)
    call expect(i == 32 .and. c == 32, 'size')
    call MPI_Type_get_extent(handle, a, b, ierror)
    call MPI_Type_get_extent_x(handle, c, d, ierror)
    call expect(b == 68 .and. d == 68 .and. a == 0, 'extent')
    call MPI_Type_get_true_extent(handle, a, b, ierror)
    call MPI_Type_get_true_extent_x(handle, c, d, ierror)
    call expect(b == 68 .and. d == 68, 'true extent')
    call MPI_Type_get_envelope(handle, i, j, k, key, ierror)
    call expect(i == 3 .and. k == 1 .and. key == MPI_COMBINER_VECTOR, 'envelope')
    call contents
    call MPI_Type_free(handle, ierror)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, handle, ierror)
    call MPI_Type_create_f90_real(12, MPI_UNDEFINED, handle, ierror)
    call MPI_Type_create_f90_complex(12, MPI_UNDEFINED, handle, ierror)
    call MPI_Type_create_f90_integer(9, handle, ierror)
    call MPI_Type_size(handle, i, ierror)
    call expect(i == 4, 'integer of 9 digits')
    a = MPI_Aint_add(100_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND)
    call expect(a == 120 .and. MPI_Aint_diff(a, 100_MPI_ADDRESS_KIND) == 20, 'addresses')
    call MPI_Pack_size(5, MPI_INTEGER, MPI_COMM_WORLD, i, ierror)
    call MPI_Pack_external_size('external32', 5, MPI_INTEGER, a, ierror)
    call expect(i >= 20 .and. a == 20, 'packed size')
    call MPI_Sizeof(a, i, ierror)
    call expect(i == 8, 'sizeof')
  end subroutine

  subroutine contents
    integer(MPI_ADDRESS_KIND) :: addresses(1)
    integer :: types(1)
    call MPI_Type_get_contents(handle, 3, 0, 1, list, addresses, types, ierror)
    call expect(all(list(:3) == [4, 2, 5]) .and. types(1) == MPI_INTEGER, 'contents')
  end subroutine

  subroutine communicators
    integer :: second, inter
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_compare(MPI_COMM_WORLD, comm, i, ierror)
    call expect(i == MPI_CONGRUENT, 'compare')
    call MPI_Comm_set_name(comm, 'all of us', ierror)
    call MPI_Comm_get_name(comm, name, i, ierror)
    call expect(name(:i) == 'all of us', 'name')
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, comm, ierror)
    call MPI_Info_create(handle, ierror)
    call MPI_Comm_set_info(comm, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_Comm_get_info(comm, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_Comm_idup(comm, second, handle, ierror)
    call MPI_Wait(handle, status, ierror)
    call MPI_Comm_free(second, ierror)
    ! NEEDS MPI_Comm_idup_with_info
    call MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, second, handle, ierror)
    call MPI_Wait(handle, status, ierror)
    call MPI_Comm_free(second, ierror)
    ! END
    call MPI_Comm_group(comm, group, ierror)
    call MPI_Comm_create(comm, group, second, ierror)
    call MPI_Comm_free(second, ierror)
    call MPI_Comm_create_group(comm, group, 5, second, ierror)
    call MPI_Comm_free(second, ierror)
    ! NEEDS MPI_Comm_create_from_group
    call MPI_Comm_create_from_group(group, 'cufc', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, second, ierror)
    call MPI_Comm_disconnect(second, ierror)
    ! END
    call MPI_Comm_split(comm, rank, 0, second, ierror)
    call MPI_Comm_test_inter(second, flag, ierror)
    call expect(.not. flag, 'intracommunicator')
    call MPI_Intercomm_create(second, 0, comm, other, 6, inter, ierror)
    call MPI_Comm_remote_size(inter, i, ierror)
    call MPI_Comm_test_inter(inter, flag, ierror)
    call expect(flag .and. i == 1, 'intercommunicator')
    call MPI_Comm_remote_group(inter, handle, ierror)
    call MPI_Group_free(handle, ierror)
    call MPI_Intercomm_merge(inter, rank == 1, handle, ierror)
    call MPI_Comm_rank(handle, i, ierror)
    call expect(i == rank, 'merged')
    call MPI_Comm_free(handle, ierror)
    call MPI_Comm_free(inter, ierror)
    ! NEEDS MPI_Intercomm_create_from_groups
    call MPI_Group_incl(group, 1, [rank], handle, ierror)
    call MPI_Group_incl(group, 1, [other], i, ierror)
    call MPI_Intercomm_create_from_groups(handle, 0, i, 0, 'cufc', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, inter, ierror)
    call MPI_Comm_free(inter, ierror)
    ! END
    call MPI_Comm_free(second, ierror)
    call MPI_Comm_get_parent(i, ierror)
    call expect(i == MPI_COMM_NULL, 'parent')
    call MPI_Comm_disconnect(comm, ierror)
    call MPI_Group_free(group, ierror)
  end subroutine

  subroutine groups
    integer :: mine, yours, both
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
    call MPI_Group_size(group, i, ierror)
    call MPI_Group_rank(group, j, ierror)
    call expect(i == 2 .and. j == rank, 'group')
    call MPI_Group_incl(group, 1, [rank], mine, ierror)
    call MPI_Group_excl(group, 1, [rank], yours, ierror)
    call MPI_Group_union(yours, mine, both, ierror)
    call MPI_Group_compare(group, both, i, ierror)
    call expect(i == merge(MPI_SIMILAR, MPI_IDENT, rank == 0), 'union')
    call MPI_Group_intersection(mine, both, handle, ierror)
    call MPI_Group_compare(mine, handle, i, ierror)
    call expect(i == MPI_IDENT, 'intersection')
    call MPI_Group_difference(both, mine, handle, ierror)
    call MPI_Group_translate_ranks(handle, 1, [0], group, list, ierror)
    call expect(list(1) == other, 'difference')
    ranges(:, 1) = [0, 1, 1]
    call MPI_Group_range_incl(group, 1, ranges, handle, ierror)
    call MPI_Group_range_excl(group, 1, ranges, handle, ierror)
    call MPI_Group_size(handle, i, ierror)
    call expect(i == 0, 'nobody')
    call MPI_Group_free(mine, ierror)
  end subroutine

  subroutine topologies
    list(:2) = 0
    call MPI_Dims_create(2, 2, list, ierror)
    call expect(product(list(:2)) == 2, 'dims')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 1], [.true., .false.], .false., comm, ierror)
    call MPI_Cartdim_get(comm, i, ierror)
    call MPI_Cart_get(comm, 2, list, flags, list(3:), ierror)
    call expect(i == 2 .and. all(list(:4) == [2, 1, rank, 0]) .and. flags(1), 'grid')
    call MPI_Cart_coords(comm, other, 2, list, ierror)
    call MPI_Cart_rank(comm, list, i, ierror)
    call expect(i == other, 'coordinates')
    call MPI_Cart_shift(comm, 1, 1, i, j, ierror)
    call expect(i == MPI_PROC_NULL .and. j == MPI_PROC_NULL, 'shift')
    call MPI_Cart_sub(comm, [.false., .true.], handle, ierror)
    call MPI_Comm_free(handle, ierror)
    call MPI_Cart_map(MPI_COMM_WORLD, 1, [2], [.false.], i, ierror)
    call MPI_Topo_test(comm, i, ierror)
    call expect(i == MPI_CART, 'topology')
    call MPI_Comm_free(comm, ierror)
    call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., comm, ierror)
    call MPI_Graphdims_get(comm, i, j, ierror)
    call MPI_Graph_get(comm, 2, 2, list, list(3:), ierror)
    call expect(i == 2 .and. j == 2 .and. all(list(:4) == [1, 2, 1, 0]), 'graph')
    call MPI_Graph_neighbors_count(comm, rank, i, ierror)
    call MPI_Graph_neighbors(comm, rank, 1, list, ierror)
    call expect(i == 1 .and. list(1) == other, 'neighbours')
    call MPI_Graph_map(MPI_COMM_WORLD, 2, [1, 2], [1, 0], i, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [other], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierror)
    call MPI_Dist_graph_neighbors_count(comm, i, j, flag, ierror)
    call expect(i == 1 .and. j == 1 .and. .not. flag, 'distributed graph')
    call MPI_Dist_graph_neighbors(comm, 1, list, list(2:), 1, list(3:), list(4:), ierror)
    call expect(list(1) == other .and. list(3) == other, 'its neighbours')
    call MPI_Comm_free(comm, ierror)
  end subroutine

  subroutine attributes
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_it, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 42_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_get_attr(MPI_COMM_SELF, key, a, flag, ierror)
    call expect(flag .and. a == 42, 'attribute')
    call MPI_Comm_delete_attr(MPI_COMM_SELF, key, ierror)
    call expect(deleted == 1, 'deleted')
    call MPI_Comm_free_keyval(key, ierror)
    call MPI_Type_contiguous(3, MPI_INTEGER, handle, ierror)
    call MPI_Type_set_name(handle, 'three', ierror)
    call MPI_Type_get_name(handle, name, i, ierror)
    call expect(name(:i) == 'three', 'name of a datatype')
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_it, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_set_attr(handle, key, 43_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_get_attr(handle, key, a, flag, ierror)
    call expect(flag .and. a == 43, 'attribute of a datatype')
    call MPI_Type_delete_attr(handle, key, ierror)
    call MPI_Type_free_keyval(key, ierror)
    call MPI_Type_free(handle, ierror)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_set_name(win, 'window', ierror)
    call MPI_Win_get_name(win, name, i, ierror)
    call expect(name(:i) == 'window', 'name of a window')
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_it, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Win_set_attr(win, key, 44_MPI_ADDRESS_KIND, ierror)
    call MPI_Win_get_attr(win, key, a, flag, ierror)
    call expect(flag .and. a == 44, 'attribute of a window')
    call MPI_Win_delete_attr(win, key, ierror)
    call MPI_Win_free_keyval(key, ierror)
    call MPI_Win_free(win, ierror)
    call expect(deleted == 3, 'all deleted')
  end subroutine

  subroutine errors
    integer :: class, code
    call MPI_Error_class(MPI_ERR_TAG, i, ierror)
    call MPI_Error_string(MPI_ERR_TAG, text, j, ierror)
    call expect(i == MPI_ERR_TAG .and. j > 0, 'class')
    call MPI_Add_error_class(class, ierror)
    call MPI_Add_error_code(class, code, ierror)
    call MPI_Add_error_string(code, 'our own', ierror)
    call MPI_Error_string(code, text, i, ierror)
    call expect(text(:i) == 'our own', 'own error')
    call MPI_Comm_create_errhandler(handle_it, handle, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handle, ierror)
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, code, ierror)
    call expect(handled == 1, 'handled')
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, i, ierror)
    call expect(i == handle, 'handler')
    call MPI_Errhandler_free(handle, ierror)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_create_errhandler(handle_it, handle, ierror)
    call MPI_Win_set_errhandler(win, handle, ierror)
    call MPI_Win_call_errhandler(win, code, ierror)
    call MPI_Win_get_errhandler(win, i, ierror)
    call MPI_Win_free(win, ierror)
    call expect(handled == 2, 'handled for a window')
    call MPI_File_create_errhandler(handle_it, handle, ierror)
    call MPI_File_open(MPI_COMM_SELF, 'errors.' // achar(48 + rank), MPI_MODE_CREATE + MPI_MODE_RDWR + &
                       MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, i, ierror)
    call MPI_File_set_errhandler(i, handle, ierror)
    call MPI_File_call_errhandler(i, code, ierror)
    call MPI_File_get_errhandler(i, j, ierror)
    call MPI_File_close(i, ierror)
    call expect(handled == 3, 'handled for a file')
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine

  subroutine hints
    call MPI_Info_create(handle, ierror)
    call MPI_Info_set(handle, 'colour', 'red', ierror)
    call MPI_Info_dup(handle, key, ierror)
    call MPI_Info_get_nkeys(key, i, ierror)
    call MPI_Info_get_nthkey(key, 0, name, ierror)
    call expect(i == 1 .and. name == 'colour', 'hints')
    call MPI_Info_get_valuelen(key, 'colour', i, flag, ierror)
    call MPI_Info_get(key, 'colour', 3, name, flag, ierror)
    call expect(flag .and. i == 3 .and. name == 'red', 'a hint')
    call MPI_Info_delete(key, 'colour', ierror)
    call MPI_Info_get(key, 'colour', 3, name, flag, ierror)
    call expect(.not. flag, 'no hint')
    call MPI_Info_free(key, ierror)
    ! NEEDS MPI_Info_get_string
    i = 20
    call MPI_Info_get_string(handle, 'colour', i, name, flag, ierror)
    call expect(flag .and. name == 'red', 'a string')
    call MPI_Info_create_env(key, ierror)
    call MPI_Info_free(key, ierror)
    ! END
    call MPI_Info_free(handle, ierror)
  end subroutine

  subroutine windows
    integer, pointer :: numbers(:)
    call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierror)
    call c_f_pointer(memory, numbers, [10])
    numbers = 0
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock_all(0, win, ierror)
    j = rank + 7
    call MPI_Put(j, 1, MPI_INTEGER, other, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_flush_local(other, win, ierror)
    call MPI_Win_flush_local_all(win, ierror)
    call MPI_Win_unlock_all(win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win, ierror)
    call expect(numbers(4) == other + 7, 'window')
    call MPI_Win_unlock(rank, win, ierror)
    call MPI_Win_get_group(win, group, ierror)
    call MPI_Info_create(handle, ierror)
    call MPI_Win_set_info(win, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_Win_get_info(win, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call tested_epoch
    call MPI_Group_free(group, ierror)
    call MPI_Win_free(win, ierror)
    call MPI_Win_allocate_shared(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierror)
    call MPI_Win_shared_query(win, other, a, i, memory, ierror)
    call expect(c_associated(memory) .and. a == 40, 'shared')
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine tested_epoch
    integer :: partner
    call MPI_Group_incl(group, 1, [other], partner, ierror)
    call MPI_Win_post(partner, 0, win, ierror)
    call MPI_Win_start(partner, 0, win, ierror)
    call MPI_Win_complete(win, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Win_test(win, flag, ierror)
    end do
    call MPI_Group_free(partner, ierror)
  end subroutine

  subroutine files
    integer :: file, etype, filetype
    call MPI_File_open(MPI_COMM_WORLD, 'without_buffers.data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
    call MPI_File_set_size(file, 100_MPI_OFFSET_KIND, ierror)
    call MPI_File_preallocate(file, 200_MPI_OFFSET_KIND, ierror)
    call MPI_File_get_size(file, offset, ierror)
    call expect(offset == 200, 'size of a file')
    call MPI_File_get_group(file, group, ierror)
    call MPI_File_get_amode(file, i, ierror)
    call expect(i == MPI_MODE_CREATE + MPI_MODE_RDWR, 'mode')
    call MPI_File_get_info(file, handle, ierror)
    call MPI_File_set_info(file, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_File_set_view(file, 8_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
    call MPI_File_get_view(file, offset, etype, filetype, name, ierror)
    call expect(offset == 8 .and. name == 'native', 'view')
    call MPI_File_seek(file, 3_MPI_OFFSET_KIND, MPI_SEEK_SET, ierror)
    call MPI_File_get_position(file, offset, ierror)
    call expect(offset == 3, 'position')
    call MPI_File_get_byte_offset(file, offset, offset, ierror)
    call expect(offset == 20, 'byte')
    call MPI_File_seek_shared(file, 2_MPI_OFFSET_KIND, MPI_SEEK_SET, ierror)
    call MPI_File_get_position_shared(file, offset, ierror)
    call expect(offset == 2, 'shared position')
    call MPI_File_get_type_extent(file, MPI_INTEGER, a, ierror)
    call expect(a == 4, 'extent in a file')
    call MPI_File_set_atomicity(file, .false., ierror)
    call MPI_File_get_atomicity(file, flag, ierror)
    call expect(.not. flag, 'atomicity')
    call MPI_File_sync(file, ierror)
    call MPI_File_close(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 0) call MPI_File_delete('without_buffers.data', MPI_INFO_NULL, ierror)
    call expect(ierror == MPI_SUCCESS, 'delete')
  end subroutine

  ! What was taken out of the standard, where the library still has it.
  subroutine old
    integer :: lower, upper
    call MPI_Keyval_create(MPI_NULL_COPY_FN, delete_old, key, 0, ierror)
    call MPI_Attr_put(MPI_COMM_SELF, key, 45, ierror)
    call MPI_Attr_get(MPI_COMM_SELF, key, i, flag, ierror)
    call expect(flag .and. i == 45, 'old attribute')
    call MPI_Attr_delete(MPI_COMM_SELF, key, ierror)
    call MPI_Keyval_free(key, ierror)
    call MPI_Errhandler_create(handle_it, handle, ierror)
    call MPI_Errhandler_set(MPI_COMM_SELF, handle, ierror)
    call MPI_Errhandler_get(MPI_COMM_SELF, i, ierror)
    call MPI_Type_hvector(3, 1, 12, MPI_INTEGER, handle, ierror)
    call MPI_Type_extent(handle, i, ierror)
    call MPI_Type_lb(handle, lower, ierror)
    call MPI_Type_ub(handle, upper, ierror)
    call expect(i == 28 .and. lower == 0 .and. upper == 28, 'old extent')
    call MPI_Type_free(handle, ierror)
    call MPI_Type_hindexed(2, [1, 2], [0, 16], MPI_INTEGER, handle, ierror)
    call MPI_Type_free(handle, ierror)
    call MPI_Type_struct(2, [1, 1], [0, 8], [MPI_INTEGER, MPI_DOUBLE_PRECISION], handle, ierror)
    call MPI_Type_extent(handle, i, ierror)
    call expect(i == 16, 'old structure')
    call MPI_Type_free(handle, ierror)
  end subroutine

  subroutine sessions
    ! NEEDS MPI_Session_init
    integer :: session
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, i, ierror)
    call expect(i >= 2, 'process sets')
    j = 0
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1, j, name, ierror)
    j = len(name)
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1, j, name, ierror)
    call expect(index(name, 'mpi://') == 1, 'name of a process set')
    call MPI_Session_get_info(session, handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_Session_get_pset_info(session, 'mpi://WORLD', handle, ierror)
    call MPI_Info_free(handle, ierror)
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierror)
    call MPI_Group_size(group, i, ierror)
    call expect(i == 2, 'group of a session')
    call MPI_Group_free(group, ierror)
    call MPI_Session_create_errhandler(handle_it, handle, ierror)
    call MPI_Session_set_errhandler(session, handle, ierror)
    call MPI_Session_get_errhandler(session, i, ierror)
    call MPI_Session_call_errhandler(session, MPI_ERR_OTHER, ierror)
    call MPI_Session_finalize(session, ierror)
    ! END
  end subroutine
end program
