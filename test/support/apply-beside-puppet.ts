import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { applyCatalog, reportOf } from '../../src/agent/apply.ts'
import { moduleSources } from '../../src/agent/file-sources.ts'
import { consoleLog, reportLog, teeLog } from '../../src/agent/log.ts'
import { detailedExitStatus } from '../../src/agent/report-builder.ts'
import { requestFor, unclassified } from '../../src/cli/compile-options.ts'
import { compile } from '../../src/compiler/compile.ts'
import { openParts } from '../../src/environments/open-environment.ts'
import type { Report } from '../../src/model/report.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { localSystem } from '../../src/system/local-system.ts'
import type { Files, System } from '../../src/system/system.ts'
import { hasPuppet, withoutPuppet } from './real-puppet.ts'
import { scratchFolder } from './scratch-folder.ts'

/** Manifests that are applied one after the other, and what is there before; `@` stands for the folder. */
export interface AppliedCase {
  /** A single one is applied twice. */
  readonly manifests: string | readonly string[]
  /** `etc/hosts` and its kin stand for those of the machine. */
  readonly files?: Readonly<Record<string, string>>
  /** Programs that are found before the machine's, as text of the shell. */
  readonly programs?: Readonly<Record<string, string>>
  readonly noop?: boolean
  /** Parts of lines that differ on purpose, each told of in docs/differences.md. */
  readonly unlike?: RegExp
}

/** What a run of either says and leaves: all that ought to be equal. */
export interface AppliedRun {
  readonly status: number
  readonly lines: readonly string[]
  readonly statuses: unknown
  readonly tree: readonly string[]
}

const modules = ['host_core', 'mailalias', 'sshkeys_core', 'cron_core', 'mount_core']

