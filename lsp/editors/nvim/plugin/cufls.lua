-- Starts the server for CUDA Fortran files and defines :Cufls. Set vim.g.cufls before this is loaded to
-- change something; :help cufls has the fields. Works from Neovim 0.7 on.
if vim.g.loaded_cufls or vim.fn.has('nvim-0.7') == 0 then return end
vim.g.loaded_cufls = true

local cufls = require('cufls')

vim.api.nvim_create_user_command('Cufls', function(call) require('cufls.commands').run(call.fargs) end, {
  nargs = '+',
  complete = function(...) return require('cufls.commands').complete(...) end,
  desc = 'Build, run and examine CUDA Fortran',
})
cufls.highlight()
if cufls.options().enabled then cufls.enable() end
