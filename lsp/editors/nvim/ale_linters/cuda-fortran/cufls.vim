" cufls as a language server of ALE, in Vim. g:ale_cuda_fortran_cufls_executable names another program.
call ale#Set('cuda_fortran_cufls_executable', 'cufls')

function! CuflsProjectRoot(buffer) abort
  for l:name in ['cufls.json', 'compile_commands.json', '.git']
    let l:found = ale#path#FindNearestFile(a:buffer, l:name)
    if empty(l:found)
      let l:found = ale#path#FindNearestDirectory(a:buffer, l:name)
    endif
    if !empty(l:found)
      return fnamemodify(substitute(l:found, '[\/]$', '', ''), ':h')
    endif
  endfor
  return expand('#' . a:buffer . ':p:h')
endfunction

call ale#linter#Define('cuda-fortran', {
\   'name': 'cufls',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'cuda_fortran_cufls_executable')},
\   'command': '%e',
\   'language': 'cuda-fortran',
\   'project_root': function('CuflsProjectRoot'),
\})
