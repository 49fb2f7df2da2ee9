import { throwIssue } from '../../base/issue.ts'
import {
  checkJsonArray,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
  wireIssues,
} from '../../base/json/json-checks.ts'
import type { EnvironmentStatus, Environments } from '../../code/environments/environments.ts'
import type { CodeSources } from './code-sources.ts'
import type { SourceFetch } from './source-status.ts'

/** A requested fetch: of some sources, of an environment's source, or of all sources. */
export interface SourceFetchRequest {
  readonly sources: readonly string[] | undefined
  readonly environment: string | undefined
  /** False to reply before the fetch. */
  readonly wait: boolean
}

/** The result of a requested fetch. */
export interface SourceFetchReply {
  readonly fetches: readonly SourceFetch[]
  /** The current state of the requested environment, or of all environments of the fetched sources. */
  readonly environments: readonly EnvironmentStatus[]
}

const known = new Set(['source', 'sources', 'environment', 'wait'])

/** Parses a request from JSON. Throws WIRE_SHAPE. */
export function parseSourceFetchRequest(value: unknown): SourceFetchRequest {
  const asked = checkJsonObject(value, 'the request')
  const other = Object.keys(asked).find((key) => !known.has(key))
  const expected = 'an object with source or sources, environment and wait'
  if (other !== undefined) throwIssue(wireIssues.WIRE_SHAPE, { what: 'the request', expected })
  const { source, sources, environment, wait = true } = asked
  if (typeof wait !== 'boolean') throwIssue(wireIssues.WIRE_SHAPE, { what: 'wait', expected: 'true or false' })
  const one = checkOptionalString(source, 'source')
  const some =
    sources === undefined ? [] : checkJsonArray(sources, 'sources').map((each) => checkJsonString(each, 'a source'))
  const named = [...new Set([...(one === undefined ? [] : [one]), ...some])]
  return {
    sources: named.length > 0 ? named : undefined,
    environment: checkOptionalString(environment, 'environment'),
    wait: wait === true,
  }
}

/** Runs a requested fetch. Throws UNKNOWN_SOURCE, NO_SOURCE_OF_ENVIRONMENT. */
export async function runFetchRequest(
  { sources: names, environment }: SourceFetchRequest,
  sources: CodeSources,
  environments: Pick<Environments, 'status'>,
): Promise<SourceFetchReply> {
  const fetches = await sources.fetch(names ?? listRequestedSources(environment, sources))
  // The fetch may have created the environment.
  if (environment !== undefined) sources.getSource(environment)
  const fetched = new Set(fetches.map(({ source }) => source))
  const own = new Set(
    sources.status.filter(({ name }) => fetched.has(name)).flatMap((each) => Object.keys(each.environments)),
  )
  const statuses = await environments.status()
  const isInReply = (name: string) => (environment === undefined ? own.has(name) : name === environment)
  return { fetches, environments: statuses.filter(({ name }) => isInReply(name)) }
}

/** Returns the source of an environment; all sources if none has it yet. */
function listRequestedSources(environment: string | undefined, sources: CodeSources): readonly string[] {
  const has = sources.status.find((each) => environment !== undefined && Object.hasOwn(each.environments, environment))
  return has ? [has.name] : sources.names
}
