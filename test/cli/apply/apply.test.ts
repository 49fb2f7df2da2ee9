import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../src/cli/program.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('cli-apply-options')

async function apply(...words: string[]) {
  const said = { out: '', err: '' }
  const io = {
    stdin: process.stdin,
    color: false,
    out: (text: string) => {
      said.out += text
    },
    err: (text: string) => {
      said.err += text
    },
  }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  return { status: await runCommandLine(['apply', ...places, ...words], io), ...said }
}

describe('tags of plumb apply', () => {
  const code = `
    class a::b { notify { 'qualified': } }
    include a::b
    notify { 'dashed': tag => 'x-y' }
    notify { 'upper': tag => 'Z' }
    notify { 'umlaut': tag => 'É' }`
  const all = ['qualified', 'dashed', 'upper', 'umlaut']

  // Each row was run with `puppet apply` of Puppet 7.23. Puppet: util/tagging.rb, transaction.rb, util/skip_tags.rb.
  it.each<readonly [options: readonly string[], applied: readonly string[]]>([
    [['--tags', 'A::B'], ['qualified']],
    [['--tags', 'X-Y,'], ['dashed']],
    [
      ['--tags', ' Z , B'],
      ['qualified', 'upper'],
    ],
    [['--tags', 'é'], ['umlaut']],
    [['--tags', ',,'], all],
    [
      ['--skip_tags', 'A::B'],
      ['dashed', 'upper', 'umlaut'],
    ],
    [
      ['--skip_tags', 'z,É'],
      ['qualified', 'dashed'],
    ],
    [['--tags', 'A::B,Z', '--skip_tags', 'z'], ['qualified']],
  ])('%j', async (options, applied) => {
    const { status, out } = await apply('-e', code, ...options)
    expect(status).toBe(0)
    expect(all.filter((name) => out.includes(`Notice: ${name}\n`))).toEqual(applied)
  })

  it.each(['--tags', '--skip_tags'])('%s rejects a text that is no tag', async (option) => {
    const { status, err } = await apply('-e', code, option, 'A b')
    expect([status, err]).toEqual([1, "Error: Failed to apply catalog: Invalid tag 'a b'\n"])
  })
})

describe('the prefix of an error of plumb apply', () => {
  // Compared with `puppet apply` of Puppet 7.23: the first error only, without the place.
  it.each<readonly [code: string, error: string]>([
    ['$x = ', 'Could not parse for environment production: Syntax error at end of input on node node'],
    ['nosuch()', "Evaluation Error: Unknown function: 'nosuch'. on node node"],
    ["file { 'a': }", "Parameter path failed on File[a]: File paths must be fully qualified, not 'a'"],
    ["file { '/a': mode => 'x' }", 'Parameter mode failed on File[/a]: The file mode specification is invalid: "x"'],
    [
      "exec { 'ls': }",
      "Validation of Exec[ls] failed: 'ls' is not qualified and no path was specified. Please qualify the command or specify a path.",
    ],
    [
      "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }",
      'Failed to apply catalog: One or more resource dependency cycles detected in graph',
    ],
  ])('%s', async (code, error) => {
    const { status, err } = await apply('-e', code)
    const lines = err.replace(/ \(line: [^)]*\)/g, '').split('\n')
    expect(status).toBe(1)
    expect(lines.filter((line) => line.startsWith('Error: ') && !line.includes('Found 1 dependency'))).toEqual([
      `Error: ${error}`,
    ])
  })

  it('is `Could not run` for an invalid resource of a given catalog', async () => {
    const type = (name: string, title: string) => ({ type: name, title, parameters: {} })
    const resources = [type('Stage', 'main'), { ...type('File', '/a'), parameters: { mode: 'x' } }]
    const catalog = { name: 'node', version: '1', environment: 'production', resources, edges: [], classes: [] }
    writeFileSync(join(folder, 'catalog.json'), JSON.stringify(catalog))
    expect(await apply('--catalog', join(folder, 'catalog.json'))).toMatchObject({
      status: 1,
      err: 'Error: Could not run: Parameter mode failed on File[/a]: The file mode specification is invalid: "x"\n',
    })
  })
})

describe('the folders of plug-ins', () => {
  // As `puppet apply` of Puppet 7.23 does.
  it('are there before a manifest is applied', async () => {
    const vardir = join(folder, 'plugins')
    const facts = join(vardir, 'facts.d/role.txt')
    const custom = join(vardir, 'lib/facter')
    const code = `file { '${facts}': content => "role=web" } file { '${custom}': ensure => directory }`
    const { err } = await apply('-e', code, '--vardir', vardir)
    expect(err).toBe('')
    expect([readFileSync(facts, 'utf8'), statSync(custom).isDirectory()]).toEqual(['role=web', true])
  })
})

describe('the environment of plumb apply', () => {
  it.each([[[]], [['--modulepath', folder]]])('must exist, unless it is production: %j', async (options) => {
    const { status, err } = await apply('--environment', 'nosuch', '-e', 'notice(1)', ...options)
    expect(status).toBe(1)
    expect(err).toContain("Could not find a directory environment named 'nosuch' anywhere in the path: ")
    expect(await apply('-e', 'notice(1)', ...options)).toMatchObject({ status: 0, err: '' })
  })
})

describe('external facts of modules', () => {
  it('have an empty text for null inside of a fact, as Puppet has', async () => {
    mkdirSync(join(folder, 'modules/m/facts.d'), { recursive: true })
    writeFileSync(join(folder, 'modules/m/facts.d/y.yaml'), 'e_deep: { none: ~, list: [~] }\n')
    const notice = 'notice($facts["e_deep"])'
    expect((await apply('--modulepath', join(folder, 'modules'), '-e', notice)).out).toContain('{none => , list => []}')
    const types = "notice($facts['e_deep']['none'] =~ String, $facts['e_deep']['list'][0] =~ String)"
    expect((await apply('--modulepath', join(folder, 'modules'), '-e', types)).out).toContain('true true')
  })
})

describe('a catalog with a relationship to a missing resource', () => {
  // `puppet apply --catalog` prints "Could not retrieve dependency 'Notify[b]' of Notify[a]" and exits with 0; the
  // agent prints these words. docs/differences.md
  it.each([
    ['require', 'Could not find dependency Notify[b] for Notify[a]'],
    ['subscribe', 'Could not find dependency Notify[b] for Notify[a]'],
    ['before', 'Could not find dependent Notify[b] for Notify[a]'],
    ['notify', 'Could not find dependent Notify[b] for Notify[a]'],
  ])('%s', async (relationship, message) => {
    const file = join(folder, 'catalog.json')
    const resources = [{ type: 'Notify', title: 'a', parameters: { [relationship]: 'Notify[b]' } }]
    writeFileSync(file, JSON.stringify({ name: 'node', environment: 'production', resources }))
    const { status, err } = await apply('--catalog', file)
    expect(err).toContain(`Error: Failed to apply catalog: ${message}\n`)
    expect(status).toBe(1)
  })
})
