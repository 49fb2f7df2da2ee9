import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suiteFolders } from '../../../src/cli/test/rspec-arguments.ts'
import { without } from '../../support/needs.ts'
import { asksProgram, recordedAnswers } from '../../support/recorded-answers.ts'
import { copySampleModule, type ExampleResult, readResults, resultsFile, runPlumbTest } from './sample-suite.ts'

const real = recordedAnswers(import.meta.filename, 'rspec-puppet 2.9.0 with Puppet 7.23.0')

/** Runs RSpec with the real rspec-puppet in a copy of the module. Returns what it prints. */
function runRspec(folder: string, words: readonly string[]): string {
  mkdirSync(join(folder, 'spec/fixtures/modules'), { recursive: true })
  symlinkSync(folder, join(folder, 'spec/fixtures/modules/sample'))
  return spawnSync('rspec', words, { cwd: folder, timeout: 240_000, encoding: 'utf8' }).stdout
}

const tested = suiteFolders
  .map((name) => `spec/${name}`)
  .filter((name) => name !== 'spec/aliases' && name !== 'spec/unit')

/** Results of the real rspec-puppet. */
function askRspecPuppet(): readonly ExampleResult[] {
  const folder = copySampleModule()
  runRspec(folder, ['--format', 'json', '--out', resultsFile(folder), ...tested])
  return readResults(resultsFile(folder)).map(({ message, ...rest }) => ({
    ...rest,
    message: message?.replaceAll('spec/fixtures/modules', 'MODULES'),
  }))
}

/** Requires a file that reports the coverage at the end. */
function reportCoverage(folder: string): string {
  writeFileSync(join(folder, 'coverage.rb'), "require 'spec_helper'\nat_exit { RSpec::Puppet::Coverage.report! }\n")
  writeFileSync(join(folder, '.rspec'), '--require ./coverage.rb\n')
  return folder
}

const findReport = (text: string): string => text.slice(text.indexOf('Total resources:')).trimEnd()

/** Recording, and comparing with what was recorded, also needs the real rspec-puppet. */
const leftOut = asksProgram ? without('RSpec', 'rspec-puppet 2.9') : without('RSpec')

describe(`the suite of a module${leftOut}`, { skip: leftOut !== '' }, () => {
  const folder = copySampleModule()

  it.each([
    ['an installed Ruby', 'ruby'],
    ['the built-in Ruby', 'built-in'],
  ])("has the results, descriptions and messages of rspec-puppet's matchers in %s", async (_, ruby) => {
    const expected = real.one('every matcher', tested, askRspecPuppet)
    const { exitCode, stderr } = await runPlumbTest(folder, [
      '--ruby',
      ruby,
      '--strict',
      'warning',
      '--jobs',
      '2',
      '--format',
      'json',
      '--out',
      resultsFile(folder),
    ])
    expect(stderr).toBe('')
    expect(exitCode).toBe(1)
    const found = readResults(resultsFile(folder)).map(({ message, ...rest }) => ({
      ...rest,
      message: message?.replaceAll(/\/\S*\/plumb-test-\w+\/modules/g, 'MODULES'),
    }))
    expect(found).toEqual(expected)
  })

  it('runs in the built-in Ruby if no Ruby is found', async () => {
    const { exitCode, stdout } = await runPlumbTest(folder, ['spec/hosts'], { PATH: '/nonexistent' })
    expect(stdout).toMatch(/^1 example, 0 failures$/m)
    expect(exitCode).toBe(0)
  })

  it('exits with 0 if the selected examples pass, and prints the formats of RSpec', async () => {
    const junit = join(folder, 'results.xml')
    const words = ['spec/hosts', '--format', 'documentation', '--format', 'junit', '--out', junit]
    const { exitCode, stdout } = await runPlumbTest(folder, words)
    expect(stdout).toMatch(
      /^web1\.example\.com\n {2}is expected to contain Notify\[host web1 .*\n\nFinished in .*\n1 example, 0 failures$/ms,
    )
    expect(exitCode).toBe(0)
    const { stdout: checked } = spawnSync('cat', [junit], { encoding: 'utf8' })
    expect(checked).toMatch(/<testsuite name="rspec" tests="1" failures="0" skipped="0" errors="0"/)
  })

  it('stops after the first failure with --fail-fast', async () => {
    const { exitCode, stdout } = await runPlumbTest(folder, ['spec/type_aliases', '--fail-fast'])
    expect(stdout).toMatch(/^4 examples, 1 failure$/m)
    expect(exitCode).toBe(1)
  })

  it.each(['ruby', 'built-in'])('reports the coverage of all processes once: %s', async (ruby) => {
    const words = ['spec/classes/resources_spec.rb', 'spec/defines']
    const expected = real.one('coverage', words, () => findReport(runRspec(reportCoverage(copySampleModule()), words)))
    const { stdout } = await runPlumbTest(reportCoverage(folder), [...words, '--jobs', '2', '--ruby', ruby])
    expect(String(stdout).match(/Coverage Report:/g)).toHaveLength(1)
    expect(findReport(String(stdout))).toBe(expected)
  })
})

describe('options of a suite', () => {
  it.each([
    [['--jobs', '0'], "Invalid value '0' for --jobs: expected a positive number"],
    [['--out', 'x'], '--out x needs a --format of its own'],
    [['--ruby_path', '/nonexistent/ruby'], "Could not start '/nonexistent/ruby' as the Ruby of the suite"],
  ])('%j are rejected with a reason', async (words, message) => {
    const { exitCode, stderr } = await runPlumbTest(copySampleModule(), words)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(1)
  })

  it('a folder without a suite is rejected with a reason', async () => {
    const { exitCode, stderr } = await runPlumbTest('/', [])
    expect(stderr).toContain('No tests found in .')
    expect(exitCode).toBe(1)
  })
})
