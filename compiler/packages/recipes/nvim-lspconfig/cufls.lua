---@brief
---
--- @ADDRESS@
---
--- `cufls`, a language server for CUDA Fortran that comes with the compiler `cufc`.
---
--- Neovim has no file type for `.cuf`:
---
--- ```lua
--- vim.filetype.add({ extension = { cuf = 'cuda-fortran', CUF = 'cuda-fortran' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'cufls' },
  filetypes = { 'cuda-fortran' },
  root_markers = { 'cufls.json', 'compile_commands.json', 'fpm.toml', '.git' },
}
