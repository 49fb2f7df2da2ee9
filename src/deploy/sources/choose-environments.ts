import { inTurns } from '../../base/threads/in-turns.ts'
import { sorting } from '../../base/threads/sort-in-turns.ts'
import { isOid } from '../../code/git/names.ts'
import { type CodeSource, prefixOf } from './code-source.ts'
import { environmentOfRef } from './environment-of-ref.ts'

/** The ref of a source that an environment is of. */
export interface ChosenRef {
  readonly source: string
  /** `heads/NAME`, `tags/NAME` or `commits/ID`. */
  readonly ref: string
  readonly commit: string
}

/** The environments of all sources. */
export interface Choice {
  readonly chosen: ReadonlyMap<string, ChosenRef>
  /** Environments that stay as they are: they are named, and what they are to have is not there. */
  readonly held: ReadonlySet<string>
  /** Warnings for users, by source. */
  readonly warnings: ReadonlyMap<string, readonly string[]>
}

/** Warnings about one source that are kept: a thousand branches may clash. */
const maxWarnings = 50

/** Refs that are looked at in one slice: a millisecond or two, with patterns as long as they may be. */
const refsOfSlice = 200

interface Claim {
  readonly environment: string
  readonly ref: string
  readonly commit: string | undefined
  readonly warning: string | undefined
}

/**
 * Chooses the environments from the refs of all sources, by their full names. Of refs that would be the same environment it
 * is that of the source which stands first in the file; in one source it is the one that is named there, then the branch
 * that has the very name, then the first by name: the same whatever was there before.
 */
export function chooseEnvironments(sources: readonly CodeSource[], refs: ReadonlyMap<string, string>): Promise<Choice> {
  return inTurns(choosing(sources, refs))
}

/** The same a slice at a time, of at most `refsOfSlice` refs: there may be a hundred thousand. */
export function* choosing(sources: readonly CodeSource[], refs: ReadonlyMap<string, string>): Generator<void, Choice> {
  let looked = 0
  const chosen = new Map<string, ChosenRef>()
  const held = new Set<string>()
  const warnings = new Map<string, readonly string[]>()
  for (const source of sources) {
    const said: string[] = []
    for (const { environment, ref, commit, warning } of yield* claimsOf(source, refs, said)) {
      if (++looked % refsOfSlice === 0) yield
      const other = chosen.get(environment)
      if (held.has(environment) || other) {
        const owner =
          other && other.source !== source.name
            ? `${label(other.ref)} of source ${other.source}`
            : label(other?.ref ?? '')
        said.push(`${label(ref)} cannot be served: environment ${environment} is ${owner} already`)
      } else if (commit === undefined) {
        held.add(environment)
        said.push(`Environment ${environment} stays as it is: there is no ${label(ref)} here`)
      } else {
        chosen.set(environment, { source: source.name, ref, commit })
        if (warning !== undefined) said.push(warning)
      }
    }
    const more = said.length - maxWarnings
    warnings.set(source.name, more > 0 ? [...said.slice(0, maxWarnings), `${more} more like these`] : said)
  }
  return { chosen, held, warnings }
}

/** A ref for people: a branch by its name. */
export function label(ref: string): string {
  return ref.replace(/^heads\//, '')
}

function* claimsOf(
  source: CodeSource,
  refs: ReadonlyMap<string, string>,
  said: string[],
): Generator<void, readonly Claim[]> {
  const prefix = prefixOf(source)
  const named = [...source.environments].map(([environment, wanted]) => {
    const ref = refNamed(wanted, (each) => refs.has(`${prefix}${each}`))
    return { environment, ref, commit: refs.get(`${prefix}${ref}`), warning: undefined }
  })
  const found = new Map<string, Claim>()
  let looked = 0
  for (const [full, commit] of refs) {
    if (++looked % refsOfSlice === 0) yield
    if (!full.startsWith(prefix)) continue
    const ref = full.slice(prefix.length)
    if (!isWanted(ref, source)) continue
    const environment = environmentOfRef(ref, source)
    if ('name' in environment)
      found.set(ref, { environment: environment.name, ref, commit, warning: environment.warning })
    else if (environment.ignored !== undefined) said.push(environment.ignored)
  }
  const isExact = ({ environment, ref }: Claim) => ref === `heads/${environment}`
  const sorted = (yield* sorting([...found.keys()])).map((ref) => found.get(ref)!)
  return [...named, ...sorted.filter(isExact), ...sorted.filter((claim) => !isExact(claim))]
}

/** The ref that words of a file mean: a commit's whole id, `tags/NAME`, `heads/NAME`, a branch, or else a tag. */
export function refNamed(wanted: string, isThere: (ref: string) => boolean): string {
  if (isOid(wanted)) return `commits/${wanted}`
  const ref = wanted.replace(/^refs\//, '')
  const known = [`heads/${ref}`, ref, `tags/${ref}`].filter((each) => /^(?:heads|tags)\//.test(each))
  return known.find(isThere) ?? known[0]!
}

/** The environments that a branch or a tag of a source is asked for as, whatever other refs there are. */
export function environmentsOfRef(source: CodeSource, ref: string): readonly string[] {
  const named = [...source.environments]
    .filter(([, wanted]) => refNamed(wanted, (each) => each === ref) === ref)
    .map(([environment]) => environment)
  const own = isWanted(ref, source) ? environmentOfRef(ref, source) : undefined
  return own && 'name' in own ? [...named, own.name] : named
}

function isWanted(ref: string, { refs: patterns, environments }: CodeSource): boolean {
  const [kind, name] = [ref.slice(0, ref.indexOf('/')), ref.slice(ref.indexOf('/') + 1)]
  // Whoever names environments, and no refs, wants just those.
  if (!patterns) return kind === 'heads' && environments.size === 0
  const matching = patterns.filter((each) => each.kind === kind && each.glob.matches(name))
  if (matching.some(({ isExcluding }) => isExcluding)) return false
  return matching.length > 0 || (kind === 'heads' && patterns.every(({ isExcluding }) => isExcluding))
}
