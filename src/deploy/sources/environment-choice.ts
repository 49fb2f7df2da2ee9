import { sortStepwise } from '../../base/threads/cooperative-sort.ts'
import { runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { isOid } from '../../code/git/ref-names.ts'
import { type CodeSource, getRefPrefix } from './code-source.ts'
import { toEnvironment } from './environment-naming.ts'

/** The ref chosen for an environment. */
export interface ChosenRef {
  readonly source: string
  /** Ref in the source: `heads/NAME`, `tags/NAME` or `commits/ID`. */
  readonly ref: string
  readonly commit: string
}

/** The environments that the refs of all sources define. */
export interface Choice {
  readonly chosen: ReadonlyMap<string, ChosenRef>
  /** Environments that stay unchanged because their configured ref is missing. */
  readonly held: ReadonlySet<string>
  /** Warnings for users, by source. */
  readonly warnings: ReadonlyMap<string, readonly string[]>
}

/** Maximum number of warnings for one source. Thousands of branches may conflict. */
const maxWarnings = 50

/** Number of refs processed in one slice, which takes one or two milliseconds with the longest patterns. */
const refsOfSlice = 200

interface Claim {
  readonly environment: string
  readonly ref: string
  readonly commit: string | undefined
  readonly warning: string | undefined
}

/**
 * Chooses the environments from the full refs of all sources. If several refs map to one
 * environment, the first source in the file wins; within a source, an explicitly configured ref,
 * then the branch with exactly this name, then the first by name. The result does not depend on
 * earlier states.
 */
export function chooseEnvironments(sources: readonly CodeSource[], refs: ReadonlyMap<string, string>): Promise<Choice> {
  return runCooperatively(chooseEnvironmentsInSlices(sources, refs))
}

/**
 * Same as `chooseEnvironments`, in slices of at most `refsOfSlice` refs, since there may be a hundred thousand refs.
 */
export function* chooseEnvironmentsInSlices(
  sources: readonly CodeSource[],
  refs: ReadonlyMap<string, string>,
): Generator<void, Choice> {
  let looked = 0
  const chosen = new Map<string, ChosenRef>()
  const held = new Set<string>()
  const warnings = new Map<string, readonly string[]>()
  for (const source of sources) {
    const said: string[] = []
    for (const { environment, ref, commit, warning } of yield* listClaims(source, refs, said)) {
      if (++looked % refsOfSlice === 0) yield
      const other = chosen.get(environment)
      if (held.has(environment) || other) {
        const owner =
          other && other.source !== source.name
            ? `${formatRef(other.ref)} of source ${other.source}`
            : formatRef(other?.ref ?? '')
        said.push(`${formatRef(ref)} cannot be served: the environment ${environment} already belongs to ${owner}`)
      } else if (commit === undefined) {
        held.add(environment)
        said.push(`Environment ${environment} is unchanged: the source has no ${formatRef(ref)}`)
      } else {
        chosen.set(environment, { source: source.name, ref, commit })
        if (warning !== undefined) said.push(warning)
      }
    }
    const more = said.length - maxWarnings
    warnings.set(source.name, more > 0 ? [...said.slice(0, maxWarnings), `${more} more of the same kind`] : said)
  }
  return { chosen, held, warnings }
}

/** Returns a ref for display; a branch by its name. */
export function formatRef(ref: string): string {
  return ref.replace(/^heads\//, '')
}

function* listClaims(
  source: CodeSource,
  refs: ReadonlyMap<string, string>,
  said: string[],
): Generator<void, readonly Claim[]> {
  const prefix = getRefPrefix(source)
  const named = [...source.environments].map(([environment, wanted]) => {
    const ref = resolveConfiguredRef(wanted, (each) => refs.has(`${prefix}${each}`))
    return { environment, ref, commit: refs.get(`${prefix}${ref}`), warning: undefined }
  })
  const found = new Map<string, Claim>()
  let looked = 0
  for (const [full, commit] of refs) {
    if (++looked % refsOfSlice === 0) yield
    if (!full.startsWith(prefix)) continue
    const ref = full.slice(prefix.length)
    if (!isServedRef(ref, source)) continue
    const environment = toEnvironment(ref, source)
    if ('name' in environment)
      found.set(ref, { environment: environment.name, ref, commit, warning: environment.warning })
    else if (environment.ignored !== undefined) said.push(environment.ignored)
  }
  const hasEnvironmentName = ({ environment, ref }: Claim) => ref === `heads/${environment}`
  const sorted = (yield* sortStepwise([...found.keys()])).map((ref) => found.get(ref)!)
  return [...named, ...sorted.filter(hasEnvironmentName), ...sorted.filter((claim) => !hasEnvironmentName(claim))]
}

/** Resolves a configured ref: a full commit id, `tags/NAME`, `heads/NAME`, a branch, or else a tag. */
export function resolveConfiguredRef(wanted: string, isThere: (ref: string) => boolean): string {
  if (isOid(wanted)) return `commits/${wanted}`
  const ref = wanted.replace(/^refs\//, '')
  const known = [`heads/${ref}`, ref, `tags/${ref}`].filter((each) => /^(?:heads|tags)\//.test(each))
  return known.find(isThere) ?? known[0]!
}

/** Returns the environments to which a branch or tag of a source maps, regardless of other refs. */
export function listRefEnvironments(source: CodeSource, ref: string): readonly string[] {
  const named = [...source.environments]
    .filter(([, wanted]) => resolveConfiguredRef(wanted, (each) => each === ref) === ref)
    .map(([environment]) => environment)
  const own = isServedRef(ref, source) ? toEnvironment(ref, source) : undefined
  return own && 'name' in own ? [...named, own.name] : named
}

function isServedRef(ref: string, { refs: patterns, environments }: CodeSource): boolean {
  const [kind, name] = [ref.slice(0, ref.indexOf('/')), ref.slice(ref.indexOf('/') + 1)]
  // A source with configured environments and without `refs` has no other environments.
  if (!patterns) return kind === 'heads' && environments.size === 0
  const matching = patterns.filter((each) => each.kind === kind && each.glob.matches(name))
  if (matching.some(({ isExcluding }) => isExcluding)) return false
  return matching.length > 0 || (kind === 'heads' && patterns.every(({ isExcluding }) => isExcluding))
}