/** Applies each case with real Puppet: its runs, by name. */
function applyWithPuppet(
  scratch: string,
  cases: Readonly<Record<string, AppliedCase>>,
): ReadonlyMap<string, readonly AppliedRun[]> {
  const vardir = join(scratch, 'puppet-var')
  const places = ['--confdir', join(scratch, 'puppet-conf'), '--vardir', vardir, '--certname', 'vm']
  const modulepath = join(scratch, 'modules')
  execFileSync('mkdir', ['-p', modulepath])
  for (const name of modules)
    execFileSync('ln', ['-sfn', join('/usr/share/puppet/modules', name), join(modulepath, name)])
  const flags = [...places, '--color=false', '--detailed-exitcodes', '--modulepath', modulepath]
  const found = new Map<string, AppliedRun[]>()
  const orders = Object.entries(cases).flatMap(([name, each]) => {
    const { folder, manifests } = prepare(scratch, 'puppet', name, each)
    return manifests.map((manifest) => ({ name, folder, manifest, noop: each.noop ? ['--noop'] : [] }))
  })
  const input = orders.map(({ folder, manifest, noop }) => ({
    arguments: [...flags, ...noop, '-e', manifest],
    report: join(vardir, 'state/last_run_report.yaml'),
    folder,
    tree: listing(folder),
  }))
  const { stdout, stderr } = spawnSync('ruby', ['-W0', join(import.meta.dirname, 'puppet-apply-many.rb'), modulepath], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (stdout === '') throw new Error(stderr)
  const answers = JSON.parse(stdout.split('\n').at(-2)!) as {
    status: number
    out: string
    err: string
    report: Pick<Report, 'resource_statuses'> | null
    tree: string
  }[]
  for (const [index, { status, out, err, report, tree }] of answers.entries()) {
    const { name, folder } = orders[index]!
    const run = {
      status,
      lines: cleaned(`${out}${err}`, folder),
      statuses: statusesOf(report, folder),
      tree: plain(tree, folder),
    }
    found.set(name, [...(found.get(name) ?? []), run])
  }
  return found
}

/** Applies one case with ours. */
async function applyWithOurs(scratch: string, name: string, each: AppliedCase): Promise<readonly AppliedRun[]> {
  const { folder, manifests } = prepare(scratch, 'plumb', name, each)
  const runs: AppliedRun[] = []
  vi.stubEnv('PATH', `${folder}/bin:${process.env['PATH']}`)
  for (const manifest of manifests) {
    const said = { out: '', err: '' }
    const { status, report } = await applyOnce(folder, manifest, each.noop ?? false, said)
    const lines = cleaned(`${said.out}${said.err}`.replace(/^ {2}/gm, ''), folder)
    runs.push({
      status,
      lines,
      statuses: statusesOf(report, folder),
      tree: plain(execFileSync('sh', ['-c', listing(folder)], { encoding: 'utf8' }), folder),
    })
  }
  return runs
}

const accounts = ['/etc/passwd', '/etc/group', '/etc/shadow']

/** The machine, but what is in /etc is below a folder: only the accounts are the machine's own. */
function machineWithin(folder: string): System {
  const { files } = localSystem
  const at = (given: unknown) =>
    typeof given === 'string' && given.startsWith('/etc/') && !accounts.includes(given) ? join(folder, given) : given
  const moved = Object.entries(files).map(([name, work]) => [
    name,
    (first: unknown, ...more: unknown[]) => (work as (...all: unknown[]) => unknown)(at(first), ...more),
  ])
  return { ...localSystem, files: Object.fromEntries(moved) as unknown as Files }
}

async function applyOnce(folder: string, manifest: string, noop: boolean, said: { out: string; err: string }) {
  const own = `${folder}.state`
  const settings = loadSettings({ given: { confdir: own, vardir: own, certname: 'vm' } })
  mkdirSync(own, { recursive: true })
  const environment = openParts({ name: 'production', modulepath: [], manifest: { text: manifest } })
  const { catalog } = compile(
    requestFor({ node: 'vm', facts: undefined, classified: unclassified }, environment, settings),
  )
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const gathered = reportLog('info', Date.now)
  const log = teeLog(consoleLog({ out: say('out'), err: say('err'), color: false }, 'notice'), gathered)
  const applied = await applyCatalog(catalog, {
    settings: {
      ...settings,
      noop,
      show_diff: false,
      statedir: own,
      statefile: join(own, 'state.yaml'),
      transactionstorefile: join(own, `${randomUUID()}.yaml`),
      clientbucketdir: join(own, 'bucket'),
      classfile: join(own, 'classes.txt'),
      resourcefile: join(own, 'resources.txt'),
    },
    system: machineWithin(folder),
    machine: localSystem,
    facts: { os: { family: 'Debian', name: 'Debian' }, kernel: 'Linux' },
    sources: moduleSources(localSystem.files, []),
    log,
  })
  const run = { host: 'vm', time: 0, transactionUuid: 'x', noop, logs: gathered.lines, times: {} }
  if (!applied.applied) return { status: 1, report: null }
  const report = reportOf(catalog, applied, run)
  return { status: detailedExitStatus(report), report }
}

function prepare(scratch: string, who: string, name: string, { files = {}, programs = {}, manifests }: AppliedCase) {
  const folder = join(scratch, `${name.replace(/\W+/g, '-')}.${who}`)
  for (const each of ['bin', 'etc/ssh']) mkdirSync(join(folder, each), { recursive: true })
  for (const [program, text] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', program), `#!/bin/sh\n${text.replaceAll('@', folder)}`, { mode: 0o755 })
  // The provider of hosts works only where there is such a file.
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content, { mode: 0o640 })
  const steps = typeof manifests === 'string' ? [manifests, manifests] : manifests
  return { folder, manifests: steps.map((each) => each.replaceAll('@', folder)) }
}

function statusesOf(report: Pick<Report, 'resource_statuses'> | null, folder: string): unknown {
  const statuses = Object.entries(report?.resource_statuses ?? {}).filter(
    ([name]) => !/^(Schedule|Filebucket)/.test(name),
  )
  const told = statuses.map(([name, { failed, skipped, changed, events }]) => {
    const said = events.map(({ property, name: event, status, previous_value, desired_value, message }) => {
      return { property, event, status, previous_value, desired_value, message }
    })
    return [name, { failed, skipped, changed, events: said }]
  })
  const text = JSON.stringify(Object.fromEntries(told.sort(([a], [b]) => (a! < b! ? -1 : 1))))
  return JSON.parse(text.replaceAll(`${folder}/etc/`, '/etc/').replaceAll(folder, '@'))
}

/** Names, modes and content of all that is in a folder, as a command. */
function listing(folder: string): string {
  return `cd '${folder}' && find . -mindepth 1 -not -path './bin*' -printf '%P %M %u %l\\n' | sort && find . -type f -not -path './bin*' | sort | xargs -r tail -v -n +1`
}

const plain = (tree: string, folder: string): string[] =>
  tree
    .replaceAll(folder, '@')
    .replace(/(autogenerated at) [-+: 0-9]*\d/g, '$1 T')
    .split('\n')

/** Log lines that ought to be equal: without times, places, and what only Ruby says. */
function cleaned(output: string, folder: string): string[] {
  return output
    .replaceAll(`${folder}/etc/`, '/etc/')
    .replaceAll(folder, '@')
    .split('\n')
    .filter((line) => line !== '' && !/^Notice: (Compiled|Applied) catalog|Facter|^\s*\^/.test(line))
    .map((line) => line.replace(/ \(file: [^)]*, line: \d+\)| \(line: \d+\)/g, ''))
    .map((line) => line.replace(/^Error: Failed to apply catalog: /, 'Error: '))
}

/** A suite in which each case is applied by real Puppet and by ours, and has to be said and done alike. */
export function besidePuppet(what: string, cases: Readonly<Record<string, AppliedCase>>): void {
  describe.skipIf(!hasPuppet)(`${what} are applied as real Puppet applies them${withoutPuppet}`, () => {
    const scratch = scratchFolder('beside')
    let real: ReturnType<typeof applyWithPuppet>
    // Some resources are written as other users.
    chmodSync(scratch, 0o755)
    beforeAll(() => {
      real = applyWithPuppet(scratch, cases)
    }, 600_000)
    afterEach(() => void vi.unstubAllEnvs())
    for (const [name, each] of Object.entries(cases))
      it(name, async () => {
        const alike = (runs: readonly AppliedRun[] = []) =>
          runs.map((run) => ({ ...run, lines: run.lines.map((line) => line.replace(each.unlike ?? '', '')) }))
        expect(alike(await applyWithOurs(scratch, name, each))).toEqual(alike(real.get(name)))
      })
  })
}
