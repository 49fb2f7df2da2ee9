import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const site = `
node default {
  notice("for \${trusted['certname']}")
  file { '/one': source => 'puppet:///modules/demo/one.txt', mode => '0644' }
  file { '/tree/': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree/' }
  file { '/gone': ensure => absent, source => 'puppet:///modules/demo/nowhere' }
}
`
const sha256 = (text: string) => `{sha256}${createHash('sha256').update(text).digest('hex')}`

const facts = ['--facts', join(scratchFolder('catalog'), 'facts.yaml')]
writeFileSync(facts[1]!, 'role: web\n')

describe('plumb catalog', () => {
  let code: ControlRepository
  let first = ''
  const compile = (...more: string[]) =>
    plumb(['catalog', 'compile', '--repo', code.bare, '--node', 'a.example.com', ...facts, ...more])

  beforeAll(() => {
    code = controlRepository({
      'manifests/site.pp': site,
      'modules/demo/files/one.txt': 'one\n',
      'modules/demo/files/tree/sub/two words.txt': 'two\n',
    })
    first = code.git('rev-parse', 'HEAD')
  })

  it('prints the wire alone, and what the manifest logs beside it', async () => {
    const { stdout, stderr, exitCode } = await compile()
    const catalog = JSON.parse(String(stdout))
    expect({ exitCode, stderr, code_id: catalog.code_id }).toEqual({
      exitCode: 0,
      stderr: 'Notice: Scope(Node[default]): for a.example.com',
      code_id: first,
    })
    expect(catalog.metadata['/one']).toMatchObject({
      checksum: { type: 'sha256', value: sha256('one\n') },
      content_uri: 'puppet:///modules/demo/files/one.txt',
      source: 'puppet:///modules/demo/one.txt',
    })
    const tree = catalog.recursive_metadata['/tree/']['puppet:///modules/demo/tree']
    expect(tree.map((file: { relative_path: string }) => file.relative_path)).toEqual(['.', 'sub', 'sub/two words.txt'])
    expect(tree[2]).toMatchObject({
      checksum: { value: sha256('two\n') },
      content_uri: 'puppet:///modules/demo/files/tree/sub/two words.txt',
    })
  })

  it('prints the same bytes for the same commit', async () => {
    expect((await compile()).stdout).toBe((await compile('--at', first, '--environment', 'production')).stdout)
  })

  it('says what is wrong and fails', async () => {
    const { stdout, stderr, exitCode } = await plumb([
      'catalog',
      'compile',
      '--node',
      'a',
      ...facts,
      '--code',
      'include nope',
    ])
    const message =
      'Error: Evaluation Error: Error while evaluating a Function Call, Could not find class ::nope for a (line: 1, column: 1) on node a'
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: message, exitCode: 1 })
  })

  it('warns of a source that is not there, and leaves it out', async () => {
    const manifest = `file { '/x': source => 'puppet:///modules/demo/nowhere' }
file { '/y': recurse => true,
  source => ['puppet:///modules/demo/none', 'puppet:///modules/demo/nothing'] }
file { '/z': source => Sensitive('puppet:///modules/demo/secret') }
file { '/one': source => 'puppet:///modules/demo/one.txt' }`
    code.push({ 'manifests/site.pp': manifest }, 'broken')
    const { stdout, stderr, exitCode } = await compile('--at', 'broken')
    const catalog = JSON.parse(String(stdout))
    expect([exitCode, Object.keys(catalog.metadata), catalog.recursive_metadata]).toEqual([0, ['/one'], undefined])
    const said = String(stderr).replaceAll(/file: [^,]*\/manifests/g, 'file: manifests')
    expect(said.split('\n')).toEqual([
      'Warning: Could not get metadata for puppet:///modules/demo/nowhere, the source of File[/x] (file: manifests/site.pp, line: 1, column: 14)',
      'Warning: Could not get metadata for puppet:///modules/demo/none or puppet:///modules/demo/nothing, the source of File[/y] (file: manifests/site.pp, line: 3, column: 3)',
      'Warning: Could not get metadata for Sensitive [value redacted], the source of File[/z] (file: manifests/site.pp, line: 4, column: 14)',
    ])
  })

  it('shows what changes between two commits', async () => {
    const changed = site.replace("mode => '0644'", "mode => '0600'").replace("'/gone': ensure", "'/away': ensure")
    code.push({ 'manifests/site.pp': changed, 'modules/demo/files/one.txt': 'uno\n' }, 'next')
    const words = ['catalog', 'diff', first, 'next', '--repo', code.bare, '--node', 'a.example.com', ...facts]
    const { stdout, exitCode } = await plumb(words)
    expect(exitCode).toBe(0)
    expect(String(stdout).split('\n')).toEqual([
      '- File[/gone]',
      '+ File[/away]',
      '~ File[/one]',
      '    mode: "0644" => "0600"',
      `    content of source: "${sha256('one\n')}" => "${sha256('uno\n')}"`,
      '- Node[default] contains File[/gone]',
      '+ Node[default] contains File[/away]',
      '1 added, 1 removed, 1 changed',
    ])
    expect((await plumb([...words, '--detailed-exitcodes'])).exitCode).toBe(2)
    const same = ['catalog', 'diff', first, first, ...words.slice(4)]
    expect(await plumb([...same, '--detailed-exitcodes'])).toMatchObject({ exitCode: 0, stdout: 'No differences.' })
  })

  it('says which of two commits has no catalog', async () => {
    code.push({ 'manifests/site.pp': 'include nope' }, 'wrong')
    const { stderr, exitCode } = await plumb([
      'catalog',
      'diff',
      first,
      'wrong',
      '--repo',
      code.bare,
      '--node',
      'a',
      ...facts,
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^Could not compile the catalog from 'wrong':\nError: .*Could not find class ::nope/)
  })

  it('ends Ruby that does not end by itself, as a server does', async () => {
    code.push(
      {
        'manifests/site.pp': 'demo::forever()',
        'modules/demo/lib/puppet/functions/demo/forever.rb':
          "Puppet::Functions.create_function(:'demo::forever') do\n  def forever\n    loop { }\n  end\nend\n",
      },
      'runaway',
    )
    const { stderr, exitCode } = await compile('--at', 'runaway', '--ruby_timeout', '2s')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Error while evaluating a Function Call, Ruby code of a module ran longer than 2 seconds')
    expect(stderr).toContain('site.pp, line: 1, column: 1) on node a.example.com')
  })
})
