import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chanceOf } from '../../support/chance.js'
import { controlRepository } from '../../support/control-repository.ts'
import { isNight, seed } from '../../support/nightly.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const files = 500
/** Random moments at which a run is killed; all of them nightly. */
const moments = isNight ? 300 : 15
const folder = scratchFolder('crash')
const root = join(folder, 'root')
const releases = ['one', 'two'] as const
const text = (release: string, index: number) => `${release} ${index}\n`.repeat(200)

let server: RunningServer

beforeAll(async () => {
  const site = (release: string) => `file { '/tree': ensure => directory }
    Integer[0, ${files / 2 - 1}].each |$n| { file { "/tree/\${n}": source => "puppet:///modules/many/\${n}" } }
    Integer[${files / 2}, ${files - 1}].each |$n| {
      $lines = Integer[1, 200].map |$_| { "${release} \${n}\\n" }
      file { "/tree/\${n}": content => $lines.join('') }
    }`
  const repository = controlRepository({ 'manifests/site.pp': '' })
  for (const release of releases) {
    const sources = Array.from({ length: files / 2 }, (_, index) => [
      `modules/many/files/${index}`,
      text(release, index),
    ])
    repository.push({ ...Object.fromEntries(sources), 'manifests/site.pp': site(release) }, release)
  }
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
}, 120_000)
afterAll(async () => {
  await server?.stop()
})

function words(release: string): string[] {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--agent_root', root]
  const who = ['--certname', 'node.example.test', '--key_type', 'ec', '--server', 'localhost']
  const port = ['--serverport', String(server.port)]
  return ['agent', '--test', ...places, ...who, ...port, '--environment', release, '--no-show_diff']
}

/** What is in a file that is no release of it; `undefined` of one that is whole, or not there yet. */
function torn(index: number): string | undefined {
  const path = join(root, 'tree', String(index))
  if (!existsSync(path)) return undefined
  const found = readFileSync(path, 'utf8')
  if (releases.some((release) => found === text(release, index))) return undefined
  return `${path}: ${found.length} bytes, ${JSON.stringify(found.slice(0, 20))}`
}

const all = Array.from({ length: files }, (_, index) => index)

/** Runs to the end; every file is then of this release, and nothing else is there. */
async function converges(release: string): Promise<void> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...words(release)], { reject: false })
  expect([exitCode, stderr], stdout.slice(-1000)).toEqual([expect.toBeOneOf([0, 2]), ''])
  const others = all.filter((index) => readFileSync(join(root, 'tree', String(index)), 'utf8') !== text(release, index))
  expect(others).toEqual([])
  for (const name of ['agent_catalog_run.lock', 'state.yaml.bad', 'transactionstore.yaml.bad'])
    expect(existsSync(join(folder, 'var/state', name))).toBe(false)
}

it(
  `loses nothing when it is killed at ${moments} random moments of a run that writes ${files} files (RANDOM_SEED=${seed})`,
  async () => {
    await converges('one')
    const begun = performance.now()
    await converges('two')
    const longest = performance.now() - begun
    const chance = chanceOf(seed)
    for (let moment = 0; moment < moments; moment++) {
      const release = releases[moment % 2]!
      const afterMs = chance(longest)
      const child = spawn(process.execPath, [plumbMain, ...words(release)], { stdio: 'ignore' })
      const ended = new Promise((done) => child.once('exit', done))
      // Wall clock: the moment of the kill is of no matter.
      const killer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      await ended
      clearTimeout(killer)
      expect(
        all.flatMap((index) => torn(index) ?? []),
        `killed after ${afterMs} ms`,
      ).toEqual([])
      const cache = join(folder, 'var/client_data/catalog/node.example.test.json')
      expect(() => JSON.parse(readFileSync(cache, 'utf8')), `killed after ${afterMs} ms`).not.toThrow()
      if (moment % 8 === 6) await converges(release)
    }
    const others = () => readdirSync(join(root, 'tree')).filter((name) => !/^\d+$/.test(name))
    expect(others().length).toBeLessThanOrEqual(moments)
    // What was half written when a run was killed goes with a later run, once nobody can be writing it any more.
    await converges('one')
    writeFileSync(join(root, 'tree/.1.0123456789ab.tmp'), 'half')
    const earlier = new Date(Date.now() - 3_600_000)
    for (const name of others()) utimesSync(join(root, 'tree', name), earlier, earlier)
    const child = spawn(process.execPath, [plumbMain, ...words('two')], { stdio: 'ignore' })
    const ended = new Promise((done) => child.once('exit', done))
    const notes = () => readdirSync(join(folder, 'var/state/unfinished')).length
    await expect.poll(notes, { interval: 5 }).toBe(1)
    child.kill('SIGKILL')
    await ended
    await converges('two')
    expect(others().length).toBeLessThanOrEqual(1)
    expect(others()).not.toContain('.1.0123456789ab.tmp')
  },
  moments * 20_000 + 120_000,
)
