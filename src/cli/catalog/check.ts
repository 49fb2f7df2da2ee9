import { readFileSync, statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { runWithTimeout, TimeoutError } from '../../base/time/work-timeout.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type OpenedEnvironment, openCommandLineCode } from '../../code/environments/environment-opener.ts'
import { type CatalogCheck, checkCatalog } from '../../compiler/catalog-policy-check.ts'
import { compile } from '../../compiler/compile.ts'
import type { PolicyFinding } from '../../compiler/policy/policy.ts'
import { policyFolder, readPolicies } from '../../compiler/policy/read-policies.ts'
import { CatalogError } from '../../compiler/request/catalog-error.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Catalog } from '../../model/catalog.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import {
  checkNodesOptionConflicts,
  classOption,
  compileFleet,
  createProgressCounter,
  fleetOptions,
  readFleet,
} from '../fleet/fleet.ts'
import { atOption, loadCodeSettings, openCode, openCodeWithOverrides, repoOption } from '../input/code-source.ts'
import { buildCompileRequest, type CompileTarget, emptyClassification } from '../input/compile-options.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { classifyNode } from '../input/node-classification.ts'
import { factsOption, nodeOption, readCompileFacts, readFactsFile, readStoredFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption, openFleetQuerySources } from '../input/query-answers.ts'
import { getManualCode, manualCodeOptions, printCompileLogs } from './compile.ts'
import { type CheckReport, formatReport, getExitStatus, reportToJson } from './policy-report.ts'

const issues = defineIssues({
  CHECKED_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read a catalog from ${a.file}: ${a.why}`,
    hint: () => "Give JSON that 'plumb catalog compile' printed or an agent cached.",
  },
  BESIDE_CATALOGS: {
    text: (a: { option: string }) => `--${a.option} cannot be given with catalog files: nothing is compiled`,
  },
  NO_CHECK_DAY: { text: (a: { given: string }) => `--on requires a date such as 2026-12-31, not '${a.given}'` },
  NO_POLICIES_FOLDER: {
    text: (a: { folder: string }) => `Could not read policies from ${a.folder}: it is not a directory`,
  },
  POLICY_TIME: {
    text: (a: { what: string; why: string }) => `${a.what} ${a.why}`,
    hint: () => 'Look for an endless loop in a policy function, or for a schema with too many alternatives.',
  },
})

const checkOptions = [
  nodeOption,
  factsOption,
  exportsOption,
  inputsOption,
  ...fleetOptions,
  ...manualCodeOptions,
  classOption,
  repoOption,
  atOption,
  { flags: '--policies <folder>', doc: 'Directory of policies, used instead of the policies of the environment.' },
  {
    flags: '--on <day>',
    doc: 'Apply the exceptions to policy rules that are valid on this date, such as 2026-12-31. Default: today.',
  },
  renderAs,
] as const satisfies readonly Option[]

type CheckInvocation = CommandInvocation<typeof checkOptions>

/** The command `plumb catalog check`. */
export const catalogCheck = defineCommand({
  name: 'check',
  summary: 'Check catalogs against the policies of the environment.',
  description: `Compiles the catalog of the node like 'plumb catalog compile', and evaluates each rule in the directory 'policies' of
the environment; see docs/policies.md. Prints each finding with its resource, source location and reason.

With catalog files as arguments, checks these catalogs without compiling any; the rules are those of the environment or
of --policies. With --nodes, compiles and checks the catalogs of several nodes.

Exits with 1 if a rule of severity 'error' has a finding without an exception, or if a catalog does not compile;
otherwise exits with 0.

  plumb catalog check --node web1.example.com --repo control.git --at my-branch --facts web1.json
  plumb catalog check --nodes nodes.txt --facts-dir facts --repo control.git --render-as json
  plumb catalog check --on 2027-01-01 --node web1.example.com --repo control.git
  plumb catalog check --policies policies catalogs/*.json`,
  usage: '[catalogs...]',
  options: checkOptions,
  async run(invocation) {
    const { args, options, io } = invocation
    const now = parseCheckDay(options.on)
    const settings = loadCodeSettings(invocation)
    const report =
      args.length > 0
        ? await checkCatalogFiles(invocation, now, settings)
        : options.nodes === undefined
          ? await checkNodeCatalog(invocation, now, settings)
          : await checkNodeCatalogs(invocation, options.nodes, now, settings)
    io.out(options.renderAs === 'json' ? reportToJson(report) : formatReport(report))
    return getExitStatus(report)
  },
})

/** Midnight UTC of a date; the current time by default. Throws NO_CHECK_DAY. */
function parseCheckDay(given: string | undefined): Date {
  if (given === undefined) return new Date()
  const day = new Date(`${given}T00:00:00Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given)
  return isDay ? day : throwIssue(issues.NO_CHECK_DAY, { given })
}

/** Reads the policies of the environment or of `--policies`; warns if there are none. Throws POLICY_…, NO_POLICIES_FOLDER. */
function loadPolicies({ options, io }: CheckInvocation, { tree }: CompileEnvironment, now: Date): CatalogCheck {
  const { policies: folder } = options
  const place = folder === undefined ? { tree, path: policyFolder } : { tree: openPolicyTree(folder), path: '' }
  const policies = runWithPolicyTimeout('Reading the policies', () => readPolicies(place.tree, place.path))
  const where = folder === undefined ? `${tree.root}/${policyFolder}` : folder
  if (policies.rules.length === 0) printMessage('Warning', `No policies found in ${where}: nothing is checked`, io)
  return { policies, place, now }
}

function openPolicyTree(folder: string) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throwIssue(issues.NO_POLICIES_FOLDER, { folder })
  return openCommandLineCode({ name: 'policies', modulepath: [], manifest: { file: folder } }).tree
}

async function checkCatalogFiles(invocation: CheckInvocation, now: Date, settings: Settings): Promise<CheckReport> {
  const { args, options, io } = invocation
  const { node, nodes, code, hiera, exports, inputs } = options
  for (const [option, value] of Object.entries({ node, nodes, code, hiera, exports, inputs, class: options.class }))
    if (value !== undefined) throwIssue(issues.BESIDE_CATALOGS, { option })
  // With --policies, the environment may be missing.
  const byHand = options.policies === undefined ? {} : { manifest: { text: '' } }
  const environment = await openCodeWithOverrides(invocation, settings, byHand)
  const check = loadPolicies(invocation, environment, now)
  const given = options.facts === undefined ? {} : readFactsFile(options.facts)
  const findings: PolicyFinding[] = []
  for (const file of args) {
    const catalog = readCatalogFile(file)
    const { name } = catalog
    const facts = { ...(await readStoredFacts(name, settings)), ...given }
    findings.push(
      ...listFindings(
        catalog,
        check,
        { node: name, facts, classified: emptyClassification },
        environment,
        settings,
        io,
      ),
    )
  }
  return { environment: environment.name, codeId: environment.tree.codeId, checked: args.length, failed: [], findings }
}

/** Reads a catalog from a JSON file. Throws CHECKED_UNREADABLE. */
function readCatalogFile(file: string): Catalog {
  const { bound } = budgets.environment.catalogBody
  try {
    const { size = 0 } = statSync(file)
    if (size > bound) throwIssue(issues.CHECKED_UNREADABLE, { file, why: `it has more than ${bound} bytes` })
    const catalog = catalogFromWire(parseJson(readFileSync(file, 'utf8')))
    return { ...catalog, name: checkFileName('catalog', catalog.name) }
  } catch (error) {
    return throwIssue(issues.CHECKED_UNREADABLE, { file, why: formatErrorReason(error) })
  }
}

async function checkNodeCatalog(invocation: CheckInvocation, now: Date, settings: Settings): Promise<CheckReport> {
  const { options, io } = invocation
  const node = checkFileName('catalog', options.node ?? settings.certname)
  const exports = await readExportedResources(invocation, settings)
  const environment = await openCodeWithOverrides(invocation, settings, getManualCode(options, settings))
  const check = loadPolicies(invocation, environment, now)
  const classified = await classifyNode(node, options.class ?? [], settings)
  const target = { node, facts: await readCompileFacts(invocation, settings), classified }
  const { requireAll, ...ways } = createCatalogQueries(options, settings)
  const request = { ...buildCompileRequest(target, environment, settings), ...toExportSearch(exports), ...ways }
  const report = { environment: environment.name, codeId: environment.tree.codeId, findings: [] }
  let catalog: Catalog
  try {
    const compiled = compile(request)
    requireAll()
    catalog = compiled.catalog
    printCompileLogs(compiled.logs, io)
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
    printCompileLogs(error.logs, io)
    if (options.renderAs !== 'json') throw error
    const { message: why, diagnostic } = error
    return { ...report, checked: 0, failed: [{ node, error: why, hint: diagnostic.hint ?? null }] }
  }
  return {
    ...report,
    checked: 1,
    failed: [],
    findings: listFindings(catalog, check, target, environment, settings, io),
  }
}

async function checkNodeCatalogs(
  invocation: CheckInvocation,
  nodes: string,
  now: Date,
  settings: Settings,
): Promise<CheckReport> {
  const { options, io } = invocation
  const { code, hiera, node, facts } = options
  const { manifest, modulepath } = invocation.settings
  checkNodesOptionConflicts({ code, hiera, node, facts, manifest, modulepath })
  const fleet = readFleet(nodes, options)
  const exports = await readExportedResources(invocation, settings)
  const opened: OpenedEnvironment = await openCode(invocation, settings)
  const { environment } = opened
  const check = loadPolicies(invocation, environment, now)
  const asked = await openFleetQuerySources(options, settings, io)
  const progress = createProgressCounter(fleet.nodes.length, io)
  const found = new Map<string, readonly PolicyFinding[] | CheckReport['failed'][number]>()
  await compileFleet(fleet, { opened: [opened], exports, asked }, settings, (name, [answer]) => {
    if ('error' in answer!) found.set(name, { node: name, error: answer.error, hint: answer.hint })
    else {
      const catalog = catalogFromWire(parseJson(new TextDecoder().decode(answer!.catalog.body)))
      found.set(name, listFindings(catalog, check, answer!.target, environment, settings, io))
    }
    progress.done(name)
  })
  progress.clear()
  const all = fleet.nodes.map((name) => found.get(name)!)
  const failed = all.filter((each) => 'error' in each)
  const findings = all.flatMap((each) => ('error' in each ? [] : each))
  const { codeId } = environment.tree
  return { environment: environment.name, codeId, checked: all.length - failed.length, failed, findings }
}

/**
 * Checks a catalog with the policies, and prints the log messages of the policies. Throws
 * POLICY_TIME, CatalogError.
 */
function listFindings(
  catalog: Catalog,
  check: CatalogCheck,
  target: CompileTarget,
  environment: CompileEnvironment,
  settings: Settings,
  io: Io,
): readonly PolicyFinding[] {
  const request = buildCompileRequest(target, environment, settings)
  const what = `Checking the policies for the catalog of ${catalog.name}`
  const { findings, logs } = runWithPolicyTimeout(what, () => checkCatalog(catalog, check, request))
  printCompileLogs(logs, io)
  return findings
}

/** Runs `work` with the time limit of policies. Throws POLICY_TIME. */
function runWithPolicyTimeout<Result>(what: string, work: () => Result): Result {
  try {
    return runWithTimeout(budgets.policy.time.bound, work)
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    return throwIssue(issues.POLICY_TIME, { what, why: error.message })
  }
}
