import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

const code = {
  'environment.conf': 'modulepath = modules\n',
  'modules/m/manifests/init.pp':
    '# M.\nclass m(Integer $port = 1) {\n  $path = template("m/x.erb")\n  notice($port, $path)\n}\n',
  'modules/m/manifests/other.pp': '# Other.\nclass m::other {\n}\n',
  'modules/m/templates/x.erb': '<%= @path %>\n',
  'hiera.yaml': '---\nversion: 5\n',
  'data/common.yaml': 'm::port: 1\n',
}

let editor: Editor | undefined
let root = ''
afterEach(() => editor?.end())

/** Opens the code with further files. */
async function open(more: Readonly<Record<string, string>> = {}, options?: object): Promise<Editor> {
  root = join(scratchFolder('semantic'), 'control')
  writeFiles(root, { ...code, ...more })
  editor = new Editor(root)
  await editor.start(options)
  return editor
}

/** The diagnostics of a document as `LINE:CHECK MESSAGE`, sorted. */
function list(path: string): readonly string[] | undefined {
  const found = editor!.diagnosticsOf(path)?.diagnostics
  return found?.map(({ code: check, message, range }) => `${range.start.line}:${check} ${message}`).sort()
}

const path = 'modules/m/manifests/typed.pp'
const faulty = "# T.\nclass m::typed {\n  $unread = 1\n  class { 'm': port => 'x' }\n  include m::othr\n}\n"
const wrongType = "3:wrong_type Class[M]: parameter 'port' expects an Integer value, got String"
const unknownClass = "4:unknown_class unknown class 'm::othr'. Did you mean 'm::other'?"
const unused = "2:unused_variable the variable '$unread' is never read"

