import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  CodeAction,
  CompletionItem,
  DocumentHighlight,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  Range,
  SemanticTokens,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

// The linter compares the names of folders below the module's own.
const root = join(scratchFolder('language-server'), 'puppet-ntp')
const files = {
  'metadata.json': '{"name": "me-ntp"}',
  'manifests/init.pp': `# Keeps the time.
#
# @param servers Names of servers,
#   in order of preference.
class ntp(
  Array[String] $servers = ['pool.ntp.org'],
  Ntp::Mode $mode = 'slow',
) {
  $path = '/etc/ntp.conf'
  contain ntp::config
  ntp::peer { 'a': weight => 3 }
}
`,
  'manifests/config.pp': `class ntp::config {
  file { $ntp::path:
    content => ntp::render($ntp::servers),
  }
}
`,
  'manifests/peer.pp': '# A peer.\ndefine ntp::peer(Integer $weight = 1) {\n  notify { "${name} ${weight}": }\n}\n',
  'manifests/switch.pp':
    "define ntp::switch(Boolean $on, Optional[Variant[Boolean, Enum['x-y']]] $kind) {\n  notice($on, $kind)\n}\n",
  'functions/render.pp':
    '# Renders servers.\nfunction ntp::render(Array[String] $names) >> String {\n  $names.map |$name| { "server ${name}" }.join("\\n")\n}\n',
  'types/mode.pp': "# How often.\ntype Ntp::Mode = Enum['slow', 'fast']\n",
  'data/common.yaml':
    "---\n# Data.\nntp::servers: [a]\n'ntp::mode': fast\nlookup_options:\n  ntp::servers: { merge: unique }\n",
  'templates/conf.epp': 'x',
  'files/keys/a': 'x',
  'lib/puppet/functions/ntp/count.rb': 'Puppet::Functions.create_function(:"ntp::count") {}',
  'lib/puppet/type/ntp_key.rb':
    "Puppet::Type.newtype(:ntp_key) do\n  ensurable\n  newparam(:name)\n  newproperty(:kind) do\n    newvalues(:md5, 'sha-1',\n      /^x/)\n  end\nend\n",
}
writeFiles(root, files)
const editor = new Editor(root)
beforeAll(() => editor.start())
afterAll(() => editor.end())

