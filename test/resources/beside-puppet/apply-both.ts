import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyCatalog, reportOf } from '../../../src/agent/apply.ts'
import { moduleSources } from '../../../src/agent/file-sources.ts'
import { consoleLog, reportLog, teeLog } from '../../../src/agent/log.ts'
import { detailedExitStatus } from '../../../src/agent/report-builder.ts'
import type { ExactJson } from '../../../src/base/exact-json.ts'
import { requestFor, unclassified } from '../../../src/cli/compile-options.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { openParts } from '../../../src/environments/open-environment.ts'
import type { Catalog } from '../../../src/model/catalog.ts'
import type { Report } from '../../../src/model/report.ts'
import { useRubyForRegexps } from '../../../src/ruby/regexp-engine.ts'
import { loadSettings } from '../../../src/settings/settings.ts'
import { localSystem } from '../../../src/system/local-system.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { hasPuppet, withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { makePrograms, type Programs, systemWith } from './programs.ts'

/** A manifest and what is there before it; `@` stands for the folder. */
export interface ApplyCase {
  readonly manifest: string
  /** Bytes as latin1, or `-> target`. */
  readonly files?: Readonly<Record<string, string>>
  readonly modes?: Readonly<Record<string, number>>
  readonly noop?: true
  readonly tags?: string
  /** Programs that come first in the search path; what each was called with is in the file `ran`. */
  readonly programs?: Programs
  /** Facts of another system. */
  readonly facts?: Readonly<Record<string, ExactJson>>
  /** Only the first of the runs: what a second one does is not the same by intention. */
  readonly once?: string
  /** Too long for every run. */
  readonly nightly?: true
  /** Tags are not compared: they are not the same by intention. */
  readonly withoutTags?: string
}

interface Run {
  readonly status: number | null
  readonly out: readonly string[]
  readonly err: readonly string[]
  readonly resources: Readonly<Record<string, unknown>>
  readonly tree: Readonly<Record<string, unknown>>
}

const oracle = resolve(import.meta.dirname, '../../oracle/apply.rb')

/**
 * A suite of manifests: each is applied twice by ours and by real Puppet to the same files. What both say, report and
 * leave behind is equal, and so the second run changes what real Puppet's second run changes.
 */
export function applyBoth(title: string, modules: readonly string[], all: Readonly<Record<string, ApplyCase>>): void {
  const isNightly = process.env['CI_NIGHTLY'] === '1'
  const cases = Object.fromEntries(Object.entries(all).filter(([, { nightly }]) => isNightly || !nightly))
  if (Object.keys(cases).length === 0) return
  const scratch = scratchFolder('both')
  describe.skipIf(!hasPuppet)(`${title}${withoutPuppet}`, () => {
    let real: ReadonlyMap<string, readonly Run[]>
    beforeAll(() => {
      useRubyForRegexps()
      mkdirSync(join(scratch, 'modules'))
      for (const name of modules)
        symlinkSync(isAbsolute(name) ? name : join(debianModules, name), join(scratch, 'modules', basename(name)))
      real = realRuns(scratch, cases)
    }, 300_000)
    for (const [name, each] of Object.entries(cases))
      it(name, async () => {
        const own = await ownRuns(scratch, name, each)
        expect(compared(own, each)).toEqual(compared(real.get(name)!, each))
      })
  })
}

function compared(runs: readonly Run[], { withoutTags }: ApplyCase): readonly Run[] {
  if (withoutTags === undefined) return runs
  const bare = (resources: Run['resources']) =>
    Object.fromEntries(Object.entries(resources).map(([name, status]) => [name, { ...(status as object), tags: [] }]))
  return runs.map((run) => ({ ...run, resources: bare(run.resources) }))
}

interface Place {
  readonly folder: string
  readonly vardir: string
  readonly manifest: string
  readonly bin: string | undefined
}

function prepare(scratch: string, name: string, who: string, each: ApplyCase): Place {
  const { files = {}, modes = {}, manifest, programs } = each
  const base = join(scratch, `${name.replace(/\W+/g, '-')}-${who}`)
  const folder = join(base, 'f')
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3).replaceAll('@', folder), join(folder, path))
    else writeFileSync(join(folder, path), content, { encoding: 'latin1', mode: modes[path] ?? 0o644 })
  }
  const bin = programs && makePrograms(base, folder, programs)
  return { folder, vardir: join(base, 'var'), manifest: manifest.replaceAll('@', folder), bin }
}

