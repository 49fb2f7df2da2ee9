import { type Json, list, optionalText, record, text } from '../../base/json/wire.ts'
import type { EnvironmentStatus, Environments } from '../../code/environments/environments.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { readCommittedLock } from '../synthesis/deploy-commit.ts'
import type { LockChange } from '../synthesis/lock.ts'
import type { ServedDeployments } from '../synthesis/served-deployments.ts'
import type { ControlRequests } from './control.ts'

/** A request to wait for modules, or to resolve them again. */
export interface AskedUpdate {
  /** True to resolve modules again; false to wait for running deployments only. */
  readonly anew: boolean
  /** Names of environments; if empty, all environments with a Puppetfile. */
  readonly environments: readonly string[]
  /** Titles or names of modules; if empty, all modules whose versions may change. */
  readonly modules: readonly string[]
}

/** The result of resolving an environment's modules again. */
export interface UpdateResult {
  readonly environment: string
  /** `held`: a committed Puppetfile.lock determines the versions; `none`: the environment has no Puppetfile. */
  readonly result: 'updated' | 'unchanged' | 'held' | 'none' | 'failed'
  readonly changes: readonly LockChange[]
  readonly error?: string
}

/** The server's reply after resolving modules again. */
export interface UpdateAnswer {
  readonly results: readonly UpdateResult[]
  readonly environments: readonly EnvironmentStatus[]
}

/** Parses the request of `plumb code update`. Throws WIRE_SHAPE. */
function updateFromWire(body: unknown): AskedUpdate {
  const { environments, modules, anew } = record(body, 'update')
  const words = (value: unknown, what: string) => list(value, what).map((each) => text(each, what))
  return {
    anew: anew === true,
    environments: words(environments, 'update.environments'),
    modules: words(modules, 'update.modules'),
  }
}

/** Parts of a server that deploy modules. */
export interface UpdateParts {
  readonly deployments: ServedDeployments
  readonly environments: Environments
}

/** Returns the handler for requests to resolve modules again. */
export function updateRequest(parts: UpdateParts): NonNullable<ControlRequests['update']> {
  return (asked, tell, gone) => updateAsked(updateFromWire(asked), parts, { tell, gone })
}

/** Resolves modules again, one environment after the other, then returns the results and the served code. */
async function updateAsked(
  { anew, environments: asked, modules }: AskedUpdate,
  { deployments, environments }: UpdateParts,
  { tell, gone }: { tell(line: string): void; readonly gone: AbortSignal },
): Promise<Json> {
  await environments.refresh()
  await deployments.settled(asked.length > 0 ? asked : undefined)
  const results: UpdateResult[] = []
  const freshSince = performance.now()
  for (const environment of asked.length > 0 ? asked : deployments.environments) {
    if (gone.aborted || !anew) break
    results.push(await updated(environment, modules, { deployments, tell, signal: gone, freshSince }))
  }
  await environments.refresh()
  return { results, environments: await environments.status() } as unknown as Json
}

interface Way {
  readonly deployments: UpdateParts['deployments']
  tell(line: string): void
  readonly signal: AbortSignal
  readonly freshSince: number
}

async function updated(
  environment: string,
  modules: readonly string[],
  { deployments, tell, signal, freshSince }: Way,
): Promise<UpdateResult> {
  const source = deployments.sourceCommit(environment)
  if (source === undefined) return { environment, result: 'none', changes: [] }
  try {
    if (await readCommittedLock(deployments.objects, source)) return { environment, result: 'held', changes: [] }
    const progress = (done: number, of: number) => tell(`${environment}: ${done} of ${of} modules`)
    const anew = modules.length > 0 ? new Set(modules) : 'moving'
    const found = await deployments.update(environment, { anew, progress, signal, freshSince })
    const changes = found?.changes ?? []
    return { environment, result: changes.length > 0 ? 'updated' : 'unchanged', changes }
  } catch (error) {
    return { environment, result: 'failed', changes: [], error: errorText(error) }
  }
}

/** Parses the server's reply. Throws WIRE_SHAPE. */
export function updateAnswerFrom(answer: unknown): UpdateAnswer {
  const { results, environments } = record(answer, 'the answer of the server')
  return {
    results: list(results, 'its results').map(resultFrom),
    environments: list(environments, 'its environments') as readonly EnvironmentStatus[],
  }
}

const words = ['updated', 'unchanged', 'held', 'none'] as const

function resultFrom(value: unknown): UpdateResult {
  const { environment, result, changes, error } = record(value, 'a result')
  const why = optionalText(error, 'an error')
  return {
    environment: text(environment, 'an environment'),
    result: words.find((word) => word === result) ?? 'failed',
    changes: list(changes, 'changes').map(changeFrom),
    ...(why !== undefined && { error: why }),
  }
}

function changeFrom(value: unknown): LockChange {
  const { title, path, from, to } = record(value, 'a change')
  return {
    title: text(title, 'a title'),
    path: text(path, 'a path'),
    from: optionalText(from, 'from'),
    to: optionalText(to, 'to'),
  }
}