/** Short form of a location: path, line from 1, and the text there. */
function show({ uri, range }: Location): string {
  const path = uri.slice(editor.uri('').length).replace(/^\//, '')
  const line = (files[path as keyof typeof files] ?? '').split('\n')[range.start.line] ?? ''
  return `${path}:${range.start.line + 1} ${line.slice(range.start.character, range.end.character)}`
}

/** A file with a mark before the n-th occurrence of a text. */
function mark(path: keyof typeof files, text: string, nth = 1): string {
  let at = -1
  for (let count = 0; count < nth; count++) at = files[path].indexOf(text, at + 1)
  if (at === -1) throw new Error(`No ${text} in ${path}`)
  return `${files[path].slice(0, at)}‸${files[path].slice(at)}`
}

describe('definitions', () => {
  it.each<readonly [what: string, path: keyof typeof files, text: string, nth: number, found: readonly string[]]>([
    ['a class', 'manifests/init.pp', 'ntp::config', 1, ['manifests/config.pp:1 ntp::config']],
    ['a defined type', 'manifests/init.pp', 'ntp::peer', 1, ['manifests/peer.pp:2 ntp::peer']],
    ['a data type', 'manifests/init.pp', 'Ntp::Mode', 1, ['types/mode.pp:2 Ntp::Mode']],
    ['a function', 'manifests/config.pp', 'ntp::render', 1, ['functions/render.pp:2 ntp::render']],
    ['a variable of a class', 'manifests/config.pp', 'ntp::path', 1, ['manifests/init.pp:9 path']],
    ['a parameter of a class', 'manifests/config.pp', 'ntp::servers', 1, ['manifests/init.pp:6 servers']],
    ['an attribute of a defined type', 'manifests/init.pp', 'weight', 1, ['manifests/peer.pp:2 weight']],
    ['a local parameter', 'manifests/peer.pp', 'weight', 2, ['manifests/peer.pp:2 weight']],
    ['a parameter of a lambda', 'functions/render.pp', 'name}', 1, ['functions/render.pp:3 name']],
    ['the definition itself', 'manifests/peer.pp', 'ntp::peer', 1, ['manifests/peer.pp:2 ntp::peer']],
  ])('finds %s', async (_, path, text, nth, found) => {
    const locations = await editor.askAt<Location[]>('textDocument/definition', path, mark(path, text, nth))
    expect(locations.map(show)).toEqual(found)
  })

  it.each([
    ['a function', 'notice(ntp::‸count())\n', 'lib/puppet/functions/ntp/count.rb'],
    ['a resource type', "ntp_‸key { 'a': }\n", 'lib/puppet/type/ntp_key.rb'],
    ['a reference to a resource type', "Ntp_‸key['a'] -> File['b']\n", 'lib/puppet/type/ntp_key.rb'],
  ])('finds %s in Ruby', async (_, text, path) => {
    const locations = await editor.askAt<Location[]>('textDocument/definition', 'manifests/new.pp', text)
    expect(locations.map(({ uri }) => uri)).toEqual([editor.uri(path)])
  })

  it.each([
    ['an unknown class', 'include ‸nothing\n'],
    ['a syntax error', 'class ‸x {\n'],
    ['a number', '$x = 1‸2\n'],
  ])('finds nothing for %s', async (_, text) => {
    expect(await editor.askAt('textDocument/definition', 'manifests/new.pp', text)).toEqual([])
  })
})

describe('files', () => {
  it.each([
    ['a template', "epp('ntp/co‸nf.epp')\n", 'templates/conf.epp'],
    ['a file', "file('ntp/ke‸ys/a')\n", 'files/keys/a'],
    ['a source', "file { '/x': source => 'puppet:///modules/ntp/ke‸ys/a' }\n", 'files/keys/a'],
    ['no file outside of the module', "file('ntp/../../met‸adata.json')\n", undefined],
  ])('are found from a string: %s', async (_, text, path) => {
    const locations = await editor.askAt<Location[]>('textDocument/definition', 'manifests/new.pp', text)
    expect(locations.map(({ uri }) => uri)).toEqual(path === undefined ? [] : [editor.uri(path)])
  })

  it.each([
    ['ntp::serv', 'manifests/init.pp:6 servers'],
    ['ntp::mode', 'manifests/init.pp:7 mode'],
  ])('of data have keys of parameters: %s', async (text, found) => {
    const locations = await editor.askAt<Location[]>(
      'textDocument/definition',
      'data/common.yaml',
      mark('data/common.yaml', text),
    )
    expect(locations.map(show)).toEqual([found])
  })
})

describe('references', () => {
  it.each<readonly [what: string, path: keyof typeof files, text: string, found: readonly string[]]>([
    [
      'a class',
      'manifests/config.pp',
      'ntp::config',
      ['manifests/config.pp:1 ntp::config', 'manifests/init.pp:10 ntp::config'],
    ],
    ['a variable', 'manifests/init.pp', 'path =', ['manifests/init.pp:9 path', 'manifests/config.pp:2 ntp::path']],
    [
      ...(['a parameter of a class', 'manifests/init.pp', 'servers ='] as const),
      ['manifests/init.pp:6 servers', 'manifests/config.pp:3 ntp::servers', 'data/common.yaml:3 ntp::servers'],
    ],
    ['a data type', 'types/mode.pp', 'Ntp::Mode', ['types/mode.pp:2 Ntp::Mode', 'manifests/init.pp:7 Ntp::Mode']],
  ])('lists those of %s', async (_, path, text, found) => {
    const context = { includeDeclaration: true }
    const locations = await editor.askAt<Location[]>('textDocument/references', path, mark(path, text), { context })
    expect(locations.map(show)).toEqual(found)
  })

  it('leaves the definition out', async () => {
    const more = { context: { includeDeclaration: false } }
    const locations = await editor.askAt<Location[]>(
      'textDocument/references',
      'manifests/peer.pp',
      mark('manifests/peer.pp', 'ntp::peer'),
      more,
    )
    expect(locations.map(show)).toEqual(['manifests/init.pp:11 ntp::peer'])
  })

  it('highlights a local variable', async () => {
    const found = await editor.askAt<DocumentHighlight[]>(
      'textDocument/documentHighlight',
      'functions/render.pp',
      mark('functions/render.pp', 'names'),
    )
    expect(found.map(({ range, kind }) => [range.start.line, kind])).toEqual([
      [1, 3],
      [2, 2],
    ])
  })
})

describe('renaming', () => {
  const edits = (edit: WorkspaceEdit) =>
    Object.entries(edit.changes!).flatMap(([uri, list]) =>
      list.map(({ range, newText }) => `${show({ uri, range })} to ${newText}`),
    )

  it('changes a parameter of a class in all files', async () => {
    const more = { newName: 'hosts' }
    const edit = await editor.askAt<WorkspaceEdit>(
      'textDocument/rename',
      'manifests/init.pp',
      mark('manifests/init.pp', 'servers =', 1),
      more,
    )
    expect(edits(edit)).toEqual(['manifests/init.pp:6 servers to hosts', 'manifests/config.pp:3 servers to hosts'])
  })

  it('changes a parameter of a defined type with its attributes', async () => {
    const edit = await editor.askAt<WorkspaceEdit>(
      'textDocument/rename',
      'manifests/peer.pp',
      mark('manifests/peer.pp', 'weight'),
      { newName: 'w' },
    )
    expect(edits(edit).sort()).toEqual([
      'manifests/init.pp:11 weight to w',
      'manifests/peer.pp:2 weight to w',
      'manifests/peer.pp:3 weight to w',
    ])
  })

  it('rejects an invalid name, and names of files', async () => {
    const rename = editor.askAt('textDocument/rename', 'manifests/peer.pp', mark('manifests/peer.pp', 'weight'), {
      newName: 'A-b',
    })
    await expect(rename).rejects.toThrow("'A-b' is not a valid name of a variable")
    expect(
      await editor.askAt<Range | null>(
        'textDocument/prepareRename',
        'manifests/peer.pp',
        mark('manifests/peer.pp', 'ntp::peer'),
      ),
    ).toBeNull()
  })
})

describe('hover', () => {
  it.each<readonly [what: string, marked: string, found: RegExp]>([
    [
      'a class',
      'include nt‸p\n',
      /class ntp\(\n {2}Array\[String\] \$servers = \['pool.ntp.org'\],\n.*Keeps the time\./s,
    ],
    [
      'a parameter',
      "class { 'ntp': serv‸ers => [] }\n",
      /Array\[String\] \$servers.*Names of servers, in order of preference\./s,
    ],
    ['a variable', '$x = $ntp::ser‸vers\n', /Names of servers/],
    ['a data type', 'function x(Ntp::M‸ode $a) { }\n', /type Ntp::Mode = Enum\['slow', 'fast'\].*How often\./s],
    [
      'a function',
      '$x = ntp::re‸nder([])\n',
      /function ntp::render\(\n {2}Array\[String\] \$names,\n\) >> String.*Renders servers\./s,
    ],
    ['a built-in function', '$x = flat‸ten([])\n', /flatten: Callable\[/],
    ['a built-in type', "fi‸le { '/x': }\n", /- `mode`: /],
    ['an attribute', "file { '/x': mo‸de => '0644' }\n", /mode => …/],
    ['a metaparameter', "file { '/x': req‸uire => File['/y'] }\n", /require/],
  ])('shows %s', async (_, marked, found) => {
    const hover = await editor.askAt<Hover>('textDocument/hover', 'manifests/new.pp', marked)
    expect((hover.contents as { value: string }).value).toMatch(found)
  })

  it('shows nothing between names', async () => {
    expect(await editor.askAt('textDocument/hover', 'manifests/new.pp', "notice('‸x')\n")).toBeNull()
  })
})

describe('completion', () => {
  it.each<readonly [what: string, marked: string, some: readonly string[], none: readonly string[]]>([
    ['classes', 'include nt‸', ['ntp', 'ntp::config'], ['file']],
    ['attributes of a class', "class { 'ntp':\n  ‸", ['servers', 'mode', 'require'], ['owner']],
    ['attributes of a defined type', "ntp::peer { 'a': ‸", ['weight'], ['servers']],
    ['attributes of a built-in type', "file { '/x':\n  mode => '0644',\n  ‸", ['owner', 'content', 'notify'], ['mode']],
    ['attributes of a second body', "file { '/x': mode => '0644'; '/y': ‸", ['mode'], []],
    ['variables', 'class x($one) {\n  $two = 1\n  notice($‸', ['one', 'two', 'facts'], []],
    ['variables in a string', 'class x($one) {\n  notice("${‸', ['one'], []],
    ['variables of a class', 'notice($ntp::‸', ['servers', 'path', 'mode'], ['facts']],
    ['types', 'function x(Nt‸', ['Ntp::Mode', 'String', 'File', 'Ntp::Peer'], []],
    ['statements', '‸', ['file', 'ntp::peer', 'ntp::render', 'include', 'if'], []],
  ])('offers %s', async (_, marked, some, none) => {
    const items = await editor.askAt<CompletionItem[]>('textDocument/completion', 'manifests/new.pp', marked)
    const labels = items.map(({ label }) => label)
    expect(labels).toEqual(expect.arrayContaining([...some]))
    expect(labels.filter((each) => none.includes(each))).toEqual([])
  })
})

describe('values of an attribute', () => {
  it.each<readonly [what: string, marked: string, inserted: readonly (string | undefined)[]]>([
    ['an Enum of an alias', "class { 'ntp': mode => ‸", ["'fast'", "'slow'"]],
    ['a text that is begun', "class { 'ntp': mode => '‸", [undefined, undefined]],
    ['a Boolean', "ntp::switch { 'x': on => ‸", ['true', 'false']],
    ['a Variant', "ntp::switch { 'x': kind => t‸", ['true', 'false', "'x-y'", 'undef']],
    ['a built-in type', "service { 'x':\n  ensure => r‸", ['stopped', 'running']],
    ['a metaparameter', "file { '/x': noop => ‸", ['true', 'false']],
    ['ensure of a type in Ruby', "ntp_key { 'x': ensure => ‸", ['present', 'absent']],
    ['newvalues of a type in Ruby', "ntp_key { 'x': kind => ‸", ['md5', "'sha-1'"]],
  ])('are those of %s', async (_, marked, inserted) => {
    const items = await editor.askAt<CompletionItem[]>('textDocument/completion', 'manifests/new.pp', marked)
    expect(items.map(({ insertText }) => insertText)).toEqual(inserted)
  })
})

describe('the structure of a file', () => {
  it('is an outline', async () => {
    await editor.type('manifests/init.pp', files['manifests/init.pp'])
    const symbols = await editor.ask<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri: editor.uri('manifests/init.pp') },
    })
    expect(symbols.map(({ name }) => name)).toEqual(['ntp'])
    expect(symbols[0]!.children!.map(({ name }) => name)).toEqual(['$servers', '$mode', '$path', "'a'"])
  })

  it('has folds for blocks and comments', async () => {
    const folds = await editor.ask<FoldingRange[]>('textDocument/foldingRange', {
      textDocument: { uri: editor.uri('manifests/init.pp') },
    })
    expect(folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind])).toEqual([
      [0, 3, 'comment'],
      [4, 11, undefined],
    ])
  })

  it('has semantic tokens', async () => {
    await editor.type('manifests/new.pp', 'class a::b($c) {\n  include ntp\n}\n')
    const { data } = await editor.ask<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument: { uri: editor.uri('manifests/new.pp') },
    })
    expect(data).toEqual([0, 6, 4, 0, 1, 0, 6, 1, 2, 1, 1, 2, 7, 3, 0, 0, 8, 3, 0, 0].slice(0, data.length))
    expect(data.length % 5).toBe(0)
  })

  it('is found by workspace symbols', async () => {
    const found = await editor.ask<SymbolInformation[]>('workspace/symbol', { query: 'peer' })
    expect(found.map(({ name }) => name)).toEqual(['ntp::peer', 'ntp::render'])
  })
})

