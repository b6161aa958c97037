" :make builds the project of the current folder with `cufls build`; errors go to the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'cufc'

CompilerSet makeprg=cufls\ build
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%f:%l:%c:\ %m,%-G%.%#
