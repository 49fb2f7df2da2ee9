import { join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { answersAt, controlPath } from '../../deploy/control/control.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { type Command, defineCommand, type Invocation } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { migrationIssues } from './issues.ts'
import { applyUnits, journalPath, migrationState, undoUnits } from './journal.ts'
import { type EnvironmentTrial, isSound, trialLines, tryEnvironments } from './migrated-code.ts'
import { type Plan, planMigration } from './plan.ts'
import { findPuppetServer, refuseRunning } from './puppet-server.ts'
import { stageTrial, withScratchFolder } from './trial.ts'
import { type Part, parts } from './unit.ts'

const issues = defineIssues({
  MIGRATE_WHICH: { text: () => '--apply and --undo cannot stand together' },
  MIGRATE_PART: {
    text: (a: { part: string }) => `There is no part '${a.part}' of a migration`,
    hint: () => `There are ${parts.join(', ')}.`,
  },
})

const options = [
  { flags: '--apply', doc: 'Do it; without it, only what would be done is shown.' },
  { flags: '--undo', doc: 'Put back all that --apply changed.' },
  { flags: '--conf-d <folder>', doc: 'Its folder conf.d; that of its package by default.' },
  { flags: '--puppet-confdir <folder>', doc: 'The folder of its puppet.conf; conf.d names it by default.' },
  { flags: '--puppet-cadir <folder>', doc: 'The folder of its authority; its settings name it by default.' },
  {
    flags: '--r10k <file>',
    doc: 'The r10k.yaml by which its code is deployed; its usual place by default; none takes the folders.',
  },
  { flags: '--repository <path>', doc: 'The repository that is made of its code; code.git in the vardir by default.' },
  {
    flags: '--without <part>',
    doc: `Leave a part out: ${parts.join(', ')}; may be given several times.`,
    repeated: true,
  },
  {
    flags: '--puppet-version <version>',
    doc: 'The version of its Puppet; by default the version of the installed packages.',
  },
  {
    flags: '--skip-catalogs',
    doc: "Do not compile the nodes' catalogs; check only that each environment can be served.",
  },
  renderAs,
] as const satisfies readonly Option[]

type Asked = Invocation<typeof options>

/** `plumb migrate` */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Migrate the CA, settings and code of a Puppet Server.',
  commands: [
    defineCommand({
      name: 'puppetserver',
      summary: "Takes over a Puppet Server's authority, settings, rules, facts and code.",
      description: `Shows what would be copied from a Puppet Server's folders to those of our server; with --apply it is done, step by
step, and --undo puts back what was there: bytes, modes, owners and times. Nothing of the Puppet Server's is changed,
its keys least of all. It must not run meanwhile: two servers of one authority would use a serial number twice.

  plumb migrate puppetserver
  plumb migrate puppetserver --apply
  plumb migrate puppetserver --undo

The authority's folder is copied whole; the server's own certificate and key; puppet.conf and the values of conf.d,
into our puppet.conf; auth.conf; hiera.yaml, routes.yaml and their kin; facts; and each environment of the codedir as
a branch of one commit, or, where r10k deploys, the path of its r10k.yaml as code_sources. Agents go on with their
certificates.

Before and after --apply the code is tried: every file is read as a server reads it, and the catalog of each node whose
facts are known is compiled. The setting gate_nodes bounds the number of nodes.

The exit status is 0 when it is done, or when it could be done; 1 when it cannot; 2 when an environment cannot be served,
or a node has no catalog.`,
      options,
      run,
    }),
  ],
}

