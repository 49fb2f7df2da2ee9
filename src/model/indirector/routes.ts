import { createDiagnostic, type Diagnostic, throwIssue } from '../../base/issue.ts'
import { type PlainData, PlainSymbol } from '../../language/ruby-semantics/data/plain-form.ts'
import { readPlainYaml } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { indirectorIssues } from './issues.ts'

/** Names of the terminus and the cache of an indirection. */
export interface IndirectionRoute {
  readonly terminus: string
  readonly cache?: string
}

/** Routes by indirection; for an indirection without a route, the settings determine the terminus. */
export type Routes = Readonly<Record<string, Partial<IndirectionRoute>>>

/** Names of sections in routes.yaml. Each application of Puppet has a section; `master` is the old name of `server`. */
const sections = [
  ...['agent', 'apply', 'catalog', 'config', 'describe', 'device', 'doc', 'epp', 'facts', 'filebucket', 'generate'],
  ...['help', 'lookup', 'man', 'master', 'module', 'node', 'parser', 'plugin', 'report', 'resource', 'script'],
  ...['server', 'ssl', 'status'],
]

/**
 * Parses the routes of one application in the text of a routes.yaml; for `server`, also reads the section `master`.
 * Throws INVALID_ROUTES, also for the section of an unknown application, which Puppet ignores. Sections `x-…` may
 * contain YAML anchors.
 */
export function parseRoutes(yaml: string, file: string, ...applications: readonly string[]): Routes {
  const all = readHash(parseRoutesYaml(yaml, file), 'routes', file)
  for (const key of all.keys()) {
    const section = checkName(key, 'a section name', file)
    if (sections.includes(section) || section.startsWith('x-')) continue
    const { message: reason, hint } = createDiagnostic(indirectorIssues.UNKNOWN_ROUTES_SECTION, {
      section,
      known: sections,
    })
    throwIssue(indirectorIssues.INVALID_ROUTES, { file, reason, hint })
  }
  const mine = applications.map((name) => all.get(name)).find((routes) => routes !== undefined && routes !== false)
  const routes = [...readHash(mine, 'routes of the application', file)]
  return Object.fromEntries(
    routes.map(([key, route]) => {
      const indirection = checkName(key, 'an indirection name', file)
      return [indirection, parseRoute(indirection, route, file)]
    }),
  )
}

function parseRoutesYaml(yaml: string, file: string): PlainData {
  try {
    return readPlainYaml(yaml)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return throwIssue(indirectorIssues.INVALID_ROUTES, { file, reason: error.inFile(file), hint: undefined })
  }
}

/** The names of the existing termini, by indirection. */
export type KnownTermini = Readonly<Record<string, readonly string[]>>

/**
 * Checks that the routes contain only existing indirections and termini. Throws INVALID_ROUTES with Puppet's message.
 */
export function checkRoutes(routes: Routes, file: string, known: KnownTermini): void {
  for (const [indirection, route] of Object.entries(routes)) {
    const { message: reason, hint } = findUnknownTerminus(indirection, route, known) ?? {}
    if (reason !== undefined) throwIssue(indirectorIssues.INVALID_ROUTES, { file, reason, hint })
  }
}

function findUnknownTerminus(
  indirection: string,
  { terminus, cache }: Partial<IndirectionRoute>,
  known: KnownTermini,
): Diagnostic | undefined {
  if (!Object.hasOwn(known, indirection))
    return createDiagnostic(indirectorIssues.UNKNOWN_INDIRECTION, { indirection, known: Object.keys(known) })
  const termini = known[indirection]!
  const unknown = [terminus, cache === 'none' ? undefined : cache].find(
    (name) => name !== undefined && !termini.includes(name),
  )
  return unknown === undefined
    ? undefined
    : createDiagnostic(indirectorIssues.UNKNOWN_TERMINUS, { terminus: unknown, indirection, known: termini })
}

/** Returns the route of one indirection; routes.yaml has precedence over the settings. `none` disables the cache. */
export function getRoute(routes: Routes, indirection: string, settings: IndirectionRoute): IndirectionRoute {
  const route = Object.hasOwn(routes, indirection) ? routes[indirection]! : {}
  const cache = route.cache ?? settings.cache
  const terminus = route.terminus ?? settings.terminus
  return cache === undefined || cache === '' || cache === 'none' ? { terminus } : { terminus, cache }
}

function parseRoute(indirection: string, route: PlainData, file: string): Partial<IndirectionRoute> {
  const termini = readHash(route, `route of ${indirection}`, file)
  const readTerminusName = (key: 'terminus' | 'cache') => checkName(termini.get(key), `${indirection}.${key}`, file)
  return {
    ...(termini.has('terminus') ? { terminus: readTerminusName('terminus') } : {}),
    ...(termini.get('cache') === undefined ? {} : { cache: readTerminusName('cache') }),
  }
}

const nothing: ReadonlyMap<PlainData, PlainData> = new Map()

/** Returns the hash at a key of routes.yaml; a missing hash and `false` are read as an empty hash. */
function readHash(data: PlainData, what: string, file: string): ReadonlyMap<PlainData, PlainData> {
  if (data === undefined || data === false) return nothing
  if (data instanceof Map) return data
  return throwIssue(indirectorIssues.INVALID_ROUTES, { file, reason: `${what} must be a hash`, hint: undefined })
}

function checkName(data: PlainData, what: string, file: string): string {
  if (typeof data === 'string') return data
  if (data instanceof PlainSymbol) return data.name
  return throwIssue(indirectorIssues.INVALID_ROUTES, { file, reason: `${what} must be a string`, hint: undefined })
}
