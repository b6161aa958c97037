-- The server for Neovim 0.11 and later: `vim.lsp.enable('cufls')` starts it. plugin/cufls.lua does that.
return require('cufls').config()
