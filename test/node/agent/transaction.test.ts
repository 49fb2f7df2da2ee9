import { describe, expect, it } from 'vitest'
import type { CommandResult, System } from '../../../src/machine/system/system.ts'
import { AppliedCatalog } from '../../../src/node/agent/applied-catalog.ts'
import { createModuleSources } from '../../../src/node/agent/file-sources.ts'
import { createLog } from '../../../src/node/agent/log.ts'
import type { StatusBuilder } from '../../../src/node/agent/report-builder.ts'
import { openRunState } from '../../../src/node/agent/state-files.ts'
import { Transaction, type TransactionOptions } from '../../../src/node/agent/transaction.ts'
import type { ProviderServices } from '../../../src/node/resources/provider.ts'
import { MachineRestart } from '../../../src/node/resources/providers/reboot/machine-restart.ts'
import { types } from '../../../src/node/resources/types.ts'
import { recordingSystem } from '../resources/recording-system.ts'
import { catalogOf } from './small-catalog.ts'

interface Case {
  readonly manifest: string
  readonly options?: Partial<TransactionOptions>
  /** Answers of programs, by the start of the command line; the others succeed and say nothing. */
  readonly answers?: Readonly<Record<string, Partial<CommandResult>>>
  /** Programs that are not there at first; a command line that brings one. */
  readonly missing?: Readonly<Record<string, string>>
  /** A type that nobody here knows. */
  readonly unknownType?: string
  /** Times at which resources were last looked at, in milliseconds. */
  readonly checked?: Readonly<Record<string, number>>
  /** Resources after which the run is to stop. */
  readonly stopAfter?: number
  readonly expected: {
    /** Command lines that were run, in order. */
    readonly runs?: readonly string[]
    /** Lines of the log, without those of levels that say how it went. */
    readonly logs?: readonly string[]
    /** Parts of lines that the log does not have. */
    readonly unsaid?: readonly string[]
    /** What became of the resources of which there is something to say. */
    readonly statuses: Readonly<Record<string, string>>
    readonly throws?: string
  }
}

const plain: TransactionOptions = {
  noop: false,
  tags: [],
  skipTags: [],
  ignoreSchedules: false,
  isForDevice: false,
  evaltrace: false,
}
const programs = Object.fromEntries(['true', 'false', 'a', 'b', 'c', 'd'].map((name) => [`/bin/${name}`, '']))
const failing = { '/bin/false': { status: 1 } }

/** `changed`, `failed skipped` … of a resource; nothing where nothing happened. */
function wordsOf(status: StatusBuilder): string {
  const { failed, failedToRestart, restarted, skipped, changed, outOfSync } = status
  const words = { failed, failedToRestart, restarted, skipped, changed, outOfSync: outOfSync && !changed && !failed }
  return Object.entries(words)
    .filter(([, holds]) => holds)
    .map(([word]) => word)
    .join(' ')
}

