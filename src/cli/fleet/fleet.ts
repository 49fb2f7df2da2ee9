import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import type { OpenedEnvironment } from '../../code/environments/open-environment.ts'
import type { CompiledCatalog, CompileJob } from '../../compiler/workers/job.ts'
import { CompilePool } from '../../compiler/workers/pool.ts'
import { errorText, reasonText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import type { TrustedFacts } from '../../node/facts/trusted.ts'
import type { ExportTable } from '../../store/exports/memory.ts'
import type { Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'
import { classify } from '../input/classify.ts'
import { type CompileTarget, requestFor } from '../input/compile-options.ts'
import type { AskedByMany } from '../input/known-inputs.ts'
import { keptFacts, readFacts } from '../input/node-facts.ts'
import { FleetExports } from './exports.ts'

const issues = defineIssues({
  UNREADABLE_NODES: {
    text: (a: { file: string; reason: string }) => `Could not read nodes from ${a.file}: ${a.reason}`,
    hint: () => 'It has the name of a node in each line; what follows # is ignored.',
  },
  NO_NODES_IN_FILE: { text: (a: { file: string }) => `There are no nodes in ${a.file}` },
  BESIDE_NODES: {
    text: (a: { option: string }) => `${a.option} cannot be given with --nodes`,
    hint: () => 'The nodes are compiled from a commit, or the folder of an environment, with the facts of --facts-dir.',
  },
  WRONG_JOBS: { text: (a: { given: string }) => `--jobs takes a whole number above 0, not '${a.given}'` },
})

/** Nodes, with the files of their facts. */
export interface Fleet {
  readonly nodes: readonly string[]
  /** The number of nodes compiled at once; 0 means a node for each core. */
  readonly jobs: number
  readonly factsDirectory: string | undefined
  readonly classes: readonly string[]
  /** Trusted facts of a node; by default those of the user on this machine. */
  readonly trusted?: (node: string) => Promise<TrustedFacts>
}

/** The catalog of a node as it would go out, with what was known of the node; or why there is none. */
export type FleetAnswer = { readonly catalog: CompiledCatalog; readonly target: CompileTarget } | FleetFailure

/** Why there is no catalog, and what may help. */
export interface FleetFailure {
  readonly error: string
  readonly hint: string | null
}

/** Options of commands that work on a fleet. */
export const fleetOptions = [
  { flags: '--nodes <file>', doc: 'Many nodes: a file with the name of one in each line.' },
  { flags: '--facts-dir <folder>', doc: 'Their facts, in NAME.json or NAME.yaml, over those that the server keeps.' },
  { flags: '--jobs <number>', doc: 'How many are compiled at once; one for each core by default.' },
] as const satisfies readonly Option[]

/** The classes that a command declares. */
export const classOption = {
  flags: '--class <name...>',
  doc: 'Classes to declare, as a classifier does.',
} as const satisfies Option

type FleetOptions = readonly [...typeof fleetOptions, typeof classOption]

/** Refuses options beside `--nodes` that are for one node, or for code given by hand. Throws BESIDE_NODES. */
export function refuseBesideNodes(given: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) fail(issues.BESIDE_NODES, { option: `--${name}` })
}

/** The fleet that the options name. Throws UNREADABLE_NODES, NO_NODES_IN_FILE, WRONG_JOBS. */
export function fleetFrom(file: string, options: MayHave<FleetOptions>): Fleet {
  const nodes = readNodes(file)
  if (nodes.length === 0) fail(issues.NO_NODES_IN_FILE, { file })
  return fleetOf(nodes, options)
}

/** A fleet of these nodes. Throws WRONG_JOBS. */
export function fleetOf(
  names: readonly string[],
  { jobs, factsDir, class: classes = [] }: MayHave<FleetOptions>,
): Fleet {
  if (jobs !== undefined && !/^0*[1-9]\d*$/.test(jobs)) fail(issues.WRONG_JOBS, { given: jobs })
  const nodes = [...new Set(names)]
  for (const node of nodes) fileName('catalog', node)
  return {
    nodes,
    jobs: Number(jobs ?? 0),
    factsDirectory: factsDir,
    classes,
  }
}

/** The names in a file, one a line. Throws UNREADABLE_NODES. */
export function readNodes(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((name) => name !== '')
  } catch (error) {
    return fail(issues.UNREADABLE_NODES, { file, reason: reasonText(error) })
  }
}

