" Options of buffers with CUDA Fortran, in Vim and Neovim.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=!\ %s comments=:!
setlocal suffixesadd=.cuf,.CUF,.f90,.F90 include=^\\c\\s*#\\?\\s*include\\s\\|^\\c\\s*use\\s
setlocal expandtab shiftwidth=2 softtabstop=2 textwidth=0
setlocal formatoptions-=t formatoptions+=croql
let b:undo_ftplugin = 'setlocal cms< com< sua< inc< et< sw< sts< tw< fo<'

" % jumps between the parts of a block, with the plugin matchit.
let b:match_ignorecase = 1
let b:match_words = '\<\%(end\s*\)\@<!\%(module\|program\|subroutine\|function\|interface\|type\)\>:\<end\s*\%(module\|program\|subroutine\|function\|interface\|type\)\>,'
      \ . '\<\%(end\s*\)\@<!do\>:\<end\s*do\>,'
      \ . '\<if\>.*\<then\>:\<else\%(\s*if\)\?\>:\<end\s*if\>'
let b:undo_ftplugin .= ' | unlet! b:match_ignorecase b:match_words'

if exists(':CompilerSet') || exists(':compiler')
  compiler cufc
endif
