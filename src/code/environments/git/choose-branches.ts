import type { Refs } from '../../git/git-object-source.ts'
import { environmentOfBranch } from '../environment-name.ts'

/** The prefix of branches among refs. */
export const branches = 'refs/heads/'

/** The branch that an environment is of. */
export interface Chosen {
  readonly ref: string
  /** `undefined` when the ref stands for none. */
  readonly commit: string | undefined
  /** The reason why the ref stands for no commit. */
  readonly broken: string | undefined
  /** Other branches that would be the same environment. */
  readonly others: readonly string[]
}

/**
 * Which branch each environment is of. Where several would be the same environment it is the one whose name is the
 * environment's, else the first by name: the same whatever was served before, so that a restart changes nothing.
 */
export function chooseBranches({ commits, broken }: Pick<Refs, 'commits' | 'broken'>): Map<string, Chosen> {
  const claims = new Map<string, string[]>()
  for (const ref of [...commits.keys(), ...broken.keys()]) {
    const name = environmentOfBranch(ref.slice(branches.length))
    const claim = claims.get(name)
    if (claim) claim.push(ref)
    else claims.set(name, [ref])
  }
  return new Map(
    [...claims].map(([name, refs]) => {
      const exact = `${branches}${name}`
      const [first, ...others] = refs.sort((a, b) => (a === exact ? -1 : b === exact ? 1 : a < b ? -1 : 1))
      return [name, { ref: first!, commit: commits.get(first!), broken: broken.get(first!), others }]
    }),
  )
}

/** The order in which environments are served where there are too many branches. */
export interface Precedence {
  /** True of an environment that is served now. */
  isServed(name: string): boolean
  /** The environment of nodes that ask for none. */
  readonly usual: string
  /** Commits that were served once, before a restart perhaps. */
  readonly pinned: { has(commit: string): boolean }
  readonly most: number
}

/**
 * The names in the order in which they are loaded, and those that are too many: what is served stays, and the usual
 * environment comes first, then what was served when its commit was pinned, then the first by name.
 */
export function inOrder(
  chosen: ReadonlyMap<string, Chosen>,
  { isServed, usual, pinned, most }: Precedence,
): { readonly served: readonly string[]; readonly tooMany: readonly string[] } {
  const rankOf = (name: string, { commit }: Chosen): number =>
    name === usual ? 0 : isServed(name) ? 1 : commit !== undefined && pinned.has(commit) ? 2 : 3
  const names = [...chosen].map(([name, branch]) => ({ name, rank: rankOf(name, branch) }))
  names.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
  const sorted = names.map(({ name }) => name)
  return { served: sorted.slice(0, most), tooMany: sorted.slice(most) }
}

/** Other branches that a warning names; a thousand would fill the log. */
const maxNamed = 10

/** Warnings about other branches that would have the name of this branch's environment. */
export function warningsAbout({ ref, others }: Pick<Chosen, 'ref' | 'others'>): string[] {
  const name = environmentOfBranch(ref.slice(branches.length))
  const refused = others
    .slice(0, maxNamed)
    .map((other) => `${other} cannot be served: environment ${name} is ${ref} already`)
  const more = others.length - maxNamed
  return more > 0 ? [...refused, `${more} other branches cannot be served as environment ${name}`] : refused
}
