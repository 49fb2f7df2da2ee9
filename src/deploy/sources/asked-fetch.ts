import { fail } from '../../base/issue.ts'
import { list, optionalText, record, text, wireIssues } from '../../base/json/wire.ts'
import type { EnvironmentStatus, Environments } from '../../code/environments/environments.ts'
import type { CodeSources } from './code-sources.ts'
import type { SourceFetch } from './source-status.ts'

/** A fetch that somebody asks for: of some sources, of the source of an environment, or of all. */
export interface AskedFetch {
  readonly sources: readonly string[] | undefined
  readonly environment: string | undefined
  /** False for an answer before anything is fetched. */
  readonly wait: boolean
}

/** The outcome of such a fetch. */
export interface FetchAnswer {
  readonly fetches: readonly SourceFetch[]
  /** The environments of these sources, or the one that was asked for, as they are served now. */
  readonly environments: readonly EnvironmentStatus[]
}

const known = new Set(['source', 'sources', 'environment', 'wait'])

/** Reads what is asked, out of JSON. Throws WIRE_SHAPE. */
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

/** Fetches what is asked. Throws UNKNOWN_SOURCE, NO_SOURCE_OF_ENVIRONMENT. */
export async function fetchAsked(
  { sources: names, environment }: AskedFetch,
  sources: CodeSources,
  environments: Pick<Environments, 'status'>,
): Promise<FetchAnswer> {
  const fetches = await sources.fetch(names ?? namesFor(environment, sources))
  // An environment that no source had before may have come just now.
  if (environment !== undefined) sources.sourceOf(environment)
  const fetched = new Set(fetches.map(({ source }) => source))
  const own = new Set(
    sources.status.filter(({ name }) => fetched.has(name)).flatMap((each) => Object.keys(each.environments)),
  )
  const statuses = await environments.status()
  const isShown = (name: string) => (environment === undefined ? own.has(name) : name === environment)
  return { fetches, environments: statuses.filter(({ name }) => isShown(name)) }
}

/** The source of an environment; all sources where none has it yet. */
function namesFor(environment: string | undefined, sources: CodeSources): readonly string[] {
  const has = sources.status.find((each) => environment !== undefined && Object.hasOwn(each.environments, environment))
  return has ? [has.name] : sources.names
}
