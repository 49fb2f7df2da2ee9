import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { gitIdentity } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { runPlumbTest } from '../../workbench/spec/sample-suite.ts'

function makeModule(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder('watched')
  for (const [path, text] of Object.entries({ 'metadata.json': '{"name": "me-own"}', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Starts `plumb test`. `saw` resolves when the output after the last match contains the text. */
function start(
  folder: string,
  words: readonly string[],
  env = {},
): { child: ChildProcess; saw(text: string): Promise<void> } {
  const child = spawn(process.execPath, [plumbMain, 'test', ...words], { cwd: folder, env: { ...process.env, ...env } })
  let output = ''
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      wake()
    })
  return {
    child,
    async saw(text) {
      while (!output.includes(text))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      output = output.slice(output.indexOf(text) + text.length)
    },
  }
}

const own = {
  'manifests/init.pp': "class own { notify { 'a': } }\n",
  'manifests/init_test.pp': "test('a', { on => none }) || {\n  include own\n  expect_resource(Notify['a'])\n}\n",
}

describe('plumb test', () => {
  it('runs again after changes with --watch, and ends with the last status', async () => {
    const folder = makeModule(own)
    const { child, saw } = start(folder, ['--watch', '--vardir', scratchFolder('watch-var')])
    await saw('1 example, 0 failures')
    await saw('Waiting for changes')
    writeFileSync(join(folder, 'manifests/init.pp'), "class own { notify { 'b': } }\n")
    await saw('1 example, 1 failure')
    await saw('Waiting for changes')
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    expect(await ended).toEqual([1, null])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('removes the data of tests after %s', async (signal) => {
    const tests = Array.from({ length: 400 }, (_, at) => `test('t${at}', { on => none, data => { x => 1 } }) || {}\n`)
    const folder = makeModule({ 'manifests/init_test.pp': tests.join('') })
    const TMPDIR = scratchFolder('test-data')
    const { child, saw } = start(folder, ['--format', 'documentation', '--vardir', scratchFolder('var')], { TMPDIR })
    await saw('ok t0')
    const ended = once(child, 'exit')
    child.kill(signal)
    expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null])
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith('plumb-test'))).toEqual([])
  })
})

const leftOut = without('RSpec')

describe(`plumb test --only-changed${leftOut}`, { skip: leftOut !== '' }, () => {
  it('runs the spec files that read a changed file', async () => {
    const spec = (name: string) =>
      `require 'spec_helper'\ndescribe '${name}' do\n  it { is_expected.to compile }\nend\n`
    const folder = makeModule({
      'manifests/init.pp': 'class own {}\n',
      'manifests/other.pp': "class own::other { notify { 'x': message => template('own/x.erb') } }\n",
      'templates/x.erb': 'x\n',
      'spec/spec_helper.rb': "require 'puppetlabs_spec_helper/module_spec_helper'\n",
      'spec/classes/init_spec.rb': spec('own'),
      'spec/classes/other_spec.rb': spec('own::other'),
    })
    for (const words of [
      ['init', '--quiet'],
      ['add', '.'],
      ['commit', '--quiet', '-m', 'one'],
    ])
      execaSync('git', ['-C', folder, ...words], { env: gitIdentity })
    const vardir = scratchFolder('record-var')
    const run = () => runPlumbTest(folder, ['--only-changed', 'HEAD', '--vardir', vardir])
    writeFileSync(join(folder, 'manifests/init.pp'), '# Changed.\nclass own {}\n')
    const first = await run()
    expect(first.stderr).toContain('Running all tests: there is no record of an earlier run')
    expect(first.stdout).toContain('2 examples, 0 failures')
    writeFileSync(join(folder, 'manifests/init.pp'), 'class own {}\n')
    writeFileSync(join(folder, 'templates/x.erb'), 'y\n')
    execaSync('git', ['-C', folder, 'commit', '--quiet', '-am', 'two'], { env: gitIdentity })
    writeFileSync(join(folder, 'templates/x.erb'), 'z\n')
    const other = await run()
    expect(other.stderr).toContain('Running 2 of 2 spec files')
    const again = await run()
    expect(again.stderr).toContain('Running 1 of 2 spec files')
    expect(again.stdout).toContain('1 example, 0 failures')
    writeFileSync(join(folder, 'lib.rb'), '')
    expect((await run()).stderr).toContain('every test may depend on lib.rb')
    expect((await runPlumbTest(folder, ['--only-changed', '--x', '--vardir', vardir])).exitCode).toBe(1)
  })
})