async function outcomeOf(each: Case) {
  const { manifest, options, answers, missing = {}, checked = {}, stopAfter = Number.POSITIVE_INFINITY } = each
  const texts: Record<string, string> = {
    ...programs,
    '/etc/group': 'root:x:0:\n',
    '/proc/1/comm': 'systemd\n',
    '/state/state.yaml': JSON.stringify(
      Object.fromEntries(
        Object.entries(checked).map(([reference, time]) => [reference, { ':checked': new Date(time).toISOString() }]),
      ),
    ),
  }
  const recording = recordingSystem(texts, answers)
  const write = async (path: string, content: string | Uint8Array) => {
    texts[path] = String(content)
  }
  const system: System = {
    ...recording,
    files: { ...recording.files, write } as typeof recording.files,
    commands: {
      run: recording.commands.run,
      async find(name, path) {
        const bringer = missing[name]
        if (bringer !== undefined && !recording.commandsRun.includes(bringer)) return undefined
        return recording.commands.find(name, path)
      },
    },
  }
  const lines: string[] = []
  const log = createLog({
    write: ({ level, message, source = 'Puppet' }) =>
      void lines.push(`${level} ${source.replace('/Stage[main]/Main/', '')}: ${message}`),
  })
  const catalog = new AppliedCatalog(
    catalogOf(manifest),
    new Map([...types].filter(([name]) => name !== each.unknownType)),
  )
  const services: ProviderServices = {
    system,
    sources: createModuleSources(system.files, []),
    restart: new MachineRestart(),
    buckets: { backup: async () => undefined },
    instances: async () => [],
    settings: { show_diff: false, digest_algorithm: 'sha256', compatibility: 'puppet8' },
    facts: { kernel: 'Linux', os: { family: 'Debian' } },
    catalog,
  }
  const places = { statefile: '/state/state.yaml', transactionstorefile: '/state/transactionstore.yaml' }
  const state = await openRunState(system.files, places, (said) => lines.push(said))
  const transaction = new Transaction(catalog, services, { ...plain, ...options }, state, log)
  let thrown: string | undefined
  let asked = 0
  try {
    await transaction.prepare()
    await transaction.relate()
    await transaction.run(() => ++asked > stopAfter)
  } catch (error) {
    thrown = (error as Error).message
  }
  const { statuses, completed } = transaction.result
  const said = Object.fromEntries(
    statuses
      .filter(({ entry }) => !['Schedule', 'Filebucket'].includes(entry.typeName))
      .map((status) => [status.entry.reference, wordsOf(status)] as const)
      .filter(([, words]) => words !== ''),
  )
  return { runs: recording.commandsRun, lines, statuses: said, thrown, completed, events: statuses }
}

