import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { getControlPath, isServerListening } from '../../deploy/control/control-socket.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { type EnvironmentTrial, formatTrialLines, hasNoFailures, testEnvironments } from './environment-trial.ts'
import { migrationIssues } from './issues.ts'
import { applyUnits, getJournalPath, readMigrationState, undoUnits } from './migration-journal.ts'
import { type MigrationPlan, planMigration } from './migration-plan.ts'
import { type MigrationPart, parts } from './migration-unit.ts'
import { checkPuppetServerStopped, findPuppetServer } from './puppet-server.ts'
import { stageTrial, withScratchFolder } from './trial-folder.ts'

const issues = defineIssues({
  MIGRATE_WHICH: { text: () => '--apply and --undo cannot be combined' },
  MIGRATE_PART: {
    text: (a: { part: string }) => `Unknown part '${a.part}'`,
    hint: () => `Valid parts: ${parts.join(', ')}.`,
  },
})

const options = [
  { flags: '--apply', doc: 'Apply the migration. Without this option, the command only prints the plan.' },
  { flags: '--undo', doc: 'Undo all changes of --apply.' },
  { flags: '--conf-d <folder>', doc: 'conf.d directory of the Puppet Server. Default: the directory of its package.' },
  {
    flags: '--puppet-confdir <folder>',
    doc: 'Directory of the puppet.conf of the Puppet Server. Default: the directory configured in conf.d.',
  },
  { flags: '--puppet-cadir <folder>', doc: 'CA directory of the Puppet Server. Default: its setting cadir.' },
  {
    flags: '--r10k <file>',
    doc: "Path of the r10k.yaml of the Puppet Server; 'none' imports the environment directories instead. Default: detected.",
  },
  {
    flags: '--repository <path>',
    doc: 'Repository to create from the environment directories. Default: code.git in vardir.',
  },
  {
    flags: '--without <part>',
    doc: `Omit a part: ${parts.join(', ')}; may be given several times.`,
    repeated: true,
  },
  {
    flags: '--puppet-version <version>',
    doc: 'Puppet version of the Puppet Server. Default: the version of the installed packages.',
  },
  {
    flags: '--skip-catalogs',
    doc: 'Check that each environment can be served, but do not compile catalogs.',
  },
  renderAs,
] as const satisfies readonly Option[]

type Asked = CommandInvocation<typeof options>

/** The command `plumb migrate`. */
export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'Migrate the CA, settings and code of a Puppet Server.',
  commands: [
    defineCommand({
      name: 'puppetserver',
      summary: 'Migrate the CA, settings, rules, facts and code of a Puppet Server.',
      description: `Prints the plan of a migration from a Puppet Server to this server. --apply executes the plan; --undo restores the
previous files with their modes, owners and times. The files of the Puppet Server are never changed. The Puppet Server
must be stopped during the migration, because two running CAs would issue duplicate serial numbers.

  plumb migrate puppetserver
  plumb migrate puppetserver --apply
  plumb migrate puppetserver --undo

Copies the CA directory; the certificate and key of the server; the settings of puppet.conf and conf.d, into the new
puppet.conf; auth.conf, hiera.yaml, routes.yaml and similar files; facts; and the code: each environment directory
becomes a branch with one commit, or with r10k, code_sources is set to its r10k.yaml. Agents keep their certificates.

Tests the code, before --apply and after it: checks every file, and compiles the catalogs of all nodes with known facts,
at most gate_nodes.

Exits with 0 if the migration was applied or is possible, with 1 if it is not possible, or with 2 if an environment
cannot be served or a catalog does not compile.`,
      options,
      run: runMigration,
    }),
  ],
}

