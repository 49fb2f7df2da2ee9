import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../../support/plumb.ts'
import { type PuppetRun, puppetRuns } from '../../../support/puppet-runs.ts'
import { hasPuppet, withoutPuppet } from '../../../support/real-puppet.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const modules = join(import.meta.dirname, 'modules')
const rack = join(modules, 'rack')
const slots = { a: 'router', old: 'dust' }

const manifest = (place: string) => `
  rack_slot { 'a': device => 'switch' }
  rack_slot { 'b': device => $facts['rack']['room'], notify => Notify['hello'] }
  rack_slot { 'old': ensure => absent }
  rack_slot { 'c': device => 'piano' }
  rack_note { 'one': text => "slots \${facts['rack']['slots']} \${facts['rack']['kind']}" }
  notify { 'hello': }
  class never { file { '${place}/never': ensure => file } exec { '/bin/touch ${place}/never': } }
  include never`

/** A folder with two devices, of which one has the wrong key. */
function devicesOf(who: string) {
  const folder = scratchFolder(`device-${who}`)
  mkdirSync(join(folder, 'etc'))
  const credentials = (token: string) => `{ path: "${folder}/slots.json", token: ${token} }`
  writeFileSync(join(folder, 'good.conf'), credentials('sesame'), { mode: 0o600 })
  writeFileSync(join(folder, 'bad.conf'), credentials('wrong'), { mode: 0o600 })
  const device = (name: string, file: string) => `[${name}.${who}.test]\ntype rack\nurl file://${folder}/${file}.conf\n`
  writeFileSync(join(folder, 'etc/device.conf'), `# racks\n${device('rack', 'good')}\n${device('bad', 'bad')}`)
  writeFileSync(join(folder, 'slots.json'), JSON.stringify(slots))
  writeFileSync(join(folder, 'site.pp'), manifest(folder))
  return folder
}

interface Done {
  readonly status: number
  readonly out: readonly string[]
  readonly err: readonly string[]
}

const wordsOf = (folder: string, words: readonly string[]) => [
  ...['device', '--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--basemodulepath', modules],
  ...words.map((word) => word.replace('@', folder)),
]

/** A run without what differs: folder, names, times, sums. */
function cleaned(folder: string, { exitCode = -1, stdout, stderr }: Partial<Record<keyof PuppetRun, unknown>>): Done {
  const clean = (text: string) =>
    text
      .replaceAll(folder, '@')
      .replaceAll(/\.(?:ours|real)\.test/g, '.test')
      .replaceAll(/\d+\.\d+ seconds/g, 'N seconds')
      .replaceAll(/"clientversion": "[\d.]+"|,\n {2}"(?:timestamp|expiration)": "[^"]+"/g, '')
      .split('\n')
      .filter((line) => !/^$|^ {2}(?:Use )?plumb|Facter|lines\.|gsub|\^\^/.test(line))
  return { status: Number(exitCode), out: clean(String(stdout)), err: clean(String(stderr)) }
}

const ours = async (folder: string, words: readonly string[]): Promise<Done> =>
  cleaned(folder, await execa(process.execPath, [plumbMain, ...wordsOf(folder, words)], { reject: false }))

const real = (runs: readonly (readonly [folder: string, words: readonly string[]])[]): readonly Done[] =>
  puppetRuns(runs.map(([folder, words]) => [...wordsOf(folder, words), '--color=false'])).map((done, at) =>
    cleaned(runs[at]![0], { ...done }),
  )

const slotsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'slots.json'), 'utf8'))

const cases: Readonly<Record<string, readonly string[]>> = {
  facts: ['--target', 'rack.who.test', '--facts'],
  'all resources of a type': ['--target', 'rack.who.test', '--resource', 'rack_slot'],
  'a single resource': ['--target', 'rack.who.test', '--resource', 'rack_slot', 'a'],
  'a resource that is not there': ['--target', 'rack.who.test', '--resource', 'rack_slot', 'none'],
  'a type that is not there': ['--target', 'rack.who.test', '--resource', 'rack_shelf'],
  'a manifest': ['--target', 'rack.who.test', '--apply', '@/site.pp'],
  'a manifest that is not there': ['--target', 'rack.who.test', '--apply', '@/none.pp'],
  'facts of no target': ['--facts'],
  'facts of a target that is not there': ['--target', 'none', '--facts'],
}

