import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('file-names')
const environment = join(folder, 'environments', 'site')
const files = join(environment, 'modules/m/files')

const names = [
  'a b',
  'a%b',
  'a%20b',
  'a+b',
  'a&b',
  'a[b]',
  'a#b',
  'a?b',
  'a?x=1&y#z',
  'äü😀',
  'a\nb',
  "a'b",
  'a"b',
  'a\\b',
  'a:b',
  'a*b{c}^d|e`<f>',
  'd#r ?/x%41',
]
for (const name of ['a', ...names]) {
  mkdirSync(dirname(join(files, 'odd', name)), { recursive: true })
  writeFileSync(join(files, 'odd', name), `content of ${name}`)
}

async function apply(code: string) {
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const io = { stdin: process.stdin, color: false, out: say('out'), err: say('err') }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  const site = ['--environmentpath', dirname(environment), '--environment', 'site']
  return { status: await runCommandLine(['apply', '-e', code, ...site, ...places], io), ...said }
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

describe.each([
  ['puppet://', 'puppet:///modules/m/odd'],
  ['a local path', `${files}/odd`],
  ['file://', `file://${files}/odd`],
])('sources of %s', (_, source) => {
  const target = scratchFolder('file-names-target')

  it('may have any character in a name', async () => {
    const code = names.map((name, at) => `file { '${target}/${at}': source => ${quoted(`${source}/${name}`)} }`)
    expect((await apply(code.join('\n'))).err).toBe('')
    for (const [at, name] of names.entries())
      expect(readFileSync(join(target, String(at)), 'utf8')).toBe(`content of ${name}`)
  })

  it('may have any character in a name below a folder', async () => {
    const tree = join(target, 'tree')
    const code = `file { '${tree}': ensure => directory, recurse => true, source => '${source}' }`
    expect((await apply(code)).err).toBe('')
    for (const name of names) expect(readFileSync(join(tree, name), 'utf8')).toBe(`content of ${name}`)
  })

  it('fail where a file is missing whose name begins with that of a folder', async () => {
    const code = `file { '${target}/none': source => '${source}/d#r ?#x' }`
    expect((await apply(code)).err).toContain('Could not retrieve information from environment site source(s)')
    expect(statSync(join(target, 'none'), { throwIfNoEntry: false })).toBeUndefined()
  })
})

// As `puppet apply`, which does not tell the name.
describe('a folder with a name that is not UTF-8', () => {
  const raw = join(files, 'raw')
  mkdirSync(raw)
  writeFileSync(Buffer.concat([Buffer.from(`${raw}/a`), Buffer.from([0xff])]), 'x')

  it.each([
    ['is not copied', `source => 'puppet:///modules/m/raw'`],
    ['is not copied from a path', `source => '${raw}'`],
    ['is not purged', 'purge => true'],
  ])('%s', async (_, attribute) => {
    const path = attribute.startsWith('purge') ? raw : join(folder, 'copy')
    const { err } = await apply(`file { '${path}': ensure => directory, recurse => true, ${attribute} }`)
    const why = 'invalid byte sequence in UTF-8: the file name'
    expect(err).toContain(`Failed to generate additional resources using 'eval_generate': ${why} "${raw}/a\\xFF"`)
  })
})
