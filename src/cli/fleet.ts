import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, fail, inOneLine, PuppetError } from '../base/issue.ts'
import type { CompiledCatalog } from '../compiler/workers/job.ts'
import { CompilePool } from '../compiler/workers/pool.ts'
import type { OpenedEnvironment } from '../environments/open-environment.ts'
import { fileName } from '../indirector/file-name.ts'
import type { Settings } from '../settings/settings.ts'
import { classify } from './classify.ts'
import type { Invocation, Io } from './command.ts'
import { requestFor } from './compile-options.ts'

const issues = defineIssues({
  UNREADABLE_NODES: {
    text: (a: { file: string; reason: string }) => `Could not read nodes from ${a.file}: ${a.reason}`,
    hint: () => 'It has the name of a node in each line; what follows # is ignored.',
  },
  NO_NODES: { text: (a: { file: string }) => `There are no nodes in ${a.file}` },
  WRONG_JOBS: { text: (a: { given: string }) => `--jobs takes a whole number above 0, not '${a.given}'` },
})

/** Nodes, with the files of their facts. */
export interface Fleet {
  readonly nodes: readonly string[]
  /** How many are compiled at once; 0 is one for each core. */
  readonly jobs: number
  readonly factsDirectory: string | undefined
  readonly classes: readonly string[]
}

/** The catalog of a node as it would go out, or why there is none. */
export type FleetAnswer = { readonly catalog: CompiledCatalog } | { readonly error: string }

/** Options of commands that work on a fleet. */
export const fleetOptions = [
  { flags: '--nodes <file>', doc: 'Many nodes: a file with the name of one in each line.' },
  { flags: '--facts-dir <folder>', doc: 'Their facts, in NAME.json or NAME.yaml.' },
  { flags: '--jobs <number>', doc: 'How many are compiled at once; one for each core by default.' },
] as const

/** The fleet that the options name. Throws UNREADABLE_NODES, NO_NODES, WRONG_JOBS. */
export function fleetFrom({ options }: Pick<Invocation, 'options'>): Fleet {
  const file = String(options.nodes)
  const given = options.jobs === undefined ? '0' : String(options.jobs)
  if (!/^\d+$/.test(given) || (options.jobs !== undefined && Number(given) === 0)) fail(issues.WRONG_JOBS, { given })
  const nodes = [...new Set(readNodes(file))]
  if (nodes.length === 0) fail(issues.NO_NODES, { file })
  for (const node of nodes) fileName('catalog', node)
  return {
    nodes,
    jobs: Number(given),
    factsDirectory: typeof options.factsDir === 'string' ? options.factsDir : undefined,
    classes: Array.isArray(options.class) ? options.class : [],
  }
}

function readNodes(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((name) => name !== '')
  } catch (error) {
    return fail(issues.UNREADABLE_NODES, { file, reason: (error as NodeJS.ErrnoException).code ?? String(error) })
  }
}

/**
 * Compiles each node's catalog from each of the codes in threads, and hands on what came of a node: nothing is kept of
 * one that is done, however many there are.
 */
export async function compileFleet(
  { nodes, jobs, factsDirectory, classes }: Fleet,
  codes: readonly OpenedEnvironment[],
  settings: Settings,
  take: (node: string, answers: readonly FleetAnswer[]) => void,
): Promise<void> {
  const pool = new CompilePool({ size: jobs, timeout: settings.compile_timeout, maxQueued: 0 })
  const answerFor = async (node: string, { environment, snapshot }: OpenedEnvironment): Promise<FleetAnswer> => {
    try {
      const classified = await classify(node, classes, settings)
      const request = requestFor({ node, facts: factsFile(node, factsDirectory), classified }, environment, settings)
      return { catalog: await pool.compile({ ...request, environment: snapshot, format: 'rich' }) }
    } catch (error) {
      return { error: messageOf(error) }
    }
  }
  const waiting = [...nodes]
  const lane = async (): Promise<void> => {
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
      const answers: FleetAnswer[] = []
      for (const code of codes) answers.push(await answerFor(node, code))
      take(node, answers)
    }
  }
  try {
    // As many at a time as there are threads: facts of nodes that wait are not held in memory.
    await Promise.all(Array.from({ length: pool.status().size }, lane))
  } finally {
    await pool.close()
  }
}

function factsFile(node: string, directory: string | undefined): string | undefined {
  if (directory === undefined) return undefined
  const names = ['json', 'yaml', 'yml'].map((ending) => join(directory, `${node}.${ending}`))
  return names.find((file) => existsSync(file)) ?? names[0]
}

function messageOf(error: unknown): string {
  if (error instanceof PuppetError) return inOneLine(error.diagnostic)
  return error instanceof Error ? error.message : String(error)
}

/** A line that says how far it is, on a terminal only. */
export function progressOf(total: number, io: Io): { step(): void; clear(): void } {
  let done = 0
  const clear = () => io.color && io.err('\r\u001b[K')
  return {
    step() {
      done++
      if (io.color) io.err(`\r\u001b[K${done}/${total}`)
    },
    clear,
  }
}
