module settings
  integer, parameter :: new = 2
end module
