import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompletionItem, Hover, InlayHint, Location } from 'vscode-languageserver'
import { findFactAt, readOpenFactKey } from '../../../src/workbench/language-server/node-data/fact-expressions.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

const root = join(scratchFolder('node-data'), 'puppet-ntp')
writeFiles(root, {
  'metadata.json': '{"name": "me-ntp", "version": "1.2.0"}',
  'hiera.yaml':
    "---\nversion: 5\nhierarchy:\n  - name: os\n    path: '%{facts.os.family}.yaml'\n  - name: common\n    path: common.yaml\n",
  'data/Debian.yaml': 'ntp::servers: [debian.example.com]\n',
  'data/common.yaml':
    'ntp::servers: [a]\nntp::password: secret\nntp::key: secret\nntp::sealed: ENC[PKCS7,MII]\nlookup_options:\n  ntp::key: { convert_to: Sensitive }\n',
  'manifests/init.pp': `# Keeps the time.
#
# @param servers Names of servers.
class ntp(
  Array[String] $servers = [],
  Sensitive[String] $password = Sensitive('x'),
  $key = 1,
  $sealed = 1,
  Integer $port = 123,
) {
  $path = template('ntp/ntp.conf.erb')
}
`,
  'templates/ntp.conf.erb': '<%= @path %>',
  'facts/web.yaml': 'os:\n  family: Debian\n  release: { major: "12" }\nnetworking: { fqdn: web.example.com }\n',
  'facts/db.json': '{"name": "db", "values": {"os": {"family": "RedHat"}}}',
  'facts/broken.json': '[',
})
const editor = new Editor(root, [], { facts: join(root, 'facts'), node: 'web' })
beforeAll(() => editor.start())
afterAll(() => editor.end())

const choose = (...given: readonly unknown[]) =>
  editor.ask('workspace/executeCommand', { command: 'plumb.chooseNode', arguments: given })

/** The text of a hover. */
async function hover(path: string, marked: string): Promise<string | undefined> {
  const found = await editor.askAt<Hover | null>('textDocument/hover', path, marked)
  return (found?.contents as { value: string } | undefined)?.value
}

async function complete(path: string, marked: string): Promise<readonly CompletionItem[]> {
  return editor.askAt<CompletionItem[]>('textDocument/completion', path, marked)
}

describe('hover on a fact', () => {
  it.each([
    ["$x = $facts['os']['fam‸ily']", "`os.family` on `web`: `'Debian'`"],
    ["$x = $facts['o‸s']['family']", "`os` on `web`: `{'family' => 'Debian', 'release' => {'major' => '12'}}`"],
    ["$x = \"a ${facts['os']['fam‸ily']}\"", "`os.family` on `web`: `'Debian'`"],
    ["$x = $trusted['cert‸name']", "`certname` on `web`: `'web'`"],
    ["$x = $facts['no‸ne']", '`none` on `web`: no value'],
    ["$x = $facts['constr‸uctor']", '`constructor` on `web`: no value'],
  ])('shows the value: %s', async (code, shown) => {
    expect(await hover('manifests/x.pp', code)).toBe(shown)
  })

  it('shows the value in templates', async () => {
    expect(await hover('templates/x.erb', "<%= @facts['os']['fam‸ily'] %>")).toBe("`os.family` on `web`: `'Debian'`")
    expect(await hover('templates/x.epp', "<%= $facts['os']['fam‸ily'] %>")).toBe("`os.family` on `web`: `'Debian'`")
  })
})

describe('hover on a parameter', () => {
  const declare = (parameter: string) => `class { 'ntp': ${parameter} => 1 }`
  it.each([
    ['ser‸vers', "On `web`: `['debian.example.com']` from `data/Debian.yaml`"],
    ['pass‸word', 'On `web`: `Sensitive [value redacted]` from `data/common.yaml`'],
    ['k‸ey', 'On `web`: `Sensitive [value redacted]` from `data/common.yaml`'],
    ['sea‸led', 'On `web`: `encrypted value` from `data/common.yaml`'],
  ])('shows its data: %s', async (parameter, shown) => {
    expect(await hover('manifests/x.pp', declare(parameter))).toContain(shown)
  })

  it('shows no data for a parameter without data', async () => {
    expect(await hover('manifests/x.pp', declare('po‸rt'))).not.toContain('On `web`')
  })
})

