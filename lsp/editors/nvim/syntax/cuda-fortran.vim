" Fortran's highlighting and the words of CUDA Fortran. Neovim adds what the server knows (semantic tokens).
if exists('b:current_syntax')
  finish
endif

" Fixed form is for files that say so; .cuf is free form.
if !exists('b:fortran_fixed_source')
  let b:fortran_fixed_source = 0
endif
let fortran_free_source = !b:fortran_fixed_source
runtime! syntax/fortran.vim
unlet! b:current_syntax fortran_free_source

syntax case ignore
syntax match cufPrefix /\<attributes\s*(\s*\%(global\|device\|host\|grid_global\)\%(\s*,\s*\%(global\|device\|host\)\)*\s*)/ contains=cufPrefixWord
syntax keyword cufPrefixWord contained attributes global device host grid_global
syntax match cufPrefix /\<launch_bounds\ze\s*(/
syntax match cufMemory /,\s*\zs\%(device\|shared\|constant\|managed\|pinned\|unified\|texture\)\ze\s*\%(,\|::\)/
syntax keyword cufIndex threadIdx blockIdx blockDim gridDim warpsize
syntax keyword cufBarrier syncthreads syncwarp threadfence threadfence_block threadfence_system
syntax keyword cufBarrier syncthreads_and syncthreads_or syncthreads_count
syntax match cufChevrons /<<<\|>>>/
syntax match cufDirective /^\s*!\$cuf\>.*$/ contains=cufChevrons
syntax match cufSentinel /^\s*!@cuf\>/

highlight default link cufPrefix StorageClass
highlight default link cufPrefixWord StorageClass
highlight default link cufMemory StorageClass
highlight default link cufIndex Special
highlight default link cufBarrier Function
highlight default link cufChevrons Operator
highlight default link cufDirective PreProc
highlight default link cufSentinel PreProc

let b:current_syntax = 'cuda-fortran'
