import { readFileSync, statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { TookTooLong, withinTime } from '../../base/time/within-time.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type OpenedEnvironment, openParts } from '../../code/environments/open-environment.ts'
import { type CatalogCheck, checkCatalog } from '../../compiler/check-catalog.ts'
import { compile } from '../../compiler/compile.ts'
import type { Finding } from '../../compiler/policy/policy.ts'
import { policyFolder, readPolicies } from '../../compiler/policy/read-policies.ts'
import { CatalogError } from '../../compiler/request/catalog-error.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Catalog } from '../../model/catalog.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import { defineCommand, type Invocation, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { classOption, compileFleet, fleetFrom, fleetOptions, progressOf, refuseBesideNodes } from '../fleet/fleet.ts'
import { classify } from '../input/classify.ts'
import { atOption, codeSettings, openCode, openCodeWith, repoOption } from '../input/code-source.ts'
import { type CompileTarget, requestFor, unclassified } from '../input/compile-options.ts'
import { exportsOption, knownExports, searching } from '../input/known-exports.ts'
import { askedByMany, asking, inputsOption } from '../input/known-inputs.ts'
import { factsOption, factsToCompile, keptFacts, nodeOption, readFacts } from '../input/node-facts.ts'
import { byHand, codeByHand, printLogs } from './compile.ts'
import { type CheckReport, reportText, reportToJson, statusOf } from './policy-report.ts'

const issues = defineIssues({
  CHECKED_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read a catalog from ${a.file}: ${a.why}`,
    hint: () => "Give JSON that 'plumb catalog compile' printed or an agent cached.",
  },
  BESIDE_CATALOGS: {
    text: (a: { option: string }) => `--${a.option} cannot be given with catalog files: nothing is compiled`,
  },
  NO_CHECK_DAY: { text: (a: { given: string }) => `--on takes a date as YYYY-MM-DD, not '${a.given}'` },
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
  ...byHand,
  classOption,
  repoOption,
  atOption,
  { flags: '--policies <folder>', doc: 'Directory of policies; replaces that of the environment.' },
  {
    flags: '--on <day>',
    doc: 'Date for which exceptions are evaluated, such as 2026-12-31. Default: today.',
  },
  renderAs,
] as const satisfies readonly Option[]

type CheckInvocation = Invocation<typeof checkOptions>

/** `plumb catalog check` */
export const catalogCheck = defineCommand({
  name: 'check',
  summary: 'Check catalogs against the policies of the environment.',
  description: `Compiles the catalog of the node like 'plumb catalog compile', and evaluates each rule in the directory 'policies' of
the environment; see docs/policies.md. Prints each finding with its resource, source location and reason.

With catalog files, nothing is compiled; the rules are those of the environment or of --policies. With --nodes, the
catalogs of several nodes are compiled and checked.

Exits with 1 if a rule of severity 'error' has a finding without an exception or a catalog does not compile, otherwise
with 0.

  plumb catalog check --node web1.example.com --repo control.git --at my-branch --facts web1.json
  plumb catalog check --nodes nodes.txt --facts-dir facts --repo control.git --render-as json
  plumb catalog check --on 2027-01-01 --node web1.example.com --repo control.git
  plumb catalog check --policies policies catalogs/*.json`,
  usage: '[catalogs...]',
  options: checkOptions,
  async run(invocation) {
    const { args, options, io } = invocation
    const now = dayOf(options.on)
    const settings = codeSettings(invocation)
    const report =
      args.length > 0
        ? await checkFiles(invocation, now, settings)
        : options.nodes === undefined
          ? await checkNode(invocation, now, settings)
          : await checkNodes(invocation, options.nodes, now, settings)
    io.out(options.renderAs === 'json' ? reportToJson(report) : reportText(report))
    return statusOf(report)
  },
})

/** Midnight UTC of a date; the current time by default. Throws NO_CHECK_DAY. */
function dayOf(given: string | undefined): Date {
  if (given === undefined) return new Date()
  const day = new Date(`${given}T00:00:00Z`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given)
  return isDay ? day : fail(issues.NO_CHECK_DAY, { given })
}

/** Reads the policies of the environment or of `--policies`; warns if there are none. Throws POLICY_…, NO_POLICIES_FOLDER. */
function policiesFor({ options, io }: CheckInvocation, { tree }: CompileEnvironment, now: Date): CatalogCheck {
  const { policies: folder } = options
  const place = folder === undefined ? { tree, path: policyFolder } : { tree: treeIn(folder), path: '' }
  const policies = inTime('Reading the policies', () => readPolicies(place.tree, place.path))
  const where = folder === undefined ? `${tree.root}/${policyFolder}` : folder
  if (policies.rules.length === 0) say('Warning', `No policies found in ${where}: nothing is checked`, io)
  return { policies, place, now }
}

function treeIn(folder: string) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) fail(issues.NO_POLICIES_FOLDER, { folder })
  return openParts({ name: 'policies', modulepath: [], manifest: { file: folder } }).tree
}

async function checkFiles(invocation: CheckInvocation, now: Date, settings: Settings): Promise<CheckReport> {
  const { args, options, io } = invocation
  const { node, nodes, code, hiera, exports, inputs } = options
  for (const [option, value] of Object.entries({ node, nodes, code, hiera, exports, inputs, class: options.class }))
    if (value !== undefined) fail(issues.BESIDE_CATALOGS, { option })
  // With --policies, the environment may be missing.
  const byHand = options.policies === undefined ? {} : { manifest: { text: '' } }
  const environment = await openCodeWith(invocation, settings, byHand)
  const check = policiesFor(invocation, environment, now)
  const given = options.facts === undefined ? {} : readFacts(options.facts)
  const findings: Finding[] = []
  for (const file of args) {
    const catalog = catalogIn(file)
    const { name } = catalog
    const facts = { ...(await keptFacts(name, settings)), ...given }
    findings.push(
      ...findingsIn(catalog, check, { node: name, facts, classified: unclassified }, environment, settings, io),
    )
  }
  return { environment: environment.name, codeId: environment.tree.codeId, checked: args.length, failed: [], findings }
}

/** Throws CHECKED_UNREADABLE. */
function catalogIn(file: string): Catalog {
  const { bound } = budgets.environment.catalogBody
  try {
    const { size = 0 } = statSync(file)
    if (size > bound) fail(issues.CHECKED_UNREADABLE, { file, why: `it has more than ${bound} bytes` })
    const catalog = catalogFromWire(parseJson(readFileSync(file, 'utf8')))
    return { ...catalog, name: fileName('catalog', catalog.name) }
  } catch (error) {
    return fail(issues.CHECKED_UNREADABLE, { file, why: reasonText(error) })
  }
}

async function checkNode(invocation: CheckInvocation, now: Date, settings: Settings): Promise<CheckReport> {
  const { options, io } = invocation
  const node = fileName('catalog', options.node ?? settings.certname)
  const exports = await knownExports(invocation, settings)
  const environment = await openCodeWith(invocation, settings, codeByHand(options, settings))
  const check = policiesFor(invocation, environment, now)
  const classified = await classify(node, options.class ?? [], settings)
  const target = { node, facts: await factsToCompile(invocation, settings), classified }
  const { requireAll, ...ways } = asking(options, settings)
  const request = { ...requestFor(target, environment, settings), ...searching(exports), ...ways }
  const report = { environment: environment.name, codeId: environment.tree.codeId, findings: [] }
  let catalog: Catalog
  try {
    const compiled = compile(request)
    requireAll()
    catalog = compiled.catalog
    printLogs(compiled.logs, io)
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
    printLogs(error.logs, io)
    if (options.renderAs !== 'json') throw error
    const { message: why, diagnostic } = error
    return { ...report, checked: 0, failed: [{ node, error: why, hint: diagnostic.hint ?? null }] }
  }
  return { ...report, checked: 1, failed: [], findings: findingsIn(catalog, check, target, environment, settings, io) }
}

async function checkNodes(
  invocation: CheckInvocation,
  nodes: string,
  now: Date,
  settings: Settings,
): Promise<CheckReport> {
  const { options, io } = invocation
  const { code, hiera, node, facts } = options
  const { manifest, modulepath } = invocation.settings
  refuseBesideNodes({ code, hiera, node, facts, manifest, modulepath })
  const fleet = fleetFrom(nodes, options)
  const exports = await knownExports(invocation, settings)
  const opened: OpenedEnvironment = await openCode(invocation, settings)
  const { environment } = opened
  const check = policiesFor(invocation, environment, now)
  const asked = await askedByMany(options, settings, io)
  const progress = progressOf(fleet.nodes.length, io)
  const found = new Map<string, readonly Finding[] | CheckReport['failed'][number]>()
  await compileFleet(fleet, { opened: [opened], exports, asked }, settings, (name, [answer]) => {
    if ('error' in answer!) found.set(name, { node: name, error: answer.error, hint: answer.hint })
    else {
      const catalog = catalogFromWire(parseJson(new TextDecoder().decode(answer!.catalog.body)))
      found.set(name, findingsIn(catalog, check, answer!.target, environment, settings, io))
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

/** Throws POLICY_TIME, CatalogError. */
function findingsIn(
  catalog: Catalog,
  check: CatalogCheck,
  target: CompileTarget,
  environment: CompileEnvironment,
  settings: Settings,
  io: Io,
): readonly Finding[] {
  const request = requestFor(target, environment, settings)
  const what = `Checking the policies for the catalog of ${catalog.name}`
  const { findings, logs } = inTime(what, () => checkCatalog(catalog, check, request))
  printLogs(logs, io)
  return findings
}

/** Throws POLICY_TIME. */
function inTime<Result>(what: string, work: () => Result): Result {
  try {
    return withinTime(budgets.policy.time.bound, work)
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    return fail(issues.POLICY_TIME, { what, why: error.message })
  }
}