async function run({ options: asked, settings: given, io }: Asked): Promise<number> {
  if (asked.apply && asked.undo) fail(issues.MIGRATE_WHICH, {})
  const to = loadSettings({ given, runMode: 'server' })
  await refuseOwnServer(to)
  if (asked.undo) return undo(to, asked, io)
  const wanted = wantedParts(asked.without ?? [])
  const state = await migrationState(to.vardir)
  const journal = journalPath(to.vardir)
  if (state !== undefined) fail(migrationIssues.MIGRATION_BEGUN, { journal, state })
  const from = await findPuppetServer({
    confD: asked.confD,
    confdir: asked.puppetConfdir,
    cadir: asked.puppetCadir,
    r10k: asked.r10k,
    version: asked.puppetVersion,
  })
  await refuseRunning(from)
  const plan = await planMigration({ from, to, wanted, repository: asked.repository ?? join(to.vardir, 'code.git') })
  const trying = { io, compiles: asked.skipCatalogs !== true }
  if (asked.apply)
    await applyUnits(plan.units, to.vardir, ({ note }) => {
      if (io.errTerminal) io.err(`${printable(note)} …\n`)
    })
  const trials = await withScratchFolder(async (folder) => {
    // The trial must not write to our vardir.
    const applied = { vardir: folder, server_datadir: to.server_datadir, cadir: to.cadir }
    const places = {
      ...(asked.apply ? applied : await stageTrial(plan, from, to, folder)),
      // Nothing is fetched yet, so the trial uses the environments that r10k deployed.
      ...(plan.settings.some(({ name }) => name === 'code_sources') && {
        ...{ code_repo: '', code_sources: '', environmentpath: from.settings.environmentpath.join(':') },
      }),
    }
    return tryEnvironments(loadSettings({ given: { ...given, ...places }, runMode: 'server' }), trying)
  }).catch((error: unknown) => errorText(error))
  const outcome = { plan, trials, applied: asked.apply === true, journal }
  if (asked.renderAs === 'json') io.out(`${JSON.stringify(asJson(outcome), null, 2)}\n`)
  else show(outcome, io)
  return typeof trials !== 'string' && isSound(trials) ? 0 : 2
}

/** The result of a migration or of its preview. */
interface Outcome {
  readonly plan: Plan
  /** The result for each environment, or the reason why the code could not be tried. */
  readonly trials: readonly EnvironmentTrial[] | string
  readonly applied: boolean
  readonly journal: string
}

async function refuseOwnServer(to: Settings): Promise<void> {
  const socket = controlPath(to)
  if (await answersAt(socket)) fail(migrationIssues.SERVER_RUNS, { socket })
}

function wantedParts(without: readonly string[]): ReadonlySet<Part> {
  for (const part of without) if (!parts.some((each) => each === part)) fail(issues.MIGRATE_PART, { part })
  return new Set(parts.filter((part) => !without.includes(part)))
}

async function undo({ vardir }: Settings, { renderAs }: Asked['options'], io: Asked['io']): Promise<number> {
  const undone = await undoUnits(vardir)
  if (renderAs === 'json') io.out(`${JSON.stringify(undone, null, 2)}\n`)
  else {
    for (const path of undone.restored) io.out(`as it was: ${printable(path)}\n`)
    for (const path of undone.kept) io.out(`changed since, and kept: ${printable(path)}\n`)
  }
  return 0
}

function asJson({ plan: { units, settings, remarks }, trials, applied, journal }: Outcome) {
  return {
    applied,
    journal: applied ? journal : null,
    units: units.map(({ part, from, to, note }) => ({ part, from, to, note })),
    settings: settings.map(({ section, name, value, from, left }) => {
      const shown = /password/.test(name) ? '(secret)' : value
      return { section, name, value: shown, from, taken: left === undefined, reason: left ?? null }
    }),
    remarks,
    environments:
      typeof trials === 'string' ? null : trials.map((trial) => ({ ...trial, refused: trial.refused ?? null })),
    untried: typeof trials === 'string' ? trials : null,
  }
}

function show({ plan: { units, settings, remarks }, trials, applied, journal }: Outcome, io: Asked['io']): void {
  const width = Math.max(...parts.map((part) => part.length))
  for (const { part, from, to, note } of units)
    io.out(
      `${part.padEnd(width)}  ${printable(from)}\n${' '.repeat(width)}  -> ${printable(to)}  (${printable(note)})\n`,
    )
  if (settings.length > 0) io.out('\nSettings:\n')
  for (const { section, name, value, left } of settings) {
    const text = value === '' ? '' : ` = ${/password/.test(name) ? '(secret)' : value}`
    const shown = printable(`[${section}] ${name}${text}`)
    io.out(left === undefined ? `  ${shown}\n` : `  left: ${shown}  (${printable(left)})\n`)
  }
  if (remarks.length > 0) io.out(`\n${remarks.map((remark) => `Note: ${printable(remark)}\n`).join('')}`)
  const tried = typeof trials === 'string' ? [`The code could not be tried: ${printable(trials)}`] : trialLines(trials)
  if (tried.length > 0) io.out(`\n${tried.join('\n')}\n`)
  io.out(
    applied
      ? `\nDone, as ${printable(journal)} says. 'plumb doctor' looks at it, 'plumb server' serves it, and --undo puts all back.\n`
      : '\nNothing was changed. With --apply it is done.\n',
  )
}