describe('completion of facts', () => {
  it.each<readonly [code: string, labels: readonly string[]]>([
    ['$x = $facts[‸', ['os', 'networking']],
    ["$x = $facts['os'][‸", ['family', 'release']],
    ["$x = \"${facts['os']['fa‸", ['family', 'release']],
    ["$x = $facts['os']['family']['‸", []],
  ])('lists keys: %s', async (code, labels) => {
    expect((await complete('manifests/x.pp', code)).map(({ label }) => label)).toEqual(labels)
  })

  it('shows values, and adds missing quotes', async () => {
    const [family] = await complete('manifests/x.pp', "$x = $facts['os'][‸")
    expect(family).toMatchObject({ detail: "'Debian'", insertText: "'family'" })
  })

  it('reads any line in bounded time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('$facts', '[', "'os'", ']', '"', '{', 'trusted[', '@')), (parts) => {
        const line = parts.join('')
        const found = findFactAt(line, Math.floor(line.length / 2))
        expect(found === undefined || (found.start >= 0 && found.end <= line.length)).toBe(true)
        expect(readOpenFactKey(line)?.keys.every((key) => line.includes(key)) ?? true).toBe(true)
      }),
    )
    // Quadratic time would exceed the time limit of the test.
    findFactAt("$facts['a']".repeat(100_000), 5)
    findFactAt(`$facts${"['a'".repeat(100_000)}`, 200_000)
    expect(readOpenFactKey(`$facts${"['a']".repeat(100_000)}[`)?.keys.every((key) => key === 'a') ?? true).toBe(true)
  })
})

describe('inlay hints', () => {
  it('show data of parameters', async () => {
    const uri = editor.uri('manifests/init.pp')
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }
    const hints = await editor.ask<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri }, range })
    expect(hints.map(({ label, position }) => [position.line, label])).toEqual([
      [4, "= ['debian.example.com'] from data/Debian.yaml"],
      [5, '= Sensitive [value redacted] from data/common.yaml'],
      [6, '= Sensitive [value redacted] from data/common.yaml'],
      [7, '= encrypted value from data/common.yaml'],
    ])
  })
})

describe('the choice of a node', () => {
  it('lists nodes, and changes data', async () => {
    expect(await editor.ask('workspace/executeCommand', { command: 'plumb.listNodes', arguments: [] })).toEqual([
      'broken',
      'db',
      'web',
    ])
    expect(await choose('db')).toBe('db')
    expect(await hover('manifests/x.pp', "class { 'ntp': ser‸vers => 1 }")).toContain(
      "On `db`: `['a']` from `data/common.yaml`",
    )
    await editor.tell('workspace/didChangeConfiguration', { settings: { plumb: { node: 'web' } } })
    expect(await hover('manifests/x.pp', "$facts['os']['fam‸ily']")).toBe("`os.family` on `web`: `'Debian'`")
  })

  it.each([
    ['wbe', /^No facts of node 'wbe' in .*facts\. Did you mean 'web'\?/],
    ['../metadata', /^No facts of node '\.\.\/metadata'/],
    ['broken', /^Could not read facts from .*broken\.json: /],
  ])('rejects %s, and keeps the node', async (node, message) => {
    await expect(choose(node)).rejects.toThrow(message)
    expect(await hover('manifests/x.pp', "$facts['os']['fam‸ily']")).toBe("`os.family` on `web`: `'Debian'`")
  })

  it('accepts a file of facts', async () => {
    const other = new Editor(root, [], { node: 'facts/web.yaml' })
    await other.start()
    const found = await other.askAt<Hover>('textDocument/hover', 'manifests/x.pp', "$trusted['cert‸name']")
    expect(found.contents).toMatchObject({ value: "`certname` on `web.example.com`: `'web.example.com'`" })
    other.end()
  })
})