async function runMigration({ options: asked, settings: given, io }: Asked): Promise<number> {
  if (asked.apply && asked.undo) throwIssue(issues.MIGRATE_WHICH, {})
  const to = loadSettings({ given, runMode: 'server' })
  await checkServerStopped(to)
  if (asked.undo) return undoMigration(to, asked, io)
  const wanted = selectParts(asked.without ?? [])
  const state = await readMigrationState(to.vardir)
  const journal = getJournalPath(to.vardir)
  if (state !== undefined) throwIssue(migrationIssues.MIGRATION_BEGUN, { journal, state })
  const from = await findPuppetServer({
    confD: asked.confD,
    confdir: asked.puppetConfdir,
    cadir: asked.puppetCadir,
    r10k: asked.r10k,
    version: asked.puppetVersion,
  })
  await checkPuppetServerStopped(from)
  const plan = await planMigration({ from, to, wanted, repository: asked.repository ?? join(to.vardir, 'code.git') })
  const trying = { io, compiles: asked.skipCatalogs !== true }
  if (asked.apply)
    await applyUnits(plan.units, to.vardir, ({ note }) => {
      if (io.errTerminal) io.err(`${toPrintable(note)} …\n`)
    })
  const trials = await withScratchFolder(async (folder) => {
    // The trial must not write to the vardir of this server.
    const applied = { vardir: folder, server_datadir: to.server_datadir, cadir: to.cadir }
    const places = {
      ...(asked.apply ? applied : await stageTrial(plan, from, to, folder)),
      // Nothing is fetched yet, so the trial uses the environments that r10k deployed.
      ...(plan.settings.some(({ name }) => name === 'code_sources') && {
        ...{ code_repo: '', code_sources: '', environmentpath: from.settings.environmentpath.join(':') },
      }),
    }
    return testEnvironments(loadSettings({ given: { ...given, ...places }, runMode: 'server' }), trying)
  }).catch((error: unknown) => formatError(error))
  const outcome = { plan, trials, applied: asked.apply === true, journal }
  if (asked.renderAs === 'json') io.out(`${JSON.stringify(toOutcomeJson(outcome), null, 2)}\n`)
  else printOutcome(outcome, io)
  return typeof trials !== 'string' && hasNoFailures(trials) ? 0 : 2
}

/** The result of a migration or of its preview. */
interface Outcome {
  readonly plan: MigrationPlan
  /** The result for each environment, or the error that prevented the trial. */
  readonly trials: readonly EnvironmentTrial[] | string
  readonly applied: boolean
  readonly journal: string
}

async function checkServerStopped(to: Settings): Promise<void> {
  const socket = getControlPath(to)
  if (await isServerListening(socket)) throwIssue(migrationIssues.SERVER_RUNS, { socket })
}

function selectParts(without: readonly string[]): ReadonlySet<MigrationPart> {
  for (const part of without) if (!parts.some((each) => each === part)) throwIssue(issues.MIGRATE_PART, { part })
  return new Set(parts.filter((part) => !without.includes(part)))
}

async function undoMigration({ vardir }: Settings, { renderAs }: Asked['options'], io: Asked['io']): Promise<number> {
  const undone = await undoUnits(vardir)
  if (renderAs === 'json') io.out(`${JSON.stringify(undone, null, 2)}\n`)
  else {
    for (const path of undone.restored) io.out(`restored: ${toPrintable(path)}\n`)
    for (const path of undone.kept) io.out(`changed after the migration, kept as: ${toPrintable(path)}\n`)
  }
  return 0
}

function toOutcomeJson({ plan: { units, settings, remarks }, trials, applied, journal }: Outcome) {
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

function printOutcome(
  { plan: { units, settings, remarks }, trials, applied, journal }: Outcome,
  io: Asked['io'],
): void {
  const width = Math.max(...parts.map((part) => part.length))
  for (const { part, from, to, note } of units)
    io.out(
      `${part.padEnd(width)}  ${toPrintable(from)}\n${' '.repeat(width)}  -> ${toPrintable(to)}  (${toPrintable(note)})\n`,
    )
  if (settings.length > 0) io.out('\nSettings:\n')
  for (const { section, name, value, left } of settings) {
    const text = value === '' ? '' : ` = ${/password/.test(name) ? '(secret)' : value}`
    const shown = toPrintable(`[${section}] ${name}${text}`)
    io.out(left === undefined ? `  ${shown}\n` : `  skipped: ${shown}  (${toPrintable(left)})\n`)
  }
  if (remarks.length > 0) io.out(`\n${remarks.map((remark) => `Note: ${toPrintable(remark)}\n`).join('')}`)
  const tried =
    typeof trials === 'string' ? [`Could not test the code: ${toPrintable(trials)}`] : formatTrialLines(trials)
  if (tried.length > 0) io.out(`\n${tried.join('\n')}\n`)
  io.out(
    applied
      ? `\nMigration applied (journal: ${toPrintable(journal)}). Next, run 'plumb doctor', then 'plumb server'. --undo restores the previous state.\n`
      : '\nNothing was changed. Use --apply to execute the plan.\n',
  )
}
