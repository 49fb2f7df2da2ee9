import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { trimTrailing } from '../../../base/text/trailing-characters.ts'
import { hieraVaultIssues } from './issues.ts'

const mostPaths = budgets.outside.secretPaths.bound

/** A path of the API at which a secret may be, and the version of the KV engine to which the path belongs. */
export interface SecretPath {
  readonly path: string
  readonly engine: 'v1' | 'v2'
}

/** Joins parts with single slashes, as Ruby's `File.join` does. */
export function joinPath(...parts: readonly string[]): string {
  return parts.reduce((path, part) => `${trimTrailing(path, '/')}/${part.replace(/^\/+/, '')}`)
}

/**
 * Expands alternatives in the segments of a path: `puppet/web1,common` becomes `puppet/web1` and `puppet/common`. An
 * empty segment has no alternatives, and thus no path. Throws VAULT_TOO_MANY_PATHS: a fact may be part of the path.
 */
export function expandPath(path: string): readonly string[] {
  const segments = splitText(path, '/').map((segment) => splitText(segment, ','))
  if (segments.length === 0) return []
  const count = segments.reduce((product, options) => product * options.length, 1)
  if (count > mostPaths) throwIssue(hieraVaultIssues.VAULT_TOO_MANY_PATHS, { most: mostPaths })
  const paths = segments.reduce<readonly (readonly string[])[]>(
    (begun, options) => options.flatMap((option) => begun.map((each) => [...each, option])),
    [[]],
  )
  return paths.map((each) => joinPath(...each))
}

/** Returns the paths at which a key may be below a mount and a path. */
export function listSecretPaths(
  { mount, path, key }: { readonly mount: string; readonly path: string; readonly key: string },
  { guessesMount, readsVersion1 }: { readonly guessesMount: boolean; readonly readsVersion1: boolean },
): readonly SecretPath[] {
  const second = guessesMount
    ? [joinPath(mount, path, 'data', key), joinPath(mount, 'data', path, key)]
    : [joinPath(mount, path, key), ...(key.startsWith(path) ? [joinPath(mount, key)] : [])]
  return [
    ...second.map((each) => ({ path: each.replace(/\/$/, ''), engine: 'v2' as const })),
    ...(readsVersion1 ? [{ path: joinPath(mount, path, key), engine: 'v1' as const }] : []),
  ]
}

/** Splits a text as Ruby's `String#split` does, which omits empty parts at the end. */
function splitText(text: string, separator: string): readonly string[] {
  const parts = text.split(separator)
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  return parts
}
