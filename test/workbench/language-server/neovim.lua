-- A client: asks about the first manifest, types a syntax error, and writes the responses as JSON to the file $OUT.
local client = vim.lsp.start_client({
  name = 'plumb',
  cmd = { vim.env.NODE, vim.env.PLUMB, 'language-server' },
  root_dir = vim.env.ROOT,
})
vim.cmd('edit ' .. vim.env.ROOT .. '/manifests/init.pp')
vim.lsp.buf_attach_client(0, client)
vim.wait(20000, function()
  local started = vim.lsp.get_client_by_id(client)
  return started ~= nil and started.initialized
end)

local function ask(method, line, character)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
    context = { includeDeclaration = true },
  }
  local responses = vim.lsp.buf_request_sync(0, method, params, 20000)
  return responses and responses[client] and responses[client].result
end

local out = {
  hover = ask('textDocument/hover', 0, 7),
  definition = ask('textDocument/definition', 1, 12),
  references = ask('textDocument/references', 0, 10),
  completion = ask('textDocument/completion', 1, 15),
  symbols = ask('textDocument/documentSymbol', 0, 0),
}
vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'class {' })
vim.wait(20000, function()
  for _, each in ipairs(vim.diagnostic.get(0)) do
    if each.message:find('^Syntax error') then return true end
  end
  return false
end)
out.diagnostics = vim.diagnostic.get(0)
vim.fn.writefile({ vim.fn.json_encode(out) }, vim.env.OUT)
vim.cmd('qall!')
