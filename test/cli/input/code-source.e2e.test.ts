import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../src/cli/program.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Code that says where it comes from. */
const code = (where: string): Record<string, string> => ({
  'manifests/site.pp': `notify { m::where(): message => "\${facts['role']}" }
if $facts['kept'] == 1 { notify { "kept in \${m::where()}": } }
`,
  'modules/m/functions/where.pp': `function m::where() { '${where}' }\n`,
  'modules/m/templates/where.epp': `${where}\n`,
  'modules/m/files/tree/where.txt': `${where}\n`,
  'hiera.yaml': 'version: 5\nhierarchy: [{name: c, path: c.yaml}]\n',
  'data/c.yaml': `where: ${where}\n`,
})

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const folder = scratchFolder('code-source')
const [set, given] = [controlRepository(code('setting')), controlRepository(code('option'))]
set.push(code('feature of the setting'), 'feature/x')
const environments = join(folder, 'etc/code/environments')
write(join(environments, 'production'), code('folder'))
write(join(environments, 'feature_x'), code('feature of the folder'))
write(folder, { 'facts.yaml': 'role: given\n' })

const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'n.test']
const plumb = (...words: string[]) => runHere([...words, ...places])
const facts = ['--facts', join(folder, 'facts.yaml')]

/** Commands that take code, and how each says where it found it. */
const commands: Readonly<Record<string, (where: string) => string>> = {
  'catalog compile': (where) => `"title":"${where}"`,
  'lookup where': (where) => `--- ${where}\n`,
  'script -e notice(m::where())': (where) => `Notice: Scope(Class[main]): ${where}\n`,
  'epp render m/where.epp': (where) => `${where}\n`,
  'epp dump m/where.epp': (where) => where,
}
const cases = Object.keys(commands).flatMap((line) => [
  { line, options: [], where: 'folder' },
  { line, options: ['--code_repo', set.bare], where: 'setting' },
  { line, options: ['--code_repo', set.bare, '--environment', 'feature_x'], where: 'feature of the setting' },
  { line, options: ['--code_repo', set.bare, '--at', 'feature/x'], where: 'feature of the setting' },
  { line, options: ['--code_repo', set.bare, '--repo', given.bare], where: 'option' },
  { line, options: ['--at', 'feature_x'], where: 'feature of the folder' },
])
const takesFacts = /^(?:catalog|lookup)/