function runsOf({ once }: ApplyCase): readonly number[] {
  return once === undefined ? [1, 2] : [1]
}

function realRuns(scratch: string, cases: Readonly<Record<string, ApplyCase>>): ReadonlyMap<string, readonly Run[]> {
  const names: string[] = []
  const jobs = Object.entries(cases).flatMap(([name, each]) => {
    const { folder, vardir, manifest, bin } = prepare(scratch, name, 'puppet', each)
    const words = ['--confdir', join(scratch, 'etc'), '--modulepath', join(scratch, 'modules'), '--certname', 'vm']
    words.push('--color=false', '--detailed-exitcodes', '--show_diff', '-e', manifest)
    if (each.noop) words.push('--noop')
    if (each.tags !== undefined) words.push('--tags', each.tags)
    return runsOf(each).map(() => {
      names.push(name)
      return { folder, vardir, words, bin, facts: each.facts }
    })
  })
  const input = JSON.stringify(jobs)
  const { stdout, stderr } = spawnSync('ruby', [oracle], { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (stdout === '') throw new Error(stderr)
  const found = new Map<string, Run[]>()
  for (const [index, run] of (JSON.parse(stdout) as RealRun[]).entries()) {
    const name = names[index]!
    found.set(name, [...(found.get(name) ?? []), cleaned(run, jobs[index]!.folder)])
  }
  return found
}

interface RealRun {
  readonly status: number | null
  readonly out: string
  readonly err: string
  readonly resources: Readonly<Record<string, unknown>>
  readonly tree: Readonly<Record<string, unknown>>
}

async function ownRuns(scratch: string, name: string, each: ApplyCase): Promise<readonly Run[]> {
  const { folder, vardir, manifest, bin } = prepare(scratch, name, 'plumb', each)
  mkdirSync(vardir)
  const settings = loadSettings({ given: { confdir: join(scratch, 'own'), vardir, certname: 'vm' } })
  const modulepath = [join(scratch, 'modules')]
  const environment = openParts({ name: 'production', modulepath, manifest: { text: manifest } })
  const request = requestFor(
    { node: 'vm', facts: { clientversion: '7.23.0' }, classified: unclassified },
    environment,
    settings,
  )
  const { catalog } = compile(request)
  const libraries = readdirSync(modulepath[0]!).map((module) => join(modulepath[0]!, module, 'lib'))
  const found: Run[] = []
  for (const _ of runsOf(each))
    found.push(cleaned(await ownRun(catalog, each, { folder, vardir, bin }, libraries), folder))
  return found
}

async function ownRun(
  catalog: Catalog,
  each: ApplyCase,
  { folder, vardir, bin }: Omit<Place, 'manifest'>,
  libraries: readonly string[],
): Promise<RealRun> {
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const gathered = reportLog('info', Date.now)
  const log = teeLog(consoleLog({ out: say('out'), err: say('err'), color: false }, 'notice'), gathered)
  const applied = await applyCatalog(catalog, {
    settings: {
      noop: each.noop ?? false,
      tags: each.tags === undefined ? [] : [each.tags],
      skip_tags: [],
      ignoreschedules: false,
      evaltrace: false,
      graph: false,
      graphdir: '',
      write_catalog_summary: true,
      show_diff: true,
      digest_algorithm: 'sha256',
      statedir: vardir,
      statefile: join(vardir, 'state.yaml'),
      transactionstorefile: join(vardir, 'store.yaml'),
      clientbucketdir: join(vardir, 'bucket'),
      classfile: join(vardir, 'classes.txt'),
      resourcefile: join(vardir, 'resources.txt'),
    },
    system: bin === undefined ? localSystem : systemWith(bin),
    machine: localSystem,
    facts: { kernel: 'Linux', os: { family: 'Debian', name: 'Debian' }, ...each.facts },
    sources: moduleSources(localSystem.files, []),
    log,
    ruby: {
      root: '',
      settings: { noop: each.noop ?? false, environment: 'production' },
      facts: {
        kernel: 'Linux',
        osfamily: 'Debian',
        operatingsystem: 'Debian',
        os: { family: 'Debian', name: 'Debian', release: { major: '12', full: '12.5' } },
      },
      loadPath: libraries,
      env: { PATH: process.env['PATH'] ?? '', HOME: '/root' },
      cwd: '/',
      debug: false,
    },
  })
  const run = { host: 'vm', time: 0, transactionUuid: 'x', noop: each.noop ?? false, logs: gathered.lines, times: {} }
  const report = reportOf(catalog, applied, run)
  // Ours indents further lines of a message: docs/differences.md.
  const own = (text: string) => text.replace(/^ {2}/gm, '')
  return {
    status: applied.applied ? detailedExitStatus(report) : 1,
    out: own(said.out),
    err: own(said.err),
    resources: resourcesOf(report),
    tree: treeOf(folder),
  }
}

function resourcesOf({ resource_statuses }: Report): Readonly<Record<string, unknown>> {
  const entries = Object.entries(resource_statuses).map(([reference, status]) => {
    const { failed, skipped, changed, out_of_sync, provider_used, tags } = status
    const events = status.events.map(({ property, name, status, message, previous_value, desired_value }) => ({
      property,
      name,
      status,
      message,
      previous_value,
      desired_value,
    }))
    return [
      reference,
      { failed, skipped, changed, out_of_sync, provider_used, tags: [...tags].sort(), events },
    ] as const
  })
  return Object.fromEntries(entries)
}

function treeOf(folder: string): Readonly<Record<string, unknown>> {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).sort()
  return Object.fromEntries(
    paths.map((path) => {
      const full = join(folder, path)
      const stat = lstatSync(full)
      const type = stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'directory' : 'file'
      const what = type === 'link' ? `-> ${readlinkSync(full)}` : type === 'file' ? readFileSync(full, 'latin1') : null
      return [path, [type, (stat.mode & 0o7777).toString(8), what]]
    }),
  )
}

/** Names of the folder, and of files that are not in place yet, which differ from run to run. */
function withoutNames(text: string, folder: string): string {
  return text
    .replaceAll(folder, '@')
    .replaceAll(/(autogenerated at )[-0-9: +]+/g, '$1')
    .replaceAll(/-(?:puppet|plumb)_f/g, '')
    .replaceAll(`${folder.slice(0, -1)}bin`, '@bin')
    .replaceAll(/20\d{6}-\d+-[a-z0-9]+(?:\.lock)?|\.plumb-staged/g, '')
}

/** Standard resources of every catalog, of which a report says nothing new. */
const standard = /^(?:Schedule|Filebucket)\[/

function cleaned({ status, out, err, resources, tree }: RealRun, folder: string): Run {
  const withPlace = JSON.parse(
    withoutNames(JSON.stringify({ resources, tree }), folder)
      .replaceAll(/ \(file: [^()]*?line: \d+\)| \(line: \d+\)| \(corrective\)(?=")/g, '')
      .replaceAll(/autogenerated at [-\d: +]+/g, 'autogenerated at T'),
  ) as Pick<Run, 'resources' | 'tree'>
  const entries = Object.entries(withPlace.resources).filter(([reference]) => !standard.test(reference))
  return {
    status,
    out: linesOf(out, folder),
    err: linesOf(err, folder),
    resources: Object.fromEntries(entries),
    // Git keeps the time in these.
    tree: Object.fromEntries(Object.entries(withPlace.tree).filter(([path]) => !/\.git\/(?:logs|index)/.test(path))),
  }
}

/**
 * Log lines that ought to be equal: without times, places, what real Puppet says of its few facts, and what
 * real Puppet's agent says and its apply does not: `corrective`, and that a catalog could not be applied.
 */
function linesOf(output: string, folder: string): string[] {
  const lines = withoutNames(output, folder)
    .replaceAll(/\r|\\x0d/g, '')
    // Puppet's report of cycles has backslashes where lines end: docs/differences.md.
    .replaceAll(/\)\\n(?=\(|Try|Cycle)/g, ')\n')
    // Ruby says an error twice that it caught and raised anew.
    .replace(/^Wrapped exception:\n.*\n/gm, '')
    // Ruby's own warnings of deprecation.
    .replace(/^\/\S+\.rb:\d+: warning: .*\n/gm, '')
    .split('\n')
    .filter((line) => line !== '' && !/Compiled catalog|Could not retrieve (?:fact|either)|multiple default/.test(line))
    .map((line) =>
      line
        .replace(/(in|after) \d+\.\d+ seconds/, '$1 N seconds')
        .replace(/ \(corrective\)$/, '')
        .replace('Error: Failed to apply catalog: ', 'Error: ')
        .replace(/ \(file: [^()]*?line: \d+\)| \(line: \d+\)/g, '')
        .replace(/^(---|\+\+\+) .*$/, '$1'),
    )
  return lines.filter((line, index) => !line.startsWith('Error: ') || line !== lines[index - 1])
}
