import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyCatalog } from '../../../src/agent/apply.ts'
import { moduleSources } from '../../../src/agent/file-sources.ts'
import { type LogLine, logTo } from '../../../src/agent/log.ts'
import { type RunLimits, withinTime } from '../../../src/agent/process/run-timeout.ts'
import { rubyOptions } from '../../../src/agent/ruby/ruby-options.ts'
import { requestFor, unclassified } from '../../../src/cli/compile-options.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { openParts } from '../../../src/environments/open-environment.ts'
import { loadSettings } from '../../../src/settings/settings.ts'
import { localSystem } from '../../../src/system/local-system.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const scratch = scratchFolder('snares')
const modules = join(scratch, 'modules')
mkdirSync(modules)
mkdirSync(join(scratch, 'state'))
symlinkSync(join(import.meta.dirname, '..', 'beside-puppet', 'modules', 'things'), join(modules, 'things'))

type Limits = Partial<RunLimits>

/** Applies snares, one after the other; failures by title, and all lines of the log. */
async function spring(codes: readonly string[], value = "'new'", { system = localSystem, ...limits }: Limits = {}) {
  const manifest = codes
    .map((code, index) => `snare { '${index}': code => '${code.replaceAll("'", "\\'")}', value => ${value} }`)
    .join('\n')
  const settings = loadSettings({ given: { confdir: join(scratch, 'etc'), vardir: scratch, certname: 'vm' } })
  const environment = openParts({ name: 'production', modulepath: [modules], manifest: { text: manifest } })
  const request = requestFor({ node: 'vm', facts: {}, classified: unclassified }, environment, settings)
  const lines: LogLine[] = []
  const applied = await applyCatalog(compile(request).catalog, {
    settings: { ...settings, statedir: scratch },
    system,
    machine: localSystem,
    facts: {},
    sources: moduleSources(localSystem.files, []),
    log: logTo({ write: (line) => void lines.push(line) }),
    ruby: {
      ...rubyOptions({ settings, facts: {}, loadPath: [join(modules, 'things', 'lib')] }),
      ...(limits.end && { deadline: limits.end.at }),
    },
    ...(limits.stopRequested && { stopRequested: limits.stopRequested }),
    timeOver: limits.end?.signal,
  })
  const failed = applied.statuses.filter((status) => status.failed).map(({ entry }) => entry.title)
  const skipped = applied.statuses.filter((status) => status.skipped).map(({ entry }) => entry.title)
  const report = JSON.stringify(applied.statuses.map(({ events }) => events))
  return {
    applied: applied.applied,
    failed,
    skipped,
    report,
    lines: lines.map(({ level, message }) => `${level}: ${message}`),
  }
}

describe('a provider that misbehaves', () => {
  it('fails alone', async () => {
    const { applied, failed, lines } = await spring([
      'exit',
      'exit!',
      'raise Exception, "bare"',
      'throw :nobody',
      'def again(n) = again(n + 1); again(0)',
      'File.open("/__bridge__", "r+b") { |f| f.syswrite("garbage") }',
      'abort("enough")',
      'Process.kill(:NOSUCH, 0)',
      'raise "caf\\xC3".b',
      '$stdout.sync = true',
      'prefetched',
    ])
    expect(applied).toBe(true)
    // What is written to the bridge (5) is no answer: nobody reads it.
    expect(failed).toEqual(['0', '1', '2', '3', '4', '6', '7', '8', '10'])
    expect(lines.filter((line) => line.includes('change from'))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/change from 'old' to 'new' failed: bare/),
        expect.stringMatching(/change from 'prefetched' to 'new' failed: /),
      ]),
    )
  })

  it('cannot tell what is not to be shown', async () => {
    const told = ['raise "got #{resource[:value]}"', 'warning(resource[:value])', 'resource.err(resource[:value])']
    const { failed, lines, report } = await spring(told, "Sensitive('opensesame')")
    expect(failed).toEqual(['0'])
    expect(lines.filter((line) => line.includes('[redacted]')).length).toBeGreaterThan(3)
    expect(`${lines.join('\n')}${report}`).not.toContain('opensesame')
  })

  it('cannot fill the log', async () => {
    const { failed, lines } = await spring(['20_000.times { |i| notice("x" * 10) }', '1'])
    expect(failed).toEqual([])
    expect(lines.length).toBeLessThan(6_000)
    expect(lines).toContain('warning: Ruby code logs more than is kept; the rest is dropped')
  })

  it('ends with the time of its run', async () => {
    const outcomes = await Promise.all(['loop {}', 'sleep 600', 'system("sleep 600")'].map(withinSeconds))
    for (const { status, sprung, said } of outcomes) {
      expect(status).toBe(1)
      expect(said).toEqual([
        `Execution of Puppet configuration client did not complete within ${seconds} seconds and was terminated.`,
      ])
      expect(sprung).toMatchObject({ applied: true, failed: ['0'] })
      expect(sprung?.skipped).toContain('1')
      expect(sprung?.lines).toContain("err: change from 'old' to 'new' failed: execution expired")
    }
  })
})

/** Enough for three of Ruby to start on a busy machine. */
const seconds = 30

/** Springs a snare, and would another one, in a run that has only so much time. */
async function withinSeconds(code: string) {
  const said: string[] = []
  const log = logTo({ write: ({ message }) => void said.push(message) })
  const stop = new AbortController().signal
  let sprung: Awaited<ReturnType<typeof spring>> | undefined
  const status = await withinTime(
    { settings: { runtimeout: seconds }, system: localSystem, log, stop },
    async (limits) => {
      sprung = await spring([code, '1'], "'new'", limits)
    },
  )
  return { status, sprung, said }
}
