import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildCompileRequest, emptyClassification } from '../../../../src/cli/input/compile-options.ts'
import { openCommandLineCode } from '../../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../../src/compiler/compile.ts'
import type { CompileRequest } from '../../../../src/compiler/request/compile-request.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import type { System } from '../../../../src/machine/system/system.ts'
import type { Catalog } from '../../../../src/model/catalog.ts'
import type { Report } from '../../../../src/model/report.ts'
import { applyCatalog, buildApplyReport } from '../../../../src/node/agent/catalog-application.ts'
import { createModuleSources } from '../../../../src/node/agent/file-sources.ts'
import { createConsoleLog, createReportLog, createTeeLog } from '../../../../src/node/agent/log.ts'
import { computeDetailedExitStatus } from '../../../../src/node/agent/report-builder.ts'
import { createWebSources } from '../../../../src/node/agent/web-sources.ts'
import { nativeRuby } from '../../../support/native-ruby.ts'
import { type ApplyCase, type Place, prepare } from './apply-case.ts'
import { cleaned, type Run } from './run.ts'
import { systemOf } from './system-of.ts'

/** Parts of a machine that is not this one, and work before and after each run on it. */
export interface OtherMachine {
  readonly system: System
  /** The version of the recorded answers, which changes the message of a pending change; that of Puppet 7 by default. */
  readonly compatibility?: 'openvox8' | undefined
  before?(run: number): void
  after?(run: number, folder: string): void
}

/** Applies a case with ours: its runs. */
export async function ownRuns(
  scratch: string,
  name: string,
  each: ApplyCase,
  other?: OtherMachine,
): Promise<readonly Run[]> {
  const place = prepare(scratch, name, 'ours', each)
  const { folder, vardir, manifests } = place
  mkdirSync(vardir)
  const settings = loadSettings({ given: { confdir: join(scratch, 'own'), vardir, certname: 'vm' } })
  const modulepath = [join(scratch, 'modules')]
  const libraries = readdirSync(modulepath[0]!).map((module) => join(modulepath[0]!, module, 'lib'))
  const found: Run[] = []
  for (const [index, manifest] of manifests.entries()) {
    if (index > 0 && each.between !== undefined) execFileSync('/bin/sh', ['-c', each.between.replaceAll('@', folder)])
    other?.before?.(index)
    const environment = openCommandLineCode({ name: 'production', modulepath, manifest: { text: manifest } })
    const facts = { clientversion: '7.23.0' }
    const request = buildCompileRequest({ node: 'vm', facts, classified: emptyClassification }, environment, settings)
    const run = await compiled(request).then(
      (catalog) => ownRun(catalog, each, place, libraries, other),
      (error: Error) => ({ status: 1, out: '', err: `Error: ${error.message}\n`, resources: {}, tree: treeOf(folder) }),
    )
    other?.after?.(index, folder)
    found.push(cleaned(run, folder))
  }
  return found
}

async function compiled(request: CompileRequest): Promise<Catalog> {
  return compile(request).catalog
}

async function ownRun(
  catalog: Catalog,
  each: ApplyCase,
  place: Place,
  libraries: readonly string[],
  other: OtherMachine | undefined,
): Promise<Run<string>> {
  const { folder, vardir, etc, bin } = place
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const gathered = createReportLog('info', Date.now)
  const log = createTeeLog(createConsoleLog({ out: say('out'), err: say('err'), color: false }, 'notice'), gathered)
  const applied = await applyCatalog(catalog, {
    settings: {
      noop: each.noop ?? false,
      tags: each.tags === undefined ? [] : [each.tags],
      skip_tags: [],
      ignoreschedules: false,
      evaltrace: false,
      preprocess_deferred: false,
      graph: false,
      graphdir: '',
      write_catalog_summary: true,
      show_diff: true,
      digest_algorithm: 'sha256',
      compatibility: other?.compatibility ?? 'puppet7',
      statedir: vardir,
      statefile: join(vardir, 'state.yaml'),
      transactionstorefile: join(vardir, 'store.yaml'),
      clientbucketdir: join(vardir, 'bucket'),
      classfile: join(vardir, 'classes.txt'),
      resourcefile: join(vardir, 'resources.txt'),
    },
    system: other?.system ?? systemOf(each, place),
    remembersChanges: each.remembers === true,
    machine: localSystem,
    facts: { kernel: 'Linux', os: { family: 'Debian', name: 'Debian' }, ...each.facts },
    sources: createModuleSources(localSystem.files, []),
    web: createWebSources(loadSettings({ given: { confdir: vardir, vardir } })),
    log,
    ruby: {
      root: '',
      nativeRuby,
      settings: { noop: each.noop ?? false, environment: 'production', vardir },
      facts: {
        kernel: 'Linux',
        osfamily: 'Debian',
        operatingsystem: 'Debian',
        os: { family: 'Debian', name: 'Debian', release: { major: '12', full: '12.5' } },
      },
      loadPath: libraries,
      env: { PATH: [bin, process.env['PATH']].filter((each) => each !== undefined).join(':'), HOME: '/root' },
      cwd: '/',
      debug: false,
    },
  })
  const run = { host: 'vm', time: 0, transactionUuid: 'x', noop: each.noop ?? false, logs: gathered.lines, times: {} }
  const report = buildApplyReport(catalog, applied, run)
  // Ours indents further lines of a message: docs/differences.md.
  const own = (text: string) => text.replace(/^ {2}/gm, '')
  return {
    status: applied.applied ? computeDetailedExitStatus(report) : 1,
    out: own(said.out),
    err: own(said.err),
    resources: resourcesOf(report),
    tree: { ...treeOf(folder), ...(etc === undefined ? {} : accountsOf(etc)) },
  }
}

function resourcesOf({ resource_statuses }: Report): Readonly<Record<string, unknown>> {
  const entries = Object.entries(resource_statuses).map(([reference, status]) => {
    const { failed, skipped, changed, out_of_sync, provider_used, tags } = status
    const events = status.events.map(({ property, name, status, message, previous_value, desired_value, ...rest }) => {
      const { corrective_change } = rest
      return { property, name, status, message, previous_value, desired_value, corrective_change }
    })
    return [
      reference,
      { failed, skipped, changed, out_of_sync, provider_used, tags: [...tags].sort(), events },
    ] as const
  })
  return Object.fromEntries(entries)
}

function treeOf(folder: string): Readonly<Record<string, unknown>> {
  // The names of `withFileTypes` leave out what is behind links to folders.
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entriesOf(folder, entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort())
}

/** What a copy of /etc has of accounts. */
function accountsOf(etc: string): Readonly<Record<string, unknown>> {
  return entriesOf(etc, ['group', 'gshadow', 'passwd', 'shadow'])
}

function entriesOf(folder: string, paths: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    paths.map((path) => {
      const full = join(folder, path)
      const stat = lstatSync(full)
      const type = stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'directory' : 'file'
      const what = type === 'link' ? `-> ${readlinkSync(full)}` : type === 'file' ? readFileSync(full, 'latin1') : null
      return [path, [type, (stat.mode & 0o7777).toString(8), stat.uid, stat.gid, what]]
    }),
  )
}
