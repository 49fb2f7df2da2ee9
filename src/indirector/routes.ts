import { parse } from 'yaml'
import { type Diagnostic, diagnose, fail, PuppetError } from '../base/issue.ts'
import { record, text } from '../base/wire.ts'
import { issues } from './issues.ts'

/** Which terminus an indirection has, and which one is its cache. */
export interface Route {
  readonly terminus: string
  readonly cache?: string
}

/** By indirection; what is not named keeps the route of the settings. */
export type Routes = Readonly<Record<string, Partial<Route>>>

/** The routes of one application (`server`, also as Puppet's `master`; `agent`, …) in the text of a routes.yaml. Throws INVALID_ROUTES. */
export function parseRoutes(yaml: string, file: string, ...applications: readonly string[]): Routes {
  try {
    const all = record(parse(yaml) ?? {}, 'routes')
    const mine = applications.map((name) => all[name]).find((routes) => routes !== undefined && routes !== null)
    const routes = Object.entries(record(mine ?? {}, 'routes of the application'))
    return Object.fromEntries(routes.map(([indirection, route]) => [indirection, routeOf(indirection, route)]))
  } catch (error) {
    const reason = error instanceof PuppetError ? error.diagnostic.message : String((error as Error).message)
    return fail(issues.INVALID_ROUTES, { file, reason, hint: undefined })
  }
}

/** The names of the termini that there are, by indirection. */
export type KnownTermini = Readonly<Record<string, readonly string[]>>

/** Throws INVALID_ROUTES, in Puppet's words, where routes name an indirection or a terminus that is not there. */
export function checkRoutes(routes: Routes, file: string, known: KnownTermini): void {
  for (const [indirection, route] of Object.entries(routes)) {
    const { message: reason, hint } = unknownIn(indirection, route, known) ?? {}
    if (reason !== undefined) fail(issues.INVALID_ROUTES, { file, reason, hint })
  }
}

function unknownIn(
  indirection: string,
  { terminus, cache }: Partial<Route>,
  known: KnownTermini,
): Diagnostic | undefined {
  if (!Object.hasOwn(known, indirection))
    return diagnose(issues.UNKNOWN_INDIRECTION, { indirection, known: Object.keys(known) })
  const termini = known[indirection]!
  const unknown = [terminus, cache === 'none' ? undefined : cache].find(
    (name) => name !== undefined && !termini.includes(name),
  )
  return unknown === undefined
    ? undefined
    : diagnose(issues.UNKNOWN_TERMINUS, { terminus: unknown, indirection, known: termini })
}

/** The route of one indirection: what routes.yaml says, over what the settings say. `none` is no cache. */
export function routeFor(routes: Routes, indirection: string, settings: Route): Route {
  const route = Object.hasOwn(routes, indirection) ? routes[indirection]! : {}
  const cache = route.cache ?? settings.cache
  const terminus = route.terminus ?? settings.terminus
  return cache === undefined || cache === '' || cache === 'none' ? { terminus } : { terminus, cache }
}

function routeOf(indirection: string, route: unknown): Partial<Route> {
  const { terminus, cache } = record(route, `route of ${indirection}`)
  return {
    ...(terminus === undefined ? {} : { terminus: text(terminus, `${indirection}.terminus`) }),
    ...(cache === undefined || cache === null ? {} : { cache: text(cache, `${indirection}.cache`) }),
  }
}
