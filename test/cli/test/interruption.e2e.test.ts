import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { writeFiles } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A module, and folders of FacterDB and of temporary files. */
function createModule(files: Readonly<Record<string, string>>) {
  const folder = scratchFolder('interrupted')
  const facts = (release: number) => JSON.stringify({ os: { family: 'Debian', release: { major: `${release}` } } })
  const db = Array.from({ length: 200 }, (_, at) => [
    `gems/gems/facterdb-2.0.0/facts/4.2/debian-${at}-x86_64.facts`,
    facts(at),
  ])
  writeFiles(folder, { 'module/metadata.json': '{"name": "me-own"}', ...Object.fromEntries(db) })
  writeFiles(`${folder}/module`, files)
  return { folder, temporary: scratchFolder('interrupted-data') }
}

function start({ folder, temporary }: ReturnType<typeof createModule>, words: readonly string[]): ChildProcess {
  const places = ['--vardir', `${folder}/var`, '--confdir', `${folder}/etc`, '--gem-path', `${folder}/gems`]
  return spawn(process.execPath, [plumbMain, 'test', ...words, ...places], {
    cwd: `${folder}/module`,
    env: { ...process.env, TMPDIR: temporary },
  })
}

const listData = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('plumb-test'))

async function interrupt(child: ChildProcess, signal: NodeJS.Signals, temporary: string) {
  const ended = once(child, 'exit')
  child.kill(signal)
  return { ended: await ended, data: listData(temporary) }
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('plumb test --facts fleet removes its data after %s', async (signal, status) => {
  const classes = Array.from({ length: 300 }, (_, at) => [
    `manifests/c${at}.pp`,
    `class own::c${at} { notify { 'a': } }\n`,
  ])
  const module = createModule({ ...Object.fromEntries(classes), 'manifests/init.pp': 'class own { }\n' })
  const child = start(module, ['--facts', 'fleet'])
  await expect.poll(() => listData(module.temporary), { interval: 20, timeout: 30_000 }).toHaveLength(1)
  expect(await interrupt(child, signal, module.temporary)).toEqual({ ended: [status, null], data: [] })
})

const leftOut = without('RSpec')

it(`a suite in the built-in Ruby removes its data after SIGINT${leftOut}`, { skip: leftOut !== '' }, async () => {
  const spec = "describe 'endless' do\n  it { $stderr.puts 'begun'; loop {} }\nend\n"
  const module = createModule({ 'spec/classes/own_spec.rb': spec, 'manifests/init.pp': 'class own { }\n' })
  const child = start(module, ['spec', '--ruby', 'built-in'])
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  await expect.poll(() => output, { interval: 50, timeout: 60_000 }).toContain('begun')
  expect(await interrupt(child, 'SIGINT', module.temporary)).toEqual({ ended: [130, null], data: [] })
})