const cases: Readonly<Record<string, Case>> = {
  'a failure stops who waits for it, and those who wait for these; it is announced once': {
    manifest: `
      exec { '/bin/false': }
      exec { '/bin/a': require => Exec['/bin/false'] }
      exec { '/bin/b': require => Exec['/bin/a'] }
      exec { '/bin/c': }`,
    answers: failing,
    expected: {
      runs: ['/bin/false', '/bin/c'],
      logs: [
        "err Puppet: '/bin/false' returned 1 instead of one of [0]",
        "err Exec[/bin/false]/returns: change from 'notrun' to ['0'] failed: '/bin/false' returned 1 instead of one of [0]",
        'notice Exec[/bin/a]: Dependency Exec[/bin/false] has failures: true',
        'warning Exec[/bin/a]: Skipping because of failed dependencies',
        'warning Exec[/bin/b]: Skipping because of failed dependencies',
      ],
      unsaid: ['Exec[/bin/b]: Dependency'],
      statuses: {
        'Exec[/bin/false]': 'failed',
        'Exec[/bin/a]': 'skipped',
        'Exec[/bin/b]': 'skipped',
        'Exec[/bin/c]': 'changed',
      },
    },
  },
  'a failure in a container stops who waits for the container': {
    manifest: `
      class x { exec { '/bin/false': } exec { '/bin/a': } }
      include x
      exec { '/bin/b': require => Class['x'] }`,
    answers: failing,
    expected: {
      runs: ['/bin/false', '/bin/a'],
      statuses: { 'Exec[/bin/false]': 'failed', 'Exec[/bin/a]': 'changed', 'Exec[/bin/b]': 'skipped' },
    },
  },
  'a refresh that fails stops who waits, too': {
    manifest: `
      exec { '/bin/a': notify => Exec['r'] }
      exec { 'r': command => '/bin/false', refreshonly => true }
      exec { '/bin/b': require => Exec['r'] }`,
    answers: failing,
    expected: {
      runs: ['/bin/a', '/bin/false'],
      statuses: { 'Exec[/bin/a]': 'changed', 'Exec[r]': 'failed failedToRestart', 'Exec[/bin/b]': 'skipped' },
    },
  },
  'a change refreshes, once, and not who is skipped': {
    manifest: `
      exec { '/bin/a': notify => [Exec['r'], Exec['s']] }
      exec { '/bin/b': notify => Exec['r'] }
      exec { 'r': command => '/bin/c', refreshonly => true }
      exec { 's': command => '/bin/d', refreshonly => true, require => Exec['/bin/false'] }
      exec { '/bin/false': }`,
    answers: failing,
    expected: {
      runs: ['/bin/a', '/bin/b', '/bin/c', '/bin/false'],
      logs: ['info Exec[s]: Unscheduling all events on Exec[s]', "notice Exec[r]: Triggered 'refresh' from 2 events"],
      statuses: {
        'Exec[/bin/a]': 'changed',
        'Exec[/bin/b]': 'changed',
        'Exec[r]': 'restarted changed',
        'Exec[s]': 'skipped',
        'Exec[/bin/false]': 'failed',
      },
    },
  },
  'who failed passes no event on': {
    manifest: `
      exec { '/bin/false': before => Exec['r'] }
      class x { exec { 'in': command => '/bin/false' } }
      include x
      exec { 'r': command => '/bin/c', refreshonly => true, subscribe => Class['x'] }`,
    answers: failing,
    expected: {
      runs: ['/bin/false', '/bin/false'],
      unsaid: ['Scheduling refresh', 'Unscheduling'],
      statuses: { 'Exec[/bin/false]': 'failed', 'Exec[in]': 'failed', 'Exec[r]': 'skipped' },
    },
  },
  'a service that was just started is not restarted': {
    manifest: `
      exec { '/bin/a': notify => [Service['new'], Service['old']] }
      service { 'new': ensure => running, provider => 'systemd' }
      service { 'old': ensure => running, provider => 'systemd' }`,
    answers: { 'systemctl is-active -- new': { status: 3 }, 'systemctl show': { stdout: 'no' } },
    expected: {
      logs: [
        'info Service[new]: Unscheduling refresh on Service[new]',
        "notice Service[old]: Triggered 'refresh' from 1 event",
      ],
      statuses: { 'Exec[/bin/a]': 'changed', 'Service[new]': 'changed', 'Service[old]': 'restarted changed' },
    },
  },
  'noop of the run, of a resource, and against that of the run': {
    options: { noop: true },
    manifest: `
      exec { '/bin/a': }
      exec { '/bin/b': noop => false }
      group { 'g': ensure => present }`,
    expected: {
      runs: ['/bin/b'],
      statuses: { 'Exec[/bin/a]': 'outOfSync', 'Exec[/bin/b]': 'changed', 'Group[g]': 'outOfSync' },
    },
  },
  'noop of one resource, and what it would have refreshed': {
    manifest: `
      exec { '/bin/a': noop => true, notify => Exec['/bin/c'] }
      exec { '/bin/c': refreshonly => true }`,
    expected: {
      runs: [],
      logs: ["notice Exec[/bin/c]: Would have triggered 'refresh' from 1 event"],
      statuses: { 'Exec[/bin/a]': 'outOfSync' },
    },
  },
  'only some tags': {
    options: { tags: ['x', 'y'] },
    manifest: `
      exec { '/bin/a': tag => 'x' }
      exec { '/bin/b': tag => ['z', 'y'] }
      exec { '/bin/c': tag => 'z', require => Exec['/bin/a'] }`,
    expected: {
      runs: ['/bin/a', '/bin/b'],
      logs: ['debug Exec[/bin/c]: Not tagged with x, y'],
      statuses: { 'Exec[/bin/a]': 'changed', 'Exec[/bin/b]': 'changed', 'Exec[/bin/c]': 'skipped' },
    },
  },
  'all but some tags': {
    options: { skipTags: ['x'] },
    manifest: `exec { '/bin/a': tag => 'x' } exec { '/bin/b': }`,
    expected: {
      runs: ['/bin/b'],
      logs: ['debug Exec[/bin/a]: Skipping with skip tags x'],
      statuses: { 'Exec[/bin/a]': 'skipped', 'Exec[/bin/b]': 'changed' },
    },
  },
  'on its schedule': {
    manifest: `
      schedule { 'rare': period => 'weekly' }
      exec { '/bin/a': schedule => 'rare' }
      exec { '/bin/b': schedule => 'never' }
      exec { '/bin/c': schedule => 'daily', require => Exec['/bin/b'] }`,
    checked: { 'Exec[/bin/a]': -60_000, 'Exec[/bin/c]': -25 * 3_600_000 },
    expected: {
      runs: ['/bin/c'],
      logs: ['debug Exec[/bin/a]: Not scheduled', 'debug Exec[/bin/b]: Not scheduled'],
      statuses: { 'Exec[/bin/a]': 'skipped', 'Exec[/bin/b]': 'skipped', 'Exec[/bin/c]': 'changed' },
    },
  },
  'whatever the schedules say': {
    options: { ignoreSchedules: true },
    manifest: `exec { '/bin/b': schedule => 'never' }`,
    expected: { runs: ['/bin/b'], statuses: { 'Exec[/bin/b]': 'changed' } },
  },
  'a schedule that there is not': {
    manifest: `exec { '/bin/a': schedule => 'none' }`,
    expected: { runs: [], statuses: {}, throws: 'Could not find schedule none' },
  },
  'told to stop': {
    manifest: `exec { ['/bin/a', '/bin/b', '/bin/c']: }`,
    // The stage, two classes at both ends, and the first command.
    stopAfter: 5,
    expected: {
      runs: ['/bin/a'],
      statuses: { 'Exec[/bin/a]': 'changed', 'Exec[/bin/b]': 'skipped', 'Exec[/bin/c]': 'skipped' },
    },
  },
  'a provider that another resource brings': {
    manifest: `group { 'g': ensure => present } exec { '/bin/a': }`,
    missing: { groupadd: '/bin/a' },
    expected: {
      runs: ['/bin/a', 'groupadd g'],
      statuses: { 'Exec[/bin/a]': 'changed', 'Group[g]': 'changed' },
    },
  },
  'no provider at all': {
    manifest: `group { ['g', 'h']: ensure => present } exec { '/bin/a': require => Group['g'] } exec { '/bin/b': }`,
    missing: { groupadd: 'never' },
    expected: {
      runs: ['/bin/b'],
      logs: ['err Puppet: Could not find a suitable provider for group'],
      statuses: { 'Group[g]': 'failed', 'Group[h]': 'failed', 'Exec[/bin/a]': 'skipped', 'Exec[/bin/b]': 'changed' },
    },
  },
  'a provider that was asked for and does not work here': {
    manifest: `group { 'g': ensure => present, provider => 'groupadd' }`,
    missing: { groupadd: 'never' },
    expected: {
      runs: [],
      logs: ['err Group[g]: Provider groupadd is not functional on this host'],
      statuses: { 'Group[g]': 'failed' },
    },
  },
  'no provider, but no turn either': {
    options: { tags: ['x'] },
    manifest: `group { 'g': ensure => present }`,
    missing: { groupadd: 'never' },
    expected: { runs: [], statuses: {} },
  },
  'a provider that there is not': {
    manifest: `
      group { 'g': ensure => present, provider => 'none', before => Exec['/bin/a'] } exec { ['/bin/a', '/bin/b']: }`,
    expected: {
      runs: ['/bin/b'],
      logs: [
        "err Group[g]: Could not evaluate: Parameter provider failed on Group[g]: Invalid group provider 'none' (line: 2)",
        'notice Exec[/bin/a]: Dependency Group[g] has failures: true',
      ],
      statuses: { 'Group[g]': 'failed', 'Exec[/bin/a]': 'skipped', 'Exec[/bin/b]': 'changed' },
    },
  },
  'a provider that works on other systems': {
    manifest: `package { 'p': provider => 'macports' } exec { '/bin/a': }`,
    expected: {
      runs: ['/bin/a'],
      logs: ['err Package[p]: Provider macports is not functional on this host'],
      statuses: { 'Package[p]': 'failed', 'Exec[/bin/a]': 'changed' },
    },
  },
  'a type that there is not': {
    manifest: `
      group { 'g': gid => 1, noop => true, notify => Exec['/bin/c'], require => Exec['/bin/a'] }
      group { 'h': schedule => 'daily', alias => 'other' }
      exec { '/bin/c': subscribe => Group['other'] }
      exec { ['/bin/a', '/bin/b']: }`,
    unknownType: 'group',
    expected: {
      runs: ['/bin/a', '/bin/b'],
      logs: [
        "err Group[g]: Could not evaluate: Resource type 'Group' was not found (line: 2)",
        "err Group[h]: Could not evaluate: Resource type 'Group' was not found (line: 3)",
        'notice Exec[/bin/c]: Dependency Group[g] has failures: true',
        'notice Exec[/bin/c]: Dependency Group[h] has failures: true',
        'warning Exec[/bin/c]: Skipping because of failed dependencies',
      ],
      statuses: {
        'Group[g]': 'failed',
        'Group[h]': 'failed',
        'Exec[/bin/c]': 'skipped',
        'Exec[/bin/a]': 'changed',
        'Exec[/bin/b]': 'changed',
      },
    },
  },
  'a type that there is not, but no turn for it': {
    options: { tags: ['x'] },
    manifest: `group { 'g': } exec { '/bin/a': tag => 'x', require => Group['g'] }`,
    unknownType: 'group',
    expected: { runs: ['/bin/a'], statuses: { 'Group[g]': 'skipped', 'Exec[/bin/a]': 'changed' } },
  },
  'a circle': {
    manifest: `
      exec { '/bin/a': require => Exec['/bin/b'] }
      exec { '/bin/b': require => Exec['/bin/a'] }
      exec { '/bin/c': }`,
    expected: {
      runs: [],
      logs: [
        "err Puppet: Found 1 dependency cycle:\n(Exec[/bin/a] => Exec[/bin/b] => Exec[/bin/a])\nTry the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz",
      ],
      statuses: { 'Exec[/bin/a]': 'failed', 'Exec[/bin/b]': 'failed' },
      throws: 'One or more resource dependency cycles detected in graph',
    },
  },
  'each step, where that is asked for': {
    options: { evaltrace: true },
    manifest: `exec { '/bin/a': }`,
    expected: {
      runs: ['/bin/a'],
      logs: [
        'info Exec[/bin/a]: Starting to evaluate the resource (5 of 14)',
        'notice Exec[/bin/a]/returns: executed successfully',
        'info Exec[/bin/a]: Evaluated in 0.00 seconds',
      ],
      statuses: { 'Exec[/bin/a]': 'changed' },
    },
  },
}