describe('data that an editor does not evaluate', () => {
  it.each(['lookup_key: eyaml_lookup_key', 'data_hash: ntp::data', 'lookup_key: ntp::data'])('is %s', async (level) => {
    const folder = join(scratchFolder('evaluated'), 'ntp')
    writeFiles(folder, {
      'metadata.json': '{"name": "me-ntp"}',
      'hiera.yaml': `---\nversion: 5\nhierarchy:\n  - { name: a, path: common.yaml, ${level} }\n  - { name: b, path: common.yaml }\n`,
      'data/common.yaml': 'ntp::a: 1\n',
      'functions/data.pp': "function ntp::data($a, $b = 1) { fail('called') }\n",
      'manifests/init.pp': 'class ntp($a = 2) { }\n',
      'facts.yaml': 'a: 1\n',
    })
    const other = new Editor(folder, [], { facts: 'facts.yaml' })
    await other.start()
    const found = await other.askAt<Hover>('textDocument/hover', 'manifests/x.pp', "class { 'ntp': a‸ => 1 }")
    expect(found.contents).toMatchObject({ value: expect.not.stringContaining('On `') })
    other.end()
  })
})

describe('templates in ERB', () => {
  it('complete and find variables of the manifests that render them', async () => {
    const labels = (await complete('templates/ntp.conf.erb', '<%= @‸')).map(({ label }) => label)
    expect(labels).toEqual(expect.arrayContaining(['facts', 'path', 'servers']))
    const found = await editor.askAt<Location[]>('textDocument/definition', 'templates/ntp.conf.erb', '<%= @pa‸th %>')
    expect(found.map(({ uri, range }) => [uri, range.start.line])).toEqual([[editor.uri('manifests/init.pp'), 10]])
  })
})

describe('Hiera data', () => {
  it('completes parameters that the file does not set', async () => {
    const found = await complete('data/node.yaml', 'ntp::servers: [b]\nntp::‸')
    expect(found.map(({ label }) => label)).toEqual(['ntp::password', 'ntp::key', 'ntp::sealed', 'ntp::port'])
    expect(found[3]).toMatchObject({ detail: 'Integer', textEdit: { newText: 'ntp::port: ' } })
    expect(await complete('data/node.yaml', 'ntp::servers: nt‸')).toEqual([])
  })

  it('documents the parameter of a key', async () => {
    expect(await hover('data/node.yaml', 'ntp::ser‸vers: []\n')).toBe(
      '```puppet\nArray[String] $servers = []\n```\n\nNames of servers.',
    )
  })

  it.each<readonly [text: string, messages: readonly string[]]>([
    ['ntp::servers: [b]\n', []],
    // Puppet ignores these keys in the data of a module.
    ['other::x: 1\nntp_x: 1\n', ["nothing reads the key 'other::x'", "nothing reads the key 'ntp_x'"]],
    ['ntp::servers: 1\n', ["Class[Ntp]: parameter 'servers' expects an Array value, got Integer"]],
    ["ntp::port: '%{facts.port}'\n", []],
    ['ntp::password: secret\n', []],
    [
      'ntp::portt: 1\n',
      ["nothing reads the key 'ntp::portt': Class[Ntp] has no parameter 'portt'. Did you mean 'port'?"],
    ],
    ['a: [\n', [expect.stringMatching(/^did not find expected node content/)]],
    ['ntp::constructor: 1\n', ["nothing reads the key 'ntp::constructor': Class[Ntp] has no parameter 'constructor'"]],
  ])('reports %j', async (text, messages) => {
    await editor.type('data/checked.yaml', `${text}# ${Math.random()}\n`)
    await expect
      .poll(() => editor.diagnosticsOf('data/checked.yaml')?.diagnostics.map(({ message }) => message))
      .toEqual(messages)
    await editor.close('data/checked.yaml')
  })
})

describe('metadata.json and Puppetfile', () => {
  it('complete names of modules and keys', async () => {
    const names = async (path: string, text: string) => (await complete(path, text)).map(({ label }) => label)
    expect(await names('Puppetfile', "mod 'm‸")).toEqual(['me-ntp'])
    // An unfinished metadata.json gives the module no full name.
    expect(await names('metadata.json', '{\n  "dependencies": [{ "name": "‸')).toEqual(['ntp'])
    expect(await names('metadata.json', '{\n  "v‸')).toContain('version')
    expect(await names('Puppetfile', "forge 'm‸")).toEqual([])
    await editor.close('metadata.json')
  })

  it('reports a syntax error', async () => {
    await editor.type('metadata.json', '{"name": "me-ntp",,}')
    await expect.poll(() => editor.diagnosticsOf('metadata.json')?.diagnostics.length).toBe(1)
    await editor.close('metadata.json')
  })
})
