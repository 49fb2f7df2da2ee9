import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { OpenedEnvironment } from '../../code/environments/environment-opener.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/compile-job.ts'
import { CompilePool } from '../../compiler/workers/compile-pool.ts'
import { formatError, formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import type { TrustedFacts } from '../../node/facts/trusted.ts'
import type { ExportTable } from '../../store/exports/memory-exports.ts'
import type { Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'
import { buildCompileRequest, type CompileTarget } from '../input/compile-options.ts'
import { classifyNode } from '../input/node-classification.ts'
import { readFactsFile, readStoredFacts } from '../input/node-facts.ts'
import type { FleetQuerySources } from '../input/query-answers.ts'
import { FleetExports } from './exports.ts'

const issues = defineIssues({
  UNREADABLE_NODES: {
    text: (a: { file: string; reason: string }) => `Could not read nodes from ${a.file}: ${a.reason}`,
    hint: () => 'Write one node name on each line; text after # is a comment.',
  },
  NO_NODES_IN_FILE: { text: (a: { file: string }) => `${a.file} contains no node names` },
  BESIDE_NODES: {
    text: (a: { option: string }) => `${a.option} cannot be given with --nodes`,
    hint: () =>
      'With --nodes, the code is a commit or an environment directory, and the facts of each node are in --facts-dir.',
  },
  WRONG_JOBS: { text: (a: { given: string }) => `--jobs requires a positive integer, not '${a.given}'` },
})

/** A list of nodes to compile, and the directory of their fact files. */
export interface Fleet {
  readonly nodes: readonly string[]
  /** Number of nodes compiled in parallel; 0 means one per CPU core. */
  readonly jobs: number
  readonly factsDirectory: string | undefined
  readonly classes: readonly string[]
  /** Trusted facts of a node; by default the trusted facts of the user on this machine. */
  readonly trusted?: (node: string) => Promise<TrustedFacts>
}

/** The catalog of a node as an agent receives it, with the compiled target; or the failure. */
export type FleetAnswer = { readonly catalog: CompiledCatalog; readonly target: CompileTarget } | FleetFailure

/** The error of a failed compilation, and its hint. */
export interface FleetFailure {
  readonly error: string
  readonly hint: string | null
}

/** Option for the number of catalogs compiled in parallel. */
export const jobsOption = {
  flags: '--jobs <number>',
  doc: 'Number of catalogs compiled in parallel. Default: one per CPU core.',
} as const satisfies Option

/** Options of commands that compile catalogs for several nodes. */
export const fleetOptions = [
  { flags: '--nodes <file>', doc: 'File with one node name on each line. The command processes all these nodes.' },
  {
    flags: '--facts-dir <folder>',
    doc: 'Directory of facts for --nodes (NAME.json or NAME.yaml); overrides the facts stored on the server.',
  },
  jobsOption,
] as const satisfies readonly Option[]

/** Classes named on the command line. */
export const classOption = {
  flags: '--class <name...>',
  doc: 'Classes to declare, instead of the classes from the node classifier.',
} as const satisfies Option

type FleetOptions = readonly [...typeof fleetOptions, typeof classOption]

/**
 * Rejects options that conflict with `--nodes`: options for a single node, or for code on the command line. Throws
 * BESIDE_NODES.
 */
export function checkNodesOptionConflicts(given: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throwIssue(issues.BESIDE_NODES, { option: `--${name}` })
}

/** Reads the nodes in `file`. Throws UNREADABLE_NODES, NO_NODES_IN_FILE, WRONG_JOBS. */
export function readFleet(file: string, options: MayHave<FleetOptions>): Fleet {
  const nodes = readNodeNames(file)
  if (nodes.length === 0) throwIssue(issues.NO_NODES_IN_FILE, { file })
  return createFleet(nodes, options)
}

/** Builds a fleet from node names. Throws WRONG_JOBS. */
export function createFleet(
  names: readonly string[],
  { jobs, factsDir, class: classes = [] }: MayHave<FleetOptions>,
): Fleet {
  if (jobs !== undefined && !/^0*[1-9]\d*$/.test(jobs)) throwIssue(issues.WRONG_JOBS, { given: jobs })
  const nodes = [...new Set(names)]
  for (const node of nodes) checkFileName('catalog', node)
  return {
    nodes,
    jobs: Number(jobs ?? 0),
    factsDirectory: factsDir,
    classes,
  }
}

/** Reads node names from a file with one name per line. Throws UNREADABLE_NODES. */
export function readNodeNames(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((name) => name !== '')
  } catch (error) {
    return throwIssue(issues.UNREADABLE_NODES, { file, reason: formatErrorReason(error) })
  }
}

/**
 * The code to compile, and the exported resources before the first pass. Without `exports`,
 * collectors find nothing.
 */
export interface FleetCode {
  readonly opened: readonly OpenedEnvironment[]
  readonly exports: ExportTable | undefined
  /**
   * Functions that answer queries of the code (store, DNS, HTTP, programs). The store is closed
   * after the last catalog.
   */
  readonly asked?: FleetQuerySources | undefined
}

/** Maximum number of passes, for nodes whose exported resources never stop changing. */
const mostPasses = 10

/**
 * Compiles the catalog of each node from each code in worker threads, and passes the results to `take`; no result stays in
 * memory. With exports, nodes with collectors are compiled again until the collected resources equal the exported ones.
 * `take` may receive a node several times; the last result is final.
 */
export async function compileFleet(
  fleet: Fleet,
  { opened, exports, asked }: FleetCode,
  settings: Settings,
  take: (node: string, answers: readonly FleetAnswer[]) => void,
): Promise<void> {
  const sides = opened.map((code) => openSide(code, fleet.jobs, { exports, asked }, settings))
  const size = sides[0]!.pool.status().size
  try {
    let nodes = fleet.nodes
    for (let pass = 1; nodes.length > 0 && pass <= mostPasses; pass++) {
      const waiting = [...nodes]
      const compileNextNodes = async (): Promise<void> => {
        for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
          const answers: FleetAnswer[] = []
          for (const side of sides) answers.push(await compileNode(node, side, fleet, settings))
          take(node, answers)
        }
      }
      // One loop per thread, so that the facts of waiting nodes are not held in memory.
      await Promise.all(Array.from({ length: size }, compileNextNodes))
      const again = new Set(sides.flatMap((side) => side.exports?.endPass(nodes) ?? []))
      nodes = nodes.filter((node) => again.has(node))
    }
  } finally {
    await Promise.all(sides.map(({ pool }) => pool.close()))
    await asked?.store?.close()
  }
}