describe('commands that take code', () => {
  it.each(cases)('$line finds it in the $where', async ({ line, options, where }) => {
    const { status, out, err } = await plumb(...line.split(' '), ...options, ...(takesFacts.test(line) ? facts : []))
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain(commands[line]!(where))
  })

  it.each(cases)('$line refuses a ref that is not in the $where', async ({ line, options }) => {
    const { status, out, err } = await plumb(...line.split(' '), ...options, '--at', 'nosuch')
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^Error: (?:'nosuch' is not a commit of|Could not find a directory environment named 'nosuch')/)
  })

  it('compile with --code has the modules of what is found, and needs none', async () => {
    const compile = (...words: string[]) => plumb('catalog', 'compile', ...facts, ...words)
    const inPlace = ['--code', 'notify { "in ${m::where()}": }']
    expect((await compile(...inPlace, '--code_repo', set.bare)).out).toContain('"in setting"')
    expect((await compile(...inPlace)).out).toContain('"in folder"')
    const nowhere = ['--environmentpath', join(folder, 'nowhere')]
    const alone = await compile('--code', 'notify { "alone": }', ...nowhere)
    const other = await compile('--code', '', ...nowhere, '--environment', 'other')
    expect(other.err).toContain("Could not find a directory environment named 'other'")
    expect(alone).toMatchObject({ status: 0, err: '' })
    expect(alone.out).toContain('"alone"')
  })

  it('lookup and module list need no folder of the environment production', async () => {
    write(folder, { 'global/hiera.yaml': code('')['hiera.yaml']!, 'global/data/c.yaml': 'where: global\n' })
    const nowhere = ['--environmentpath', join(folder, 'nowhere'), '--basemodulepath', join(folder, 'base')]
    write(folder, { 'base/m/metadata.json': '{"name": "acme-m", "version": "1.0.0"}' })
    const lookup = (...words: string[]) => plumb('lookup', 'where', ...facts, ...nowhere, ...words)
    const global = join(folder, 'global/hiera.yaml')
    expect(await lookup('--default', 'x')).toEqual({ status: 0, out: '--- x\n', err: '' })
    expect(await lookup()).toEqual({ status: 1, out: '', err: '' })
    expect(await lookup('--hiera_config', global)).toEqual({ status: 0, out: '--- global\n', err: '' })
    expect(await lookup('--hiera', global, '--compile')).toEqual({ status: 0, out: '--- global\n', err: '' })
    expect((await lookup('--default', 'x', '--environment', 'other')).err).toContain(
      "Could not find a directory environment named 'other'",
    )
    expect((await plumb('module', 'list', ...nowhere)).out).toBe(`${folder}/base\n└── acme-m (v1.0.0)\n`)
  })

  it('lookup --compile evaluates the manifests of the environment with --hiera, too', async () => {
    write(folder, { 'by-role/hiera.yaml': 'version: 5\nhierarchy: [{name: r, path: "%{set}.yaml"}]\n' })
    write(folder, { 'by-role/data/site.yaml': 'key: by site.pp\n' })
    const site = ['--environmentpath', join(folder, 'with-site')]
    write(folder, { 'with-site/production/manifests/site.pp': "$set = 'site'\n" })
    const hiera = ['--hiera', join(folder, 'by-role/hiera.yaml')]
    expect((await plumb('lookup', 'key', ...facts, ...site, ...hiera, '--compile')).out).toBe('--- by site.pp\n')
  })

  it.each([
    ['folder', []],
    ['setting', ['--code_repo', set.bare]],
    ['option', ['--code_repo', set.bare, '--repo', given.bare]],
  ])('apply has modules, data and files of the %s', async (where, options) => {
    const target = join(folder, `applied ${where}`)
    const files = `file { '${target}': source => 'puppet:///modules/m/tree', recurse => true, require => Notify[m::where()] }`
    const { status, out, err } = await plumb('apply', '-e', `notify { lookup('where'): } ${files}`, ...options)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain(`Notify[${where}]`)
    expect(readFileSync(join(target, 'where.txt'), 'utf8')).toBe(`${where}\n`)
  })

  it('catalog diff compares commits of the setting, or folders', async () => {
    const diff = (...words: string[]) => plumb('catalog', 'diff', ...facts, ...words)
    const inGit = await diff('production', 'feature/x', '--code_repo', set.bare)
    expect(inGit.out).toContain('+ Notify[feature of the setting]')
    const inFolders = await diff('production', 'feature_x')
    expect(inFolders.out).toContain('+ Notify[feature of the folder]')
    expect((await diff('production', 'nosuch')).err).toContain("named 'nosuch'")
    expect((await diff('production', 'nosuch', '--code_repo', set.bare)).err).toContain("'nosuch' is not a commit of")
  })

  it('say what there is when an environment is not there', async () => {
    const show = (...words: string[]) => plumb('environment', 'show', ...words)
    expect((await show('prodction', '--repo', set.bare)).err).toBe(
      `Error: Could not find a directory environment named 'prodction' anywhere in the path\n  Did you mean 'production'? Branches served from ${set.bare}: feature_x (feature/x), production.\n`,
    )
    expect((await show('other')).err).toMatch(
      /^Error: Could not find a directory environment named 'other' anywhere in the path: .*\/environments\. Does the directory exist\?\n {2}Available environments: feature_x, production\.\n$/,
    )
    const empty = await show('production', '--environmentpath', join(folder, 'nowhere'))
    expect(empty.err).toContain('Name a Git repository with --repo or code_repo')
    expect((await plumb('code', 'check')).err).toContain('Use --repo PATH, or set code_repo.')
    expect((await plumb('code', 'check', '--repo', set.bare, 'nosuch')).err).toContain(
      'Name a branch, a tag, or a commit by its id.',
    )
  })

  it('environment show and list take a repository too', async () => {
    const { out } = await plumb('environment', 'show', 'feature_x', '--repo', set.bare)
    expect(out).toContain(`code_id = ${set.git('rev-parse', 'feature/x')}\n`)
    expect((await plumb('environment', 'list', '--repo', given.bare)).out).toBe(
      `production  ${given.git('rev-parse', 'production')}\n`,
    )
  })

  it('parser validate checks the main manifest of a ref, or on a terminal of the environment', async () => {
    const commit = set.push({ 'manifests/a.pp': 'class {' }, 'broken')
    const { status, err } = await plumb('parser', 'validate', '--code_repo', set.bare, '--at', 'broken')
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Notice: No manifest specified\. Validating the default manifest \S+\/broken\/manifests\nError: /,
    )
    expect(err).toContain('Could not parse for environment broken: Syntax error at end of input (file: ')
    expect((await plumb('parser', 'validate', '--repo', set.bare, '--at', `${commit}~1`)).status).toBe(0)
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    const terminal = { stdin: Object.assign(new PassThrough(), { isTTY: true }), out: say, err: say, color: false }
    expect(await runCommandLine(['parser', 'validate', ...places], terminal)).toBe(0)
    expect(said.join('')).toBe(
      `Notice: No manifest specified. Validating the default manifest ${environments}/production/manifests\n`,
    )
  })
})

