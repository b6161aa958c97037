! Module openacc for programs that are built with -acc=host: the library as it is where the only device
! is the host, which shares its memory. Names and constants are those of the OpenACC specification, 2.7.
module openacc
  use iso_c_binding, only: c_size_t, c_int
  implicit none
  private :: c_size_t, c_int, check_host

  integer, parameter :: openacc_version = 201711
  integer, parameter :: acc_device_kind = 4, acc_handle_kind = 4, acc_device_property = 4
  integer(acc_device_kind), parameter :: acc_device_none = 0, acc_device_default = 1, acc_device_host = 2, &
                                         acc_device_not_host = 3, acc_device_nvidia = 4, acc_device_current = -1
  integer(acc_handle_kind), parameter :: acc_async_noval = -1, acc_async_sync = -2, acc_async_default = -3
  integer(acc_device_property), parameter :: acc_property_memory = 1, acc_property_free_memory = 2, &
                                             acc_property_shared_memory_support = 3, acc_property_name = 4, &
                                             acc_property_vendor = 5, acc_property_driver = 6

  ! Data is where it is used, so none of these moves any. With a second argument the first is the
  ! beginning of so many bytes.
  interface acc_copyin
    procedure :: keep, keep_bytes
  end interface acc_copyin
  interface acc_present_or_copyin
    procedure :: keep, keep_bytes
  end interface acc_present_or_copyin
  interface acc_pcopyin
    procedure :: keep, keep_bytes
  end interface acc_pcopyin
  interface acc_create
    procedure :: keep, keep_bytes
  end interface acc_create
  interface acc_present_or_create
    procedure :: keep, keep_bytes
  end interface acc_present_or_create
  interface acc_pcreate
    procedure :: keep, keep_bytes
  end interface acc_pcreate
  interface acc_copyout
    procedure :: keep, keep_bytes
  end interface acc_copyout
  interface acc_copyout_finalize
    procedure :: keep, keep_bytes
  end interface acc_copyout_finalize
  interface acc_delete
    procedure :: keep, keep_bytes
  end interface acc_delete
  interface acc_delete_finalize
    procedure :: keep, keep_bytes
  end interface acc_delete_finalize
  interface acc_update_device
    procedure :: keep, keep_bytes
  end interface acc_update_device
  interface acc_update_self
    procedure :: keep, keep_bytes
  end interface acc_update_self
  interface acc_update_host
    procedure :: keep, keep_bytes
  end interface acc_update_host
  interface acc_copyin_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_copyin_async
  interface acc_create_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_create_async
  interface acc_copyout_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_copyout_async
  interface acc_delete_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_delete_async
  interface acc_update_device_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_update_device_async
  interface acc_update_self_async
    procedure :: keep_bytes, keep_bytes_async
  end interface acc_update_self_async
  interface acc_is_present
    procedure :: is_present, are_bytes_present
  end interface acc_is_present
  private :: keep, keep_bytes, keep_bytes_async, is_present, are_bytes_present

  ! Streams of CUDA that stand for queues. The loops of directives are done when their statement is, so
  ! that a queue without one is the default stream. Nothing asks CUDA before the program asks for a stream.
  integer, parameter :: stream_kind = 8
  type :: queue_stream
    integer(acc_handle_kind) :: queue
    integer(stream_kind) :: stream
  end type queue_stream
  type(queue_stream), allocatable :: streams(:)
  logical :: has_streams = .false.
  interface
    integer(c_int) function synchronize(stream) bind(c, name='cufrt_f_cudaStreamSynchronize')
      import
      integer(stream_kind), intent(in), dimension(..), optional :: stream
    end function synchronize
    integer(c_int) function query(stream) bind(c, name='cufrt_f_cudaStreamQuery')
      import
      integer(stream_kind), intent(in), dimension(..), optional :: stream
    end function query
  end interface
  private :: stream_kind, queue_stream, streams, has_streams, synchronize, query, stream_of, wait_for

