import { fail } from '../../base/issue.ts'
import { list, optionalText, record, text, wireIssues } from '../../base/json/wire.ts'
import type { EnvironmentStatus, Environments } from '../../code/environments/environments.ts'
import type { CodeSources } from './code-sources.ts'
import type { SourceFetch } from './source-status.ts'

/** A requested fetch: of some sources, of an environment's source, or of all sources. */
export interface AskedFetch {
  readonly sources: readonly string[] | undefined
  readonly environment: string | undefined
  /** False to reply before the fetch. */
  readonly wait: boolean
}

/** The result of a requested fetch. */
export interface FetchAnswer {
  readonly fetches: readonly SourceFetch[]
  /** The current state of the requested environment, or of all environments of the fetched sources. */
  readonly environments: readonly EnvironmentStatus[]
}

const known = new Set(['source', 'sources', 'environment', 'wait'])

/** Parses a request from JSON. Throws WIRE_SHAPE. */
export function askedFetchFromWire(value: unknown): AskedFetch {
  const asked = record(value, 'the request')
  const other = Object.keys(asked).find((key) => !known.has(key))
  const expected = 'an object of source or sources, environment and wait'
  if (other !== undefined) fail(wireIssues.WIRE_SHAPE, { what: 'the request', expected })
  const { source, sources, environment, wait = true } = asked
  if (typeof wait !== 'boolean') fail(wireIssues.WIRE_SHAPE, { what: 'wait', expected: 'true or false' })
  const one = optionalText(source, 'source')
  const some = sources === undefined ? [] : list(sources, 'sources').map((each) => text(each, 'a source'))
  const named = [...new Set([...(one === undefined ? [] : [one]), ...some])]
  return {
    sources: named.length > 0 ? named : undefined,
    environment: optionalText(environment, 'environment'),
    wait: wait === true,
  }
}

/** Runs a requested fetch. Throws UNKNOWN_SOURCE, NO_SOURCE_OF_ENVIRONMENT. */
export async function fetchAsked(
  { sources: names, environment }: AskedFetch,
  sources: CodeSources,
  environments: Pick<Environments, 'status'>,
): Promise<FetchAnswer> {
  const fetches = await sources.fetch(names ?? namesFor(environment, sources))
  // The fetch may have created the environment.
  if (environment !== undefined) sources.sourceOf(environment)
  const fetched = new Set(fetches.map(({ source }) => source))
  const own = new Set(
    sources.status.filter(({ name }) => fetched.has(name)).flatMap((each) => Object.keys(each.environments)),
  )
  const statuses = await environments.status()
  const isShown = (name: string) => (environment === undefined ? own.has(name) : name === environment)
  return { fetches, environments: statuses.filter(({ name }) => isShown(name)) }
}

/** Returns the source of an environment; all sources if none has it yet. */
function namesFor(environment: string | undefined, sources: CodeSources): readonly string[] {
  const has = sources.status.find((each) => environment !== undefined && Object.hasOwn(each.environments, environment))
  return has ? [has.name] : sources.names
}