describe('facts of commands that compile', () => {
  const keep = (node: string, role: string) =>
    write(folder, { [`var/server_data/facts/${node}.json`]: JSON.stringify({ name: node, values: { role, kept: 1 } }) })
  keep('web.test', 'kept')

  it('are those that the server keeps, with a file of them over these', async () => {
    const compile = async (...words: string[]) =>
      (await plumb('catalog', 'compile', '--node', 'web.test', ...words)).out
    expect(await compile()).toContain('"message":"kept"')
    expect(await compile(...facts)).toContain('"message":"given"')
    const both = ['--code', 'notify { "${facts[kept]} ${facts[role]}": }', ...facts]
    expect(await compile(...both)).toContain('"1 given"')
  })

  it('are those of this machine where no node is named', async () => {
    const { out } = await plumb('catalog', 'compile', '--code', 'notify { "on ${facts[kernel]}": }')
    expect(out).toContain('"on Linux"')
  })

  it('are missed where there are none', async () => {
    const { status, err } = await plumb('catalog', 'compile', '--node', 'new.test', '--code', 'notify { "x": }')
    expect([status, err]).toEqual([
      0,
      'Warning: No facts available for target node: new.test\n  Give them with --facts FILE, as JSON or YAML.\n',
    ])
  })

  it('are those of each node of a fleet', async () => {
    const [nodes, output] = [join(folder, 'nodes'), join(folder, 'out')]
    write(folder, { nodes: 'web.test\n', 'facts/web.test.yaml': 'role: file\n' })
    const compile = async (...words: string[]) => {
      await plumb('catalog', 'compile', '--nodes', nodes, '--output', output, ...words)
      return readFileSync(join(output, 'web.test.json'), 'utf8')
    }
    expect(await compile()).toContain('"message":"kept"')
    expect(await compile('--facts-dir', join(folder, 'facts'))).toContain('"message":"file"')
    const { out } = await plumb('catalog', 'diff', 'production', 'feature_x', '--nodes', nodes)
    expect(out).toContain('+ Notify[kept in feature of the folder]')
  })

  it('are those of a node that is compared', async () => {
    const diff = (node: string) => plumb('catalog', 'diff', 'production', 'feature_x', '--node', node)
    expect((await diff('web.test')).out).toContain('+ Notify[kept in feature of the folder]')
    expect((await diff('new.test')).err).toContain('Warning: No facts available for target node: new.test\n')
  })
})

// Each row was run with Puppet 7.23: `lookup` has the run mode server, the other commands have the run mode user.
describe('the section of puppet.conf that names the environment', () => {
  const sections = join(folder, 'sections')
  const conf = ['[main]', `environmentpath = ${join(sections, 'environments')}`, '[user]', 'environment = users']
  for (const name of ['users', 'servers']) write(join(sections, 'environments', name), code(name))
  write(sections, {
    'puppet.conf': [...conf, '[server]', 'environment = servers\n'].join('\n'),
    'wrong.pp': "notify 'x'\n",
    'where.epp': '<%= m::where() %>',
  })
  const config = ['--config', join(sections, 'puppet.conf')]

  it.each<readonly [words: readonly string[], printed: string]>([
    [['apply', '-e', 'notify { m::where(): }'], 'Notice: users\n'],
    [['script', '-e', 'notice(m::where())'], ': users\n'],
    [['parser', 'validate', join(sections, 'wrong.pp')], 'Could not parse for environment users:'],
    [['epp', 'render', join(sections, 'where.epp')], 'users'],
    [['module', 'list'], join(sections, 'environments/users/modules')],
    [['lookup', 'where'], 'servers'],
  ])('%j', async (words, printed) => {
    const { out, err } = await plumb(...words, ...config)
    expect(`${out}${err}`).toContain(printed)
  })

  it('does not decide the repository, which is that of the server', async () => {
    const confFile = join(sections, 'with-repository.conf')
    writeFileSync(confFile, `[server]\ncode_repo = ${set.bare}\n`)
    const { out } = await plumb('apply', '-e', 'notify { m::where(): }', '--config', confFile)
    expect(out).toContain('Notice: setting\n')
  })
})