describe.skipIf(!hasPuppet)(`devices without a server, as real Puppet has them${withoutPuppet}`, () => {
  const names = Object.keys(cases)
  const folders = names.map(() => ({ ours: devicesOf('ours'), real: devicesOf('real') }))
  const of = (name: string, who: string) => [
    ...cases[name]!.map((word) => word.replace('who', who)),
    ...['--libdir', join(rack, 'lib')],
  ]
  let answers: readonly Done[]

  beforeAll(() => {
    answers = real(names.map((name, at) => [folders[at]!.real, of(name, 'real')]))
  })

  it.each(names.map((name, at) => [name, at] as const))('%s', async (name, at) => {
    const place = folders[at]!
    expect(await ours(place.ours, of(name, 'ours'))).toEqual(answers[at])
    expect(slotsIn(place.ours)).toEqual(slotsIn(place.real))
    expect(existsSync(join(place.ours, 'never'))).toBe(false)
  })

  it('a manifest after someone changed the device, and after its facts became unavailable', async () => {
    const places = { ours: devicesOf('ours'), real: devicesOf('real') }
    const wordsFor = (who: string) => [
      '--target',
      `rack.${who}.test`,
      '--apply',
      '@/site.pp',
      '--libdir',
      join(rack, 'lib'),
    ]
    const runBoth = async () => [await ours(places.ours, wordsFor('ours')), real([[places.real, wordsFor('real')]])[0]!]
    const everywhere = (change: (file: string) => void) => {
      for (const folder of Object.values(places)) change(join(folder, 'slots.json'))
    }
    await runBoth()
    everywhere((file) => writeFileSync(file, JSON.stringify(slots)))
    const [changed, theirs] = await runBoth()
    expect(changed).toEqual(theirs)
    expect(changed!.out.join('\n')).toContain('(corrective)')
    everywhere((file) => rmSync(file))
    const [failed, theirFailed] = await runBoth()
    // Real Puppet logs the error again as a wrapped exception.
    expect(failed).toEqual({ ...theirFailed, err: theirFailed!.err.slice(0, 1) })
    expect(failed!.err[0]).toContain('Could not retrieve facts for rack.test: ')
  })
})

describe('a device that cannot be reached', () => {
  it('tells no key, nor a password in its URL', async () => {
    const folder = devicesOf('ours')
    const file = join(folder, 'etc/device.conf')
    writeFileSync(file, `${readFileSync(file, 'utf8')}[web.ours.test]\ntype rack\nurl https://me:hush@h.test/x\n`)
    const words = ['--facts', '--debug', '--target']
    const [bad, web] = await Promise.all([
      ours(folder, [...words, 'bad.ours.test']),
      ours(folder, [...words, 'web.ours.test']),
    ])
    expect(bad.status).toBe(1)
    expect(bad.err).toEqual(["Error: Can't load rack for bad.test: the key does not fit"])
    expect(bad.out.join('\n')).toContain('opened with Sensitive [value redacted]')
    expect(bad.out.join('\n')).not.toContain('wrong')
    expect(web.status).toBe(1)
    expect(web.out).toContain('Info: retrieving facts from web.test at https://h.test:443/x')
    expect(`${web.out} ${web.err}`).not.toContain('hush')
    expect(web.err.join('\n')).toContain("Unexpected url 'https://h.test/x' found.")
  })
})

describe.skipIf(!hasPuppet)(`devices and a server${withoutPuppet}`, () => {
  let server: RunningServer
  const folders = { ours: devicesOf('ours'), real: devicesOf('real') }

  beforeAll(async () => {
    const code = Object.fromEntries(
      (readdirSync(rack, { recursive: true }) as string[])
        .filter((path) => statSync(join(rack, path)).isFile())
        .map((path) => [`modules/rack/${path}`, readFileSync(join(rack, path), 'utf8')]),
    )
    const repository = controlRepository({ ...code, 'manifests/site.pp': manifest('/nonexistent') })
    repository.push({}, 'production')
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  })

  afterAll(async () => {
    await server?.stop()
  })

  it('each device has a certificate, plug-ins, a catalog and a report of its own, as with real Puppet', async () => {
    const words = ['--server', 'localhost', '--serverport', String(server.port), '--detailed-exitcodes', '--verbose']
    const both = [...words, '--keylength', '2048', '--waitforcert', '0']
    const own = await ours(folders.ours, both)
    const theirs = real([[folders.real, both]])[0]!
    expect(own.status).toBe(theirs.status)
    // Ours tells the server: docs/differences.md.
    expect(own.err.map((line) => line.replace('Failed to apply catalog: ', ''))).toEqual(theirs.err)
    const lines = ({ out }: typeof own) => out.filter((line) => /Rack|rack_slot\[|hello/.test(line))
    expect(lines(own)).toEqual(lines(theirs))
    expect(own.out).toContain('Info: starting applying configuration to rack.test at file://@/good.conf')
    expect(slotsIn(folders.ours)).toEqual({ a: 'switch', b: 'cellar' })
    expect(slotsIn(folders.real)).toEqual({ a: 'switch', b: 'cellar' })
    const state = join(folders.ours, 'var/devices/rack.ours.test')
    expect(existsSync(join(state, 'lib/puppet/transport/rack.rb'))).toBe(true)
    expect(existsSync(join(state, 'ssl/certs/rack.ours.test.pem'))).toBe(true)
    expect(existsSync(join(folders.ours, 'etc/devices/rack.ours.test/ssl/private_keys/rack.ours.test.pem'))).toBe(true)
    for (const who of ['ours', 'real'] as const) {
      const folder = join(server.vardir, 'reports', `rack.${who}.test`)
      const [report = ''] = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      expect(report).toMatch(/^status: failed$/m)
      expect(report).toContain('Rack_note[one]')
    }
  })

  it('a second run does only what failed', async () => {
    const words = ['--server', 'localhost', '--serverport', String(server.port), '--detailed-exitcodes', '--verbose']
    const own = await ours(folders.ours, [...words, '--target', 'rack.ours.test'])
    const theirs = real([[folders.real, [...words, '--target', 'rack.real.test']]])[0]!
    expect(own.status).toBe(6)
    expect(own.status).toBe(theirs.status)
    const lines = ({ out }: typeof own) => out.filter((line) => line.includes('Rack_'))
    expect(lines(own)).toEqual(lines(theirs))
  })
})
