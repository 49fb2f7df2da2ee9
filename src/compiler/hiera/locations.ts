import { posix } from 'node:path'
import { isIssue } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { findMatchingPaths } from '../../code/environments/glob.ts'
import { evaluatorIssues as evaluationIssues } from '../../language/evaluator/issues.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { addFileToErrors, type Locations } from './config.ts'
import { findContainingTree } from './data-files.ts'
import { getDottedVariable, interpolatePath } from './interpolation.ts'
import type { LookupInvocation } from './invocation.ts'
import { hieraIssues } from './issues.ts'

/** A location of a level's data: a file, or a URI. Only the level's function can read the URI. */
export type Location =
  | {
      readonly kind: 'file'
      /** Path in hiera.yaml, before interpolation. */
      readonly original: string
      readonly path: string
      readonly exists: boolean
    }
  | { readonly kind: 'uri'; readonly original: string; readonly uri: string }

/** The base folder of relative paths, and the trees that may be read. Paths outside these trees are never read. */
export interface LocationBase {
  /** Absolute path of the folder that contains hiera.yaml. */
  readonly root: string
  /** Path of hiera.yaml, for messages. */
  readonly file: string
  readonly trees: readonly CodeTree[]
}

/** Cache of a level's locations for one catalog, by folder and interpolated path. */
export type LocationCache = Map<string, Location>

/** Returns the locations of a level for one lookup, in order; `undefined` for a level without locations. */
export function resolveLocations(
  locations: Locations,
  datadir: string,
  ground: LocationBase,
  asker: LookupInvocation,
  located: LocationCache,
): readonly Location[] | undefined {
  // No explanation is recorded for the interpolation of paths, as in Puppet.
  const invocation = { ...asker, explainer: undefined }
  return addFileToErrors(ground.file, () => {
    try {
      return resolveNewLocations(locations, datadir, ground, invocation, located)
    } catch (error) {
      if (isIssue(error, hieraIssues.UNDEFINED_VARIABLE, evaluationIssues.UNKNOWN_VARIABLE))
        throw new VerbatimError(error.diagnostic, { cause: error })
      throw error
    }
  })
}

function resolveNewLocations(
  locations: Locations,
  datadir: string,
  ground: LocationBase,
  invocation: LookupInvocation,
  located: LocationCache,
): readonly Location[] | undefined {
  if (locations.kind === 'none') return undefined
  if (locations.kind === 'uris')
    return locations.values.map((uri) => ({ kind: 'uri', original: uri, uri: interpolatePath(uri, invocation) }))
  const below = interpolatePath(datadir, invocation)
  if (locations.kind === 'paths')
    return locations.values.map((original) => {
      const path = addFileExtension(interpolatePath(original, invocation), locations.ending)
      const key = [below, original, path].join('\0')
      const known = located.get(key)
      if (known) return known
      const location = createFileLocation(original, posix.resolve(ground.root, below, path), ground)
      located.set(key, location)
      return location
    })
  const folder = posix.resolve(ground.root, below)
  if (locations.kind === 'mapped') return expandMappedPaths(locations, folder, ground, invocation)
  return locations.values.flatMap((glob) =>
    expandGlob(posix.resolve(folder, interpolatePath(glob, invocation)), ground),
  )
}

function addFileExtension(path: string, ending = ''): string {
  return path.endsWith(ending) ? path : `${path}${ending}`
}

function createFileLocation(original: string, path: string, { trees }: LocationBase): Location {
  const place = findContainingTree(path, trees)
  return { kind: 'file', original, path, exists: place?.tree.entry(place.inTree) !== undefined }
}

function expandGlob(pattern: string, { trees }: LocationBase): Location[] {
  const place = findContainingTree(pattern, trees)
  if (!place) return []
  const { tree, inTree } = place
  const files = findMatchingPaths(tree, inTree).filter((found) => tree.entry(found)?.kind !== 'directory')
  return files.map((found) => ({ kind: 'file', original: pattern, path: `${tree.root}/${found}`, exists: true }))
}

/**
 * Interpolates a path of `mapped_paths` once for each element of a variable's value. In the path, the element has
 * the configured variable name.
 */
function expandMappedPaths(
  { variable, name, template }: Extract<Locations, { kind: 'mapped' }>,
  folder: string,
  ground: LocationBase,
  invocation: LookupInvocation,
): Location[] {
  const value = getDottedVariable(variable, 'mapped_path[0]', invocation)
  return listMappedItems(value).map((item) => {
    const override = (invocation.override ?? Hash.empty).with(name, item)
    const path = interpolatePath(template, { ...invocation, override })
    return createFileLocation(template, posix.resolve(folder, path), ground)
  })
}

/** Returns the elements of a value. An element of a hash is a pair of key and value, so that `%{item.0}` is the key. */
function listMappedItems(value: Value): readonly Value[] {
  if (value === undefined || value === '') return []
  if (value instanceof Hash) return [...value].map(([key, each]) => [key, each])
  return Array.isArray(value) ? value : [value]
}
