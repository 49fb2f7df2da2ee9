import {
  checkJsonArray,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
  type Json,
} from '../../base/json/json-checks.ts'
import type { EnvironmentStatus, Environments } from '../../code/environments/environments.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { readCommittedLock } from '../synthesis/commit-deployment.ts'
import type { LockChange } from '../synthesis/puppetfile-lock.ts'
import type { ServedDeployments } from '../synthesis/server-deployments.ts'
import type { ControlRequests } from './control-socket.ts'

/** A request to wait for modules, or to resolve them again. */
export interface ModuleUpdateRequest {
  /** True to resolve modules again; false to wait for running deployments only. */
  readonly anew: boolean
  /** Names of environments; if empty, all environments with a Puppetfile. */
  readonly environments: readonly string[]
  /** Titles or names of modules; if empty, all modules whose versions may change. */
  readonly modules: readonly string[]
}

/** The result of resolving an environment's modules again. */
export interface ModuleUpdateResult {
  readonly environment: string
  /** `held`: a committed Puppetfile.lock determines the versions; `none`: the environment has no Puppetfile. */
  readonly result: 'updated' | 'unchanged' | 'held' | 'none' | 'failed'
  readonly changes: readonly LockChange[]
  readonly error?: string
}

/** The server's reply after resolving modules again. */
export interface ModuleUpdateReply {
  readonly results: readonly ModuleUpdateResult[]
  readonly environments: readonly EnvironmentStatus[]
}

/** Parses the request of `plumb code update`. Throws WIRE_SHAPE. */
function parseUpdateRequest(body: unknown): ModuleUpdateRequest {
  const { environments, modules, anew } = checkJsonObject(body, 'update')
  const parseTexts = (value: unknown, what: string) =>
    checkJsonArray(value, what).map((each) => checkJsonString(each, what))
  return {
    anew: anew === true,
    environments: parseTexts(environments, 'update.environments'),
    modules: parseTexts(modules, 'update.modules'),
  }
}

/** Parts of a server that deploy modules. */
export interface UpdateParts {
  readonly deployments: ServedDeployments
  readonly environments: Environments
}

/** Returns the handler for requests to resolve modules again. */
export function createUpdateHandler(parts: UpdateParts): NonNullable<ControlRequests['update']> {
  return (asked, tell, gone) => updateEnvironments(parseUpdateRequest(asked), parts, { tell, gone })
}

/** Resolves modules again, one environment after the other, then returns the results and the served code. */
async function updateEnvironments(
  { anew, environments: asked, modules }: ModuleUpdateRequest,
  { deployments, environments }: UpdateParts,
  { tell, gone }: { tell(line: string): void; readonly gone: AbortSignal },
): Promise<Json> {
  await environments.refresh()
  await deployments.settled(asked.length > 0 ? asked : undefined)
  const results: ModuleUpdateResult[] = []
  const freshSince = performance.now()
  for (const environment of asked.length > 0 ? asked : deployments.environments) {
    if (gone.aborted || !anew) break
    results.push(await updateEnvironment(environment, modules, { deployments, tell, signal: gone, freshSince }))
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

async function updateEnvironment(
  environment: string,
  modules: readonly string[],
  { deployments, tell, signal, freshSince }: Way,
): Promise<ModuleUpdateResult> {
  const source = deployments.sourceCommit(environment)
  if (source === undefined) return { environment, result: 'none', changes: [] }
  try {
    if (await readCommittedLock(deployments.objects, source)) return { environment, result: 'held', changes: [] }
    const reportProgress = (done: number, of: number) => tell(`${environment}: ${done} of ${of} modules`)
    const anew = modules.length > 0 ? new Set(modules) : 'moving'
    const found = await deployments.update(environment, { anew, progress: reportProgress, signal, freshSince })
    const changes = found?.changes ?? []
    return { environment, result: changes.length > 0 ? 'updated' : 'unchanged', changes }
  } catch (error) {
    return { environment, result: 'failed', changes: [], error: formatError(error) }
  }
}

/** Parses the server's reply. Throws WIRE_SHAPE. */
export function parseUpdateReply(answer: unknown): ModuleUpdateReply {
  const { results, environments } = checkJsonObject(answer, 'the response of the server')
  return {
    results: checkJsonArray(results, 'results').map(parseUpdateResult),
    environments: checkJsonArray(environments, 'environments') as readonly EnvironmentStatus[],
  }
}

const parseTexts = ['updated', 'unchanged', 'held', 'none'] as const

function parseUpdateResult(value: unknown): ModuleUpdateResult {
  const { environment, result, changes, error } = checkJsonObject(value, 'a result')
  const why = checkOptionalString(error, 'an error')
  return {
    environment: checkJsonString(environment, 'an environment'),
    result: parseTexts.find((word) => word === result) ?? 'failed',
    changes: checkJsonArray(changes, 'changes').map(parseLockChange),
    ...(why !== undefined && { error: why }),
  }
}

function parseLockChange(value: unknown): LockChange {
  const { title, path, from, to } = checkJsonObject(value, 'a change')
  return {
    title: checkJsonString(title, 'a title'),
    path: checkJsonString(path, 'a path'),
    from: checkOptionalString(from, 'from'),
    to: checkOptionalString(to, 'to'),
  }
}