describe('diagnostics', () => {
  const messagesOf = (path: string) =>
    editor.diagnosticsOf(path)?.diagnostics.map(({ message, range }) => `${range.start.line}: ${message}`)

  it('follow the text while it is typed', async () => {
    await editor.type('manifests/typed.pp', 'class x {')
    await expect
      .poll(() => messagesOf('manifests/typed.pp'))
      .toEqual([expect.stringMatching(/^0: Syntax error at end of input/)])
    await editor.type('manifests/typed.pp', 'class x { }\n$a = 1\n$a += 1\n')
    await expect
      .poll(() => messagesOf('manifests/typed.pp')?.[0])
      .toMatch(/^2: The operator '\+=' is no longer supported/)
    await editor.type('manifests/typed.pp', '# X.\nclass ntp::typed { }\n')
    await expect.poll(() => messagesOf('manifests/typed.pp')).toEqual([])
    await editor.type('manifests/typed.pp', '}')
    await expect.poll(() => messagesOf('manifests/typed.pp')?.length).toBe(1)
    await editor.close('manifests/typed.pp')
    await expect.poll(() => messagesOf('manifests/typed.pp')).toEqual([])
  })
})

describe('the linter', () => {
  const text = '# X.\nclass ntp::linted {\n  $x = "a" \n}\n'
  const codesOf = () => editor.diagnosticsOf('manifests/linted.pp')?.diagnostics.map(({ code }) => code)

  it('reports problems and corrects them', async () => {
    await editor.type('manifests/linted.pp', text)
    await expect.poll(codesOf).toEqual(['double_quoted_strings', 'trailing_whitespace'])
    const { uri, diagnostics } = editor.diagnosticsOf('manifests/linted.pp')!
    const { range } = diagnostics[0]!
    const actions = await editor.ask<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: diagnostics.slice(0, 1) },
    })
    expect(actions.map(({ title, kind }) => [title, kind])).toEqual([
      ['Correct double_quoted_strings in this file', 'quickfix'],
      ['Correct all lint problems', 'source.fixAll'],
    ])
    const [edit] = actions[1]!.edit!.changes![uri]!
    expect(edit).toEqual({
      range: { start: { line: 2, character: 7 }, end: { line: 2, character: 11 } },
      newText: "'a'",
    })
  })
})