describe('a transaction', () => {
  it.each(Object.entries(cases))('%s', async (_, each) => {
    const { runs, lines, statuses, thrown, completed } = await outcomeOf(each)
    const { expected } = each
    if (expected.runs) expect(runs).toEqual(expected.runs)
    for (const line of expected.logs ?? [])
      expect(
        lines.filter((one) => one === line),
        line,
      ).toHaveLength(1)
    for (const part of expected.unsaid ?? []) expect(lines.filter((line) => line.includes(part))).toEqual([])
    expect(statuses).toEqual(expected.statuses)
    expect(thrown ?? '').toContain(expected.throws ?? '')
    expect(completed).toBe(expected.throws === undefined)
  })

  it('writes a refresh and its failure into the report', async () => {
    const { events } = await outcomeOf({
      manifest: `
        exec { '/bin/a': notify => [Exec['good'], Exec['bad']] }
        exec { 'good': command => '/bin/b', refreshonly => true }
        exec { 'bad': command => '/bin/false', refreshonly => true }`,
      answers: failing,
      expected: { statuses: {} },
    })
    const of = (reference: string) =>
      events
        .find(({ entry }) => entry.reference === reference)!
        .events.map(({ name, status, message, time }) => [name, status, message, time])
    const time = '1970-01-01T00:00:00.000000000+00:00'
    expect(of('Exec[good]')).toEqual([['refresh', 'success', "Triggered 'refresh' from 1 event", time]])
    expect(of('Exec[bad]')).toEqual([
      ['resource_error', 'failure', "Failed to call refresh: '/bin/false' returned 1 instead of one of [0]", time],
    ])
  })
})
