! Times launches with events: `do while (more('name')); launch; end do`. Twin of timing.h.
module timing
  use cudafor
  implicit none
  integer, parameter :: runs = 7, launches = 10, warm_up = 3
  type(cudaEvent) :: start, finish
  real :: times(runs)
  integer :: count = 0
contains
  logical function more(name)
    character(*), intent(in) :: name
    integer :: istat, in_run
    if (count == 0) then
      istat = cudaEventCreate(start)
      istat = cudaEventCreate(finish)
    end if
    in_run = modulo(count - warm_up, launches)
    if (count >= warm_up .and. in_run == 0) then
      if (count > warm_up) then
        istat = cudaEventRecord(finish, 0)
        istat = cudaEventSynchronize(finish)
        istat = cudaEventElapsedTime(times((count - warm_up)/launches), start, finish)
      end if
      istat = cudaEventRecord(start, 0)
    end if
    more = count < warm_up + runs*launches
    count = count + 1
    if (more) return
    count = 0
    istat = cudaGetLastError()
    if (istat /= cudaSuccess) then
      print '(3a)', 'FAIL ', name, cudaGetErrorString(istat)
      error stop 1
    end if
    print '(3a, f12.3)', 'TIME ', name, ' ', 1000*minval(times)/launches
  end function

  ! A number between 0 and 1 for each element.
  pure elemental real(8) function value(i)
    integer, intent(in) :: i
    value = mod(i, 1009)/1009d0
  end function

  subroutine report(name, total)
    character(*), intent(in) :: name
    real(8), intent(in) :: total
    print '(3a, es22.14)', 'SUM ', name, ' ', total
  end subroutine
end module