/** The code that a fleet is compiled from, and what nodes export when it begins; without, nothing is collected. */
export interface FleetCode {
  readonly opened: readonly OpenedEnvironment[]
  readonly exports: ExportTable | undefined
  /** Who answers what code asks outside; the store is closed with the last catalog. */
  readonly asked?: AskedByMany | undefined
}

/** More passes would not help: what these nodes export never comes to rest. */
const mostPasses = 10

/**
 * Compiles each node's catalog from each of the codes in threads, and hands on what came of a node: nothing is kept of
 * one that is done, however many there are. With exports, nodes that collect are compiled again until what they collect
 * is what the others export; what comes last of a node counts.
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
      const lane = async (): Promise<void> => {
        for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
          const answers: FleetAnswer[] = []
          for (const side of sides) answers.push(await answerFor(node, side, fleet, settings))
          take(node, answers)
        }
      }
      // As many at a time as there are threads: facts of nodes that wait are not held in memory.
      await Promise.all(Array.from({ length: size }, lane))
      const again = new Set(sides.flatMap((side) => side.exports?.endPass(nodes) ?? []))
      nodes = nodes.filter((node) => again.has(node))
    }
  } finally {
    await Promise.all(sides.map(({ pool }) => pool.close()))
    await asked?.store?.close()
  }
}

/** Code that a fleet is compiled from, with its threads and with what nodes export under it. */
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

/** A node of a fleet, with what its catalog is made of. Throws why there is no such. */
export async function targetOf(
  node: string,
  { factsDirectory, classes, trusted }: Pick<Fleet, 'factsDirectory' | 'classes' | 'trusted'>,
  settings: Settings,
): Promise<CompileTarget> {
  const classified = await classify(node, classes, settings)
  const file = factsFile(node, factsDirectory)
  const facts = { ...(await keptFacts(node, settings)), ...(file === undefined ? {} : readFacts(file)) }
  return { node, facts, classified, trusted: await trusted?.(node) }
}

/** The job of a node for a thread, which asks by ways of its own. */
export function jobFor(
  target: CompileTarget,
  { environment, snapshot }: Pick<OpenedEnvironment, 'environment' | 'snapshot'>,
  settings: Settings,
): CompileJob {
  const { askStore: _, askOutside: __, ...request } = requestFor(target, environment, settings)
  return { ...request, environment: snapshot, format: 'rich' }
}

async function answerFor(
  node: string,
  { code, pool, exports }: Side,
  fleet: Fleet,
  settings: Settings,
): Promise<FleetAnswer> {
  try {
    const target = await targetOf(node, fleet, settings)
    const catalog = await pool.compile(jobFor(target, code, settings))
    exports?.note(node, catalog)
    return { catalog, target }
  } catch (error) {
    exports?.note(node, undefined)
    return { error: errorText(error), hint: (error instanceof PuppetError && error.diagnostic.hint) || null }
  }
}

/** The file of a node's facts in a folder: the one that is there. */
export function factsFile(node: string, directory: string | undefined): string | undefined {
  if (directory === undefined) return undefined
  const names = ['json', 'yaml', 'yml'].map((ending) => join(directory, `${node}.${ending}`))
  return names.find((file) => existsSync(file)) ?? names[0]
}

/** A failure as lines for people: after `title` what went wrong, and the hint below it, after `margin`. */
export function failureLines({ error, hint }: FleetFailure, title: string, margin = '  '): string[] {
  const oneLine = (text: string) => text.replaceAll('\n', ' ')
  return [`${title}${oneLine(error)}`, ...(hint === null ? [] : [`${margin}${oneLine(hint)}`])]
}

/** The line of progress while a fleet is compiled, on a terminal only. */
export function progressOf(total: number, io: Io): { done(node: string): void; clear(): void } {
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
