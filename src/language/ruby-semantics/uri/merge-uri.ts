import { throwArgumentError } from '../argument-error.ts'
import { completeUri, type UriParts } from './uri-parts.ts'

/**
 * Resolves a reference against a base (RFC 3986, 5.2; Ruby: uri/generic.rb). Throws RUNTIME_ERROR
 * for an invalid reference or a relative base.
 */
export function mergeUri(own: UriParts, other: UriParts): UriParts {
  if (other.scheme !== undefined) return other
  if (own.scheme === undefined) return throwArgumentError('both URI are relative')
  const { userinfo, host, port, path = '', query, fragment } = other
  const hasAuthority = userinfo !== undefined || host !== undefined || port !== undefined
  if (path === '' && !hasAuthority && query === undefined)
    return fragment === undefined ? own : completeUri({ ...own, fragment })
  if (own.opaque !== undefined && query !== undefined) return throwArgumentError('query conflicts with opaque')
  const ends = { query, fragment }
  if (own.opaque !== undefined) return completeUri({ ...own, ...ends })
  if (hasAuthority) return completeUri({ ...own, userinfo, host, port, path, ...ends })
  return completeUri({ ...own, path: mergePaths(own, path), ...ends })
}

function mergePaths({ path: base = '' }: UriParts, path: string): string {
  const kept = resolveDoubleDots(base.split('/'))
  const steps = path === '' ? [] : path.split('/')
  if (steps[0] === '') {
    kept.length = 0
    steps.shift()
  }
  if (steps.at(-1) === '.' || steps.at(-1) === '..') steps.push('')
  const rest: string[] = []
  for (const step of steps) {
    if (step === '.') continue
    if (step === '..' && rest.length > 0 && rest.at(-1) !== '..') rest.pop()
    else rest.push(step)
  }
  return walkSteps(kept, rest)
}

function resolveDoubleDots(steps: string[]): string[] {
  const kept = steps.length === 1 && steps[0] === '' ? [] : [...steps]
  if (kept.at(-1) === '..') kept.push('')
  for (let at = kept.indexOf('..'); at !== -1; at = kept.indexOf('..')) kept.splice(Math.max(at - 1, 0), 2)
  return kept
}

function walkSteps(from: readonly string[], steps: readonly string[]): string {
  const path = from.length === 0 ? [''] : steps.length > 0 ? from.slice(0, -1) : [...from]
  const up = steps.findIndex((step) => step !== '..')
  const climbs = up === -1 ? steps.length : up
  for (let count = 0; count < climbs; count++) if (path.length > 1) path.pop()
  if (climbs < steps.length) path.push(...steps.slice(climbs))
  else if (steps.length > 0) path.push('')
  return path.join('/')
}