/** One version of the code in a comparison, with its worker threads and its exported resources. */
interface Side {
  readonly code: OpenedEnvironment
  readonly pool: CompilePool
  readonly exports: FleetExports | undefined
}

function openSide(
  code: OpenedEnvironment,
  jobs: number,
  { exports: known, asked }: Pick<FleetCode, 'exports' | 'asked'>,
  settings: Settings,
): Side {
  const exports = known && new FleetExports(known)
  const pool = new CompilePool({ size: jobs, timeout: settings.compile_timeout, maxQueued: 0, exports, ...asked })
  return { code, pool, exports }
}

/** Collects the classification, facts and trusted facts of a node. Throws if any of these cannot be read. */
export async function collectCompileTarget(
  node: string,
  { factsDirectory, classes, trusted }: Pick<Fleet, 'factsDirectory' | 'classes' | 'trusted'>,
  settings: Settings,
): Promise<CompileTarget> {
  const classified = await classifyNode(node, classes, settings)
  const file = findFactsFile(node, factsDirectory)
  const facts = { ...(await readStoredFacts(node, settings)), ...(file === undefined ? {} : readFactsFile(file)) }
  return { node, facts, classified, trusted: await trusted?.(node) }
}

/** The compile job of a node for a worker thread. The thread itself sends the queries of the code. */
export function createFleetJob(
  target: CompileTarget,
  { environment, snapshot }: Pick<OpenedEnvironment, 'environment' | 'snapshot'>,
  settings: Settings,
): CompileJob {
  const { askStore: _, askOutside: __, ...request } = buildCompileRequest(target, environment, settings)
  return { ...request, environment: snapshot, format: 'rich' }
}

async function compileNode(
  node: string,
  { code, pool, exports }: Side,
  fleet: Fleet,
  settings: Settings,
): Promise<FleetAnswer> {
  try {
    const target = await collectCompileTarget(node, fleet, settings)
    const catalog = await pool.compile(createFleetJob(target, code, settings))
    exports?.note(node, catalog)
    return { catalog, target }
  } catch (error) {
    exports?.note(node, undefined)
    return { error: formatError(error), hint: (error instanceof PuppetError && error.diagnostic.hint) || null }
  }
}

/** The facts file of a node: the first of NAME.json, NAME.yaml and NAME.yml that exists; NAME.json if none does. */
export function findFactsFile(node: string, directory: string | undefined): string | undefined {
  if (directory === undefined) return undefined
  const names = ['json', 'yaml', 'yml'].map((ending) => join(directory, `${node}.${ending}`))
  return names.find((file) => existsSync(file)) ?? names[0]
}

/** A failure as text lines: the error after `title`, and the hint on the next line after `margin`. */
export function formatFailureLines({ error, hint }: FleetFailure, title: string, margin = '  '): string[] {
  const toOneLine = (text: string) => text.replaceAll('\n', ' ')
  return [`${title}${toOneLine(error)}`, ...(hint === null ? [] : [`${margin}${toOneLine(hint)}`])]
}

/** Progress line of a compilation (`12/40`), on a terminal only. */
export function createProgressCounter(total: number, io: Io): { done(node: string): void; clear(): void } {
  const done = new Set<string>()
  const clear = () => io.color && io.err('\r\u001b[K')
  return {
    done(node) {
      done.add(node)
      if (io.color) io.err(`\r\u001b[K${done.size}/${total}`)
    },
    clear,
  }
}
