// Files whose names or contents are unusual, from our server to our agent and back into the filebucket.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const names = ['a#b', 'a?b', 'a%b', 'a%20b', 'a b', 'ä', '[x]', '{y}', 'a+b&c=d', "quo'te", '"', '\\', '~', ':']
const contents = (name: string) => Buffer.concat([Buffer.from(name), Buffer.of(0xff, 0, 0x0a)])
const folder = scratchFolder('odd-names')
const root = join(folder, 'root')
let server: RunningServer

const quoted = (name: string) => `"${name.replace(/[\\"$]/g, '\\$&')}"`
const single = names
  .map((name) => `file { ${quoted(`/single/${name}`)}: source => ${quoted(`puppet:///modules/m/tree/${name}`)} }`)
  .join('\n')

beforeAll(async () => {
  const files = Object.fromEntries(names.map((name) => [`modules/m/files/tree/${name}`, contents(name)]))
  const below = { 'modules/m/files/tree/d #?%[ä]/inner': contents('inner') }
  const repository = controlRepository({ ...files, ...below, 'modules/m/files/new\nline': 'x' })
  // Names that are not UTF-8 are made by a shell.
  const made = spawnSync(
    'sh',
    ['-c', 'mkdir -p modules/m/files/latin; echo x > "modules/m/files/latin/$(printf "n\\351")"'],
    {
      cwd: repository.work,
    },
  )
  expect(made.status).toBe(0)
  repository.push({
    'manifests/site.pp': `
      filebucket { 'server': path => false }
      File { backup => 'server' }
      case $facts['part'] {
        'newline': { file { '/newline': source => "puppet:///modules/m/new\\nline" } }
        'latin': { file { '/latin': ensure => directory, recurse => true, source => 'puppet:///modules/m/latin' } }
        default: {
          file { '/tree': ensure => directory, recurse => true, source => 'puppet:///modules/m/tree' }
          file { '/single': ensure => directory }
          ${single}
        }
      }`,
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true', reports: 'store' } })
})

afterAll(async () => {
  await server?.stop()
})

const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const where = () => ['--certname', 'node.test', '--server', 'localhost', '--serverport', String(server.port)]

async function agent(part = '') {
  const words = ['agent', '--test', ...places, '--agent_root', root, ...where()]
  const env = { FACTER_part: part }
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...words], { reject: false, env })
  return { status: exitCode, out: stdout, err: stderr }
}

async function bucket(...words: string[]) {
  const all = ['filebucket', ...words, '--remote', ...places, ...where()]
  const options = { reject: false, encoding: 'buffer', stripFinalNewline: false } as const
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...all], options)
  return { status: exitCode, out: Buffer.from(stdout), err: String(Buffer.from(stderr)) }
}

describe('files with unusual names', () => {
  it('arrive unchanged, alone and as part of a tree', async () => {
    const { status, err } = await agent()
    expect(err).toBe('')
    expect(status).toBe(2)
    for (const place of ['tree', 'single'])
      for (const name of names) expect(readFileSync(join(root, place, name)).equals(contents(name)), name).toBe(true)
    expect(readdirSync(join(root, 'single')).toSorted()).toEqual(names.toSorted())
    expect(readFileSync(join(root, 'tree/d #?%[ä]/inner')).equals(contents('inner'))).toBe(true)
    expect((await agent()).status).toBe(0)
  })

  it('come back from the filebucket of the server byte for byte', async () => {
    const old = Buffer.from([0x6f, 0xe9, 0x0a])
    for (const name of names) writeFileSync(join(root, 'single', name), Buffer.concat([old, Buffer.from(name)]))
    const { status, err } = await agent()
    expect([status, err]).toEqual([2, ''])
    for (const name of names) {
      const bytes = Buffer.concat([old, Buffer.from(name)])
      const sum = createHash('sha256').update(bytes).digest('hex')
      const found = await bucket('get', sum)
      expect([found.err, found.out.toString('latin1')]).toEqual(['', bytes.toString('latin1')])
    }
  })

  it('are kept, compared and restored by the command', async () => {
    const home = join(folder, 'by hand')
    mkdirSync(home)
    const file = join(home, names.join('').slice(0, 40))
    const sums: string[] = []
    for (const bytes of [Buffer.of(0xe9, 0x0a), Buffer.of(0xe8, 0x0a)]) {
      writeFileSync(file, bytes)
      const { out } = await bucket('backup', file)
      sums.push(String(out).trim().split(': ').at(-1)!)
    }
    const [first = '', second = ''] = sums
    const { out } = await bucket('diff', first, second)
    expect(out.subarray(out.indexOf('@@')).toString('latin1')).toBe('@@ -1 +1 @@\n-\xe9\n+\xe8\n')
    expect((await bucket('restore', file, first)).err).toBe('')
    expect(readFileSync(file).equals(Buffer.of(0xe9, 0x0a))).toBe(true)
  })

  // Puppet Server, too, rejects control characters in the path of a request.
  it('that contain a newline are an error that names the resource', async () => {
    const { status, err } = await agent('newline')
    expect(err).toContain('Error: /Stage[main]/Main/File[/newline]')
    expect(err).toContain('Error 400 on SERVER: Invalid path')
    expect(status).toBe(4)
    expect(existsSync(join(root, 'newline'))).toBe(false)
  })

  it('that are not UTF-8 are an error that names the file', async () => {
    const { status, err } = await agent('latin')
    expect(err).toContain(String.raw`n\xE9`)
    expect(status).not.toBe(0)
  })
})
