-- What an editor asks of the server; a line of shown.txt for each answer. Run by editor.rs.
local shown = {}
local function show(line) table.insert(shown, (line:gsub('\n.*', ''))) end
local function finish(code)
  vim.fn.writefile(shown, 'shown.txt')
  vim.cmd(code == 0 and 'qall!' or 'cquit!')
end

local function main()
  local deadline = 60000
  local function wait(what, condition)
    if not vim.wait(deadline, condition, 20) then error('no ' .. what) end
  end
  local function ask(method, row, column)
    local params = {
      textDocument = vim.lsp.util.make_text_document_params(0),
      position = { line = row, character = column },
      options = { tabSize = 4, insertSpaces = true },
    }
    local answers, failure = vim.lsp.buf_request_sync(0, method, params, deadline)
    if not answers then error(method .. ': ' .. tostring(failure)) end
    for _, answer in pairs(answers) do
      if answer.error then error(vim.inspect(answer.error)) end
      return answer.result
    end
  end

  wait('diagnostic', function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  show(string.format('diagnostic %d:%d %s', found.lnum + 1, found.col + 1, found.message))

  local labels = {}
  for _, item in ipairs(ask('textDocument/completion', 3, 11)) do labels[item.label] = true end
  show('completion ' .. (labels.damping and 'damping' or vim.inspect(labels)))
  show('hover ' .. ask('textDocument/hover', 2, 5).contents.value)
  show('definition ' .. ask('textDocument/definition', 2, 5).uri:gsub('.*/', ''))

  vim.api.nvim_buf_set_lines(0, 3, 4, true, { '    rope: (nodes: 3),' })
  wait('end of the fault', function() return #vim.diagnostic.get(0) == 0 end)
  show('fixed ' .. #vim.diagnostic.get(0))

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = deadline })
  else
    vim.lsp.buf.formatting_sync(nil, deadline)
  end
  show('layout ' .. vim.api.nvim_buf_get_lines(0, 1, 2, true)[1])
end

local fine, failure = pcall(main)
if not fine then io.stderr:write(tostring(failure) .. '\n') end
finish(fine and 0 or 1)
