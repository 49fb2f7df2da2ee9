import { readFile } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import { parseYaml } from '../../language/values/yaml.ts'

const issues = defineIssues({
  COSTS_UNREADABLE: {
    text: (a: { file: string; reason: string }) => `Could not read costs from ${toPrintable(a.file)}: ${a.reason}`,
    hint: () => 'docs/scaling.md names the command that measures the costs of a machine.',
  },
  COSTS_NOT_A_TABLE: {
    text: (a: { file: string }) => `${toPrintable(a.file)} does not contain a table of costs`,
    hint: () => 'Write one NAME: NUMBER on each line, as YAML or JSON.',
  },
  UNKNOWN_COST: {
    text: (a: { name: string; file: string }) => `Unknown cost '${toPrintable(a.name)}' in ${toPrintable(a.file)}`,
    hint: (a) => formatSuggestion(a.name, costNames) ?? `Known costs: ${costNames.join(', ')}.`,
  },
  INVALID_COST: {
    text: (a: { name: string; file: string; range: string }) =>
      `The cost ${a.name} in ${toPrintable(a.file)} must be a number ${a.range}`,
  },
})

/** A cost: its default, its meaning with the unit, and its largest value. */
interface CostDefinition {
  readonly default: number
  readonly doc: string
  readonly most?: number
}

/** The machine on which the defaults were measured. */
const measuredMachine = '2-core Intel Xeon with other load (November 2026), about twice the costs of an idle machine'

/**
 * Costs of operations, measured with `npm run bench:growth -- --only costs`. Names end in the unit: `Ms` is processor time
 * in milliseconds, `Kib` and `Mib` are sizes.
 */
export const costDefinitions = {
  requestsMs: { default: 37, doc: 'requests of a run but catalog and report: connection, node, plug-in lists, files' },
  recallMs: { default: 32, doc: 'a recalled catalog, without its resources' },
  recallResourceMs: { default: 0.025, doc: 'each resource of a recalled catalog' },
  compileMs: { default: 38, doc: 'a compiled catalog, without its resources' },
  compileResourceMs: { default: 0.2, doc: 'each resource of a compiled catalog' },
  rubyResourceMs: { default: 0.6, doc: 'each resource whose values come from module Ruby that is not recalled' },
  reportMs: { default: 2.4, doc: 'a report, without its resources' },
  reportResourceMs: { default: 0.057, doc: 'each resource of a report' },
  loopShare: { default: 0.4, doc: 'share of the work that only the event loop does, compilation excepted', most: 1 },
  queryMs: { default: 10, doc: 'a query of the console or of PuppetDB clients' },
  pushMs: { default: 100, doc: 'a push, for each server, without compilations' },
  idleMs: { default: 5, doc: 'a second of a server without requests' },
  databaseRunMs: { default: 18, doc: 'facts, catalog and report of a run in PostgreSQL' },
  databaseQueryMs: { default: 10, doc: 'a query in PostgreSQL' },
  serverMib: { default: 450, doc: 'memory of a server' },
  workerMib: { default: 130, doc: 'memory of a compile thread' },
  nodeKib: { default: 4, doc: 'memory of a server for each node' },
  receivedKib: { default: 115, doc: 'data of a run from the node, without the resources in the report' },
  receivedResourceKib: { default: 0.66, doc: 'report of each resource' },
  sentKib: { default: 28, doc: 'data of a run to the node, without the resources of the catalog' },
  sentResourceKib: { default: 0.026, doc: 'each resource of a catalog, compressed' },
  nodeStoredKib: { default: 15, doc: 'facts and history of a node in the database' },
  resourceStoredKib: { default: 0.1, doc: 'each resource of a catalog in the database' },
  reportStoredKib: { default: 3, doc: 'a report in the database' },
} as const satisfies Readonly<Record<string, CostDefinition>>

/** The name of a cost. */
export type CostName = keyof typeof costDefinitions

/** Costs of operations on one machine. */
export type OperationCosts = { readonly machine: string } & { readonly [Name in CostName]: number }

const costNames = Object.keys(costDefinitions) as readonly CostName[]
const machineKey = 'machine'

/** The measured costs that apply without `--costs`. */
export const defaultCosts: OperationCosts = {
  machine: measuredMachine,
  ...(Object.fromEntries(costNames.map((name) => [name, costDefinitions[name].default])) as Record<CostName, number>),
}

/** Reads a YAML or JSON file of costs; absent costs keep their defaults. Throws COSTS_UNREADABLE and others. */
export async function readCosts(file: string): Promise<OperationCosts> {
  const table = parseCostTable(await readCostFile(file), file)
  const costs: Record<string, number> = {}
  for (const [name, value] of table) {
    if (name === machineKey) continue
    if (!isCostName(name)) throwIssue(issues.UNKNOWN_COST, { name: String(name), file })
    costs[name] = checkCost(name, value, file)
  }
  const machine = table.get(machineKey)
  return { ...defaultCosts, machine: typeof machine === 'string' ? machine : file, ...costs }
}

async function readCostFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) =>
    throwIssue(issues.COSTS_UNREADABLE, { file, reason: formatErrorReason(error) }),
  )
  const { bound } = budgets.capacity.costFile
  if (bytes.length > bound) throwIssue(issues.COSTS_UNREADABLE, { file, reason: `more than ${bound} bytes` })
  return bytes.toString()
}

function parseCostTable(text: string, file: string): Hash {
  const table = parseYamlOrThrow(text, file)
  return table instanceof Hash ? table : throwIssue(issues.COSTS_NOT_A_TABLE, { file })
}

function parseYamlOrThrow(text: string, file: string): unknown {
  try {
    return parseYaml(text)
  } catch (error) {
    const reason = error instanceof PuppetError || error instanceof Error ? error.message : String(error)
    return throwIssue(issues.COSTS_UNREADABLE, { file, reason })
  }
}

function isCostName(name: unknown): name is CostName {
  return typeof name === 'string' && Object.hasOwn(costDefinitions, name)
}

function checkCost(name: CostName, value: unknown, file: string): number {
  const { most = Number.MAX_SAFE_INTEGER }: CostDefinition = costDefinitions[name]
  const number = value instanceof Float ? value.value : typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && number >= 0 && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? 'of at least 0' : `from 0 to ${most}`
  return throwIssue(issues.INVALID_COST, { name, file, range })
}