contains

  integer(stream_kind) function acc_get_cuda_stream(queue)
    integer(acc_handle_kind), intent(in) :: queue
    has_streams = .true.
    acc_get_cuda_stream = stream_of(queue)
  end function acc_get_cuda_stream

  subroutine acc_set_cuda_stream(queue, stream)
    integer(acc_handle_kind), intent(in) :: queue
    integer(stream_kind), intent(in) :: stream
    has_streams = .true.
    if (.not. allocated(streams)) allocate (streams(0))
    streams = [pack(streams, streams%queue /= queue), queue_stream(queue, stream)]
  end subroutine acc_set_cuda_stream

  integer(stream_kind) function stream_of(queue)
    integer(acc_handle_kind), intent(in) :: queue
    integer :: i
    stream_of = 0
    if (.not. allocated(streams)) return
    do i = 1, size(streams)
      if (streams(i)%queue == queue) stream_of = streams(i)%stream
    end do
  end function stream_of

  subroutine wait_for(stream)
    integer(stream_kind), intent(in) :: stream
    if (synchronize(stream) /= 0) error stop 'acc_wait: the work of a stream has failed'
  end subroutine wait_for

  integer function acc_get_num_devices(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    acc_get_num_devices = merge(1, 0, device_type == acc_device_host .or. device_type == acc_device_default)
  end function acc_get_num_devices

  subroutine acc_set_device_type(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    call check_host('acc_set_device_type', device_type)
  end subroutine acc_set_device_type

  integer(acc_device_kind) function acc_get_device_type()
    acc_get_device_type = acc_device_host
  end function acc_get_device_type

  subroutine acc_set_device_num(number, device_type)
    integer, intent(in) :: number
    integer(acc_device_kind), intent(in) :: device_type
    call check_host('acc_set_device_num', device_type)
    if (number /= 0) error stop 'acc_set_device_num: there is device 0 alone, the host'
  end subroutine acc_set_device_num

  integer function acc_get_device_num(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    acc_get_device_num = merge(0, -1, acc_get_num_devices(device_type) > 0)
  end function acc_get_device_num

  subroutine acc_init(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    call check_host('acc_init', device_type)
  end subroutine acc_init

  subroutine acc_shutdown(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    call check_host('acc_shutdown', device_type)
  end subroutine acc_shutdown

  logical function acc_on_device(device_type)
    integer(acc_device_kind), intent(in) :: device_type
    acc_on_device = device_type == acc_device_host .or. device_type == acc_device_none
  end function acc_on_device

  function acc_get_property(number, device_type, property)
    integer, intent(in) :: number
    integer(acc_device_kind), intent(in) :: device_type
    integer(acc_device_property), intent(in) :: property
    integer(c_size_t) :: acc_get_property
    acc_get_property = 0 ! not known
    if (number == 0 .and. acc_get_num_devices(device_type) > 0) &
      acc_get_property = merge(1, 0, property == acc_property_shared_memory_support)
  end function acc_get_property

  subroutine acc_get_property_string(number, device_type, property, string)
    integer, intent(in) :: number
    integer(acc_device_kind), intent(in) :: device_type
    integer(acc_device_property), intent(in) :: property
    character(*), intent(out) :: string
    string = ''
    if (number == 0 .and. acc_get_num_devices(device_type) > 0 .and. property == acc_property_name) string = 'host'
  end subroutine acc_get_property_string

  logical function acc_async_test(queue)
    integer(acc_handle_kind), intent(in) :: queue
    acc_async_test = .true.
    if (has_streams) acc_async_test = query(stream_of(queue)) == 0
  end function acc_async_test

  logical function acc_async_test_all()
    integer :: i
    acc_async_test_all = .true.
    if (has_streams) acc_async_test_all = query(0_stream_kind) == 0
    if (.not. allocated(streams)) return
    do i = 1, size(streams)
      acc_async_test_all = acc_async_test_all .and. query(streams(i)%stream) == 0
    end do
  end function acc_async_test_all

  subroutine acc_wait(queue)
    integer(acc_handle_kind), intent(in) :: queue
    if (has_streams) call wait_for(stream_of(queue))
  end subroutine acc_wait

  subroutine acc_wait_async(queue, other)
    integer(acc_handle_kind), intent(in) :: queue, other
    if (has_streams) call wait_for(stream_of(queue)) ! the other queue begins later then
  end subroutine acc_wait_async

  subroutine acc_wait_all()
    integer :: i
    if (has_streams) call wait_for(0_stream_kind)
    if (.not. allocated(streams)) return
    do i = 1, size(streams)
      call wait_for(streams(i)%stream)
    end do
  end subroutine acc_wait_all

  subroutine acc_wait_all_async(queue)
    integer(acc_handle_kind), intent(in) :: queue
    if (queue == queue) call acc_wait_all() ! before it goes on
  end subroutine acc_wait_all_async

  integer(acc_handle_kind) function acc_get_default_async()
    acc_get_default_async = acc_async_sync
  end function acc_get_default_async

  subroutine acc_set_default_async(queue)
    integer(acc_handle_kind), intent(in) :: queue
  end subroutine acc_set_default_async

  subroutine check_host(procedure, device_type)
    character(*), intent(in) :: procedure
    integer(acc_device_kind), intent(in) :: device_type
    if (device_type > acc_device_host) &
      error stop procedure//': there is no such device; programs of -acc=host run on the host'
  end subroutine check_host

  subroutine keep(data)
    type(*), intent(in) :: data(..)
  end subroutine keep

  subroutine keep_bytes(data, bytes)
    type(*), intent(in) :: data(..)
    integer, intent(in) :: bytes
  end subroutine keep_bytes

  subroutine keep_bytes_async(data, bytes, queue)
    type(*), intent(in) :: data(..)
    integer, intent(in) :: bytes
    integer(acc_handle_kind), intent(in) :: queue
  end subroutine keep_bytes_async

  logical function is_present(data)
    type(*), intent(in) :: data(..)
    is_present = .true.
  end function is_present

  logical function are_bytes_present(data, bytes)
    type(*), intent(in) :: data(..)
    integer, intent(in) :: bytes
    are_bytes_present = bytes >= 0
  end function are_bytes_present
end module openacc