describe('the semantic problems of a manifest', () => {
  it.each<
    readonly [what: string, more: Readonly<Record<string, string>>, options: object | undefined, readonly string[]]
  >([
    ['are the errors', {}, undefined, [wrongType, unknownClass]],
    ['are all with the setting all', {}, { semanticChecks: 'all' }, [unused, wrongType, unknownClass]],
    ['are none with the setting none', {}, { semanticChecks: 'none' }, []],
    ['are the errors with another setting', {}, { semanticChecks: 'x' }, [wrongType, unknownClass]],
    ['are all with --semantic', { '.puppet-lint.rc': '--semantic\n' }, undefined, [unused, wrongType, unknownClass]],
    [
      'are those of the rc file',
      { '.puppet-lint.rc': '--no-wrong_type-check\n--unused_variable-check\n' },
      undefined,
      [unused, unknownClass],
    ],
    [
      'are those of the rc file alone',
      { '.puppet-lint.rc': '--unknown_class-check\n' },
      { semanticChecks: 'none' },
      [unknownClass],
    ],
    ['are those of --only-checks', { '.puppet-lint.rc': '--only-checks=unknown_class\n' }, undefined, [unknownClass]],
  ])('%s', async (_, more, options, expected) => {
    await (await open(more, options)).type(path, faulty)
    await expect.poll(() => list(path)).toEqual(expected)
  })

  it('follow the settings of the editor', async () => {
    await (await open()).type(path, faulty)
    await expect.poll(() => list(path)).toEqual([wrongType, unknownClass])
    await editor!.tell('workspace/didChangeConfiguration', { settings: { plumb: { semanticChecks: 'all' } } })
    await expect.poll(() => list(path)).toEqual([unused, wrongType, unknownClass])
  })

  it('have a severity, a range and a tag', async () => {
    await (await open({}, { semanticChecks: 'all' })).type(path, faulty)
    await expect.poll(() => list(path)?.length).toBe(3)
    const found = editor!.diagnosticsOf(path)!.diagnostics.map(({ code: check, severity, range, tags, source }) => {
      const { start, end } = range
      return [check, severity, start.character, end.character, tags, source]
    })
    expect(found).toEqual([
      ['unknown_class', 1, 10, 17, undefined, 'plumb lint'],
      ['wrong_type', 1, 23, 24, undefined, 'plumb lint'],
      ['unused_variable', 2, 3, 9, [1], 'plumb lint'],
    ])
  })

  it('are suppressed by control comments', async () => {
    const text = faulty.replace('m::othr', 'm::othr # lint:ignore:unknown_class')
    await (await open()).type(path, text)
    await expect.poll(() => list(path)).toEqual([wrongType])
  })

  it('see the texts of other open documents', async () => {
    await (await open()).type(path, '# T.\nclass m::typed {\n  include m::fresh\n}\n')
    await expect.poll(() => list(path)).toEqual(["2:unknown_class unknown class 'm::fresh'"])
    await editor!.type('modules/m/manifests/fresh.pp', '# F.\nclass m::fresh {\n}\n')
    await editor!.tell('textDocument/didSave', { textDocument: { uri: editor!.uri('modules/m/manifests/fresh.pp') } })
    await expect.poll(() => list(path)).toEqual([])
    await editor!.close('modules/m/manifests/fresh.pp')
    await editor!.tell('textDocument/didSave', { textDocument: { uri: editor!.uri(path) } })
    await expect.poll(() => list(path)).toEqual(["2:unknown_class unknown class 'm::fresh'"])
  })

  it('follow files that the editor reports', async () => {
    await (await open()).type(path, '# T.\nclass m::typed {\n  include m::other\n}\n')
    await expect.poll(() => list(path)).toEqual([])
    rmSync(join(root, 'modules/m/manifests/other.pp'))
    const uri = editor!.uri('modules/m/manifests/other.pp')
    await editor!.tell('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 3 }] })
    await expect.poll(() => list(path)).toEqual(["2:unknown_class unknown class 'm::other'"])
  })

  it('are published for open documents alone', async () => {
    await open({ 'modules/m/manifests/broken.pp': faulty })
    await editor!.type(path, '# T.\nclass m::typed {\n}\n')
    await expect.poll(() => list(path)).toEqual([])
    expect(list('modules/m/manifests/broken.pp')).toBeUndefined()
  })
})

describe('the semantic problems of other files', () => {
  it.each<readonly [path: string, text: string, expected: readonly string[]]>([
    ['modules/m/templates/x.epp', '<% include m::none %>\n', ["0:unknown_class unknown class 'm::none'"]],
    [
      'data/common.yaml',
      'm::port: x\nm::prt: 1\n',
      [
        "0:wrong_type Class[M]: parameter 'port' expects an Integer value, got String",
        "1:unread_data_key nothing reads the key 'm::prt': Class[M] has no parameter 'prt'. Did you mean 'port'?",
      ],
    ],
    [
      'modules/m/templates/x.erb',
      '<%# @a %>\n<% @b = 1 %><%= @b %> @c <%= "@d #{@e}" %>\n',
      ["1:unset_template_variable '@e' is not set in this template"],
    ],
  ])('are shown in %s', async (name, text, expected) => {
    await (await open({ '.puppet-lint.rc': '--unset_template_variable-check\n' })).type(name, text)
    await expect.poll(() => list(name)).toEqual(expected)
  })
})

describe('a Puppetfile', () => {
  it.each<readonly [what: string, text: string, expected: readonly string[]]>([
    ['without faults', "mod 'puppetlabs/stdlib'\nmod 'ntp', git: 'https://git.example.com/ntp.git', tag: 'v1'\n", []],
    ['of any host', "mod 'ntp', git: 'git@127.0.0.1:ntp.git'\n", []],
    [
      'with an unknown option',
      "mod 'ntp',\n  git: 'https://git.example.com/ntp.git', tga: 'v1'\n",
      ["0:PUPPETFILE_UNKNOWN_KEY Module ntp cannot handle option 'tga'\nDid you mean 'tag'?"],
    ],
    [
      'with a module twice',
      "mod 'a/ntp', '1.0.0'\nmod 'b/ntp', '1.0.0'\n",
      [
        '1:PUPPETFILE_DUPLICATES Puppetfiles cannot contain duplicate module names. Remove the duplicates of the following modules: ntp\nThe module is also declared on line 1.',
      ],
    ],
    [
      'with a syntax error',
      "mod 'a/ntp', {\n",
      [expect.stringMatching(/^\d:PUPPETFILE_FAILED Failed to evaluate Puppetfile: /)],
    ],
    [
      'with an unknown word',
      "modd 'a/ntp'\n",
      [expect.stringMatching(/^0:PUPPETFILE_FAILED .*unrecognized declaration [`']modd'\nDid you mean 'mod'\?$/)],
    ],
    ['that reads a file', "File.read('/etc/passwd')\n", [expect.stringMatching(/^0:PUPPETFILE_FAILED /)]],
  ])('%s has its errors', async (_, text, expected) => {
    await (await open()).type('Puppetfile', text)
    await expect.poll(() => list('Puppetfile'), { timeout: 20_000 }).toEqual(expected)
  })
})