describe('the formatter', () => {
  it('formats a document with one edit', async () => {
    await editor.type('manifests/formatted.pp', 'class ntp::formatted {\n$x = 1\n}\n')
    const textDocument = { uri: editor.uri('manifests/formatted.pp') }
    expect(await editor.ask('textDocument/formatting', { textDocument, options: {} })).toEqual([
      { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, newText: '  ' },
    ])
    await editor.type('manifests/formatted.pp', 'class {')
    await expect(editor.ask('textDocument/formatting', { textDocument, options: {} })).rejects.toThrow(/Syntax error/)
  })
})

describe('a plan', () => {
  it('is checked and formatted by the rules of plans', async () => {
    await editor.type('plans/all.pp', 'plan ntp::all($a) {\napply($a) { }\n}\n')
    await expect.poll(() => editor.diagnosticsOf('plans/all.pp')).toBeDefined()
    expect(editor.diagnosticsOf('plans/all.pp')!.diagnostics.filter(({ source }) => source === 'puppet')).toEqual([])
    const textDocument = { uri: editor.uri('plans/all.pp') }
    expect(await editor.ask('textDocument/formatting', { textDocument, options: {} })).toHaveLength(1)
  })
})

describe('a new file', () => {
  it('is found after the editor reports it', async () => {
    const text = 'include ntp::lat‸er\n'
    expect(await editor.askAt('textDocument/definition', 'manifests/new.pp', text)).toEqual([])
    writeFiles(root, { 'manifests/later.pp': 'class ntp::later { }\n' })
    await editor.tell('workspace/didChangeWatchedFiles', {
      changes: [{ uri: editor.uri('manifests/later.pp'), type: 1 }],
    })
    const [found] = await editor.askAt<Location[]>('textDocument/definition', 'manifests/new.pp', text)
    expect(found?.uri).toBe(editor.uri('manifests/later.pp'))
    const symbols = await editor.ask<SymbolInformation[]>('workspace/symbol', { query: 'ntp::later' })
    expect(symbols.map(({ name }) => name)).toEqual(['ntp::later'])
  })
})
