import { budgets } from '../../../base/budgets/budgets.ts'
import type { GitObjectSource, Refs } from '../../git/git-object-source.ts'
import { toEnvironmentName } from '../environment-name.ts'

/** The prefix of refs that are branches. */
export const branches = 'refs/heads/'

/** The branches of a repository by ref: those with a commit, and those without one. */
export type BranchCommits = Pick<Refs, 'commits' | 'broken'>

/** The branch chosen for an environment. */
export interface ChosenBranch {
  readonly ref: string
  /** The branch's commit; `undefined` for a broken ref. */
  readonly commit: string | undefined
  /** The reason why the ref has no commit. */
  readonly broken: string | undefined
  /** Other branches that map to the same environment. */
  readonly others: readonly string[]
}

/** Lists the branches; if there are too many, warns and returns at least those in `followed`. */
export async function listBranches(
  source: Pick<GitObjectSource, 'listRefs' | 'resolveRef'>,
  followed: readonly string[],
  warn: (message: string) => void,
): Promise<BranchCommits> {
  const refs = await source.listRefs(branches)
  if (refs.isWhole) return refs
  warn(`Ignoring branches beyond the limit of ${budgets.environment.refs.bound}`)
  const commits = new Map(refs.commits)
  for (const ref of followed) {
    const commit = commits.get(ref) ?? (await source.resolveRef(ref))
    if (commit !== undefined) commits.set(ref, commit)
  }
  return { commits, broken: refs.broken }
}

/**
 * Chooses the branch of each environment. Of several branches for one environment, the one with the
 * environment's name wins, otherwise the first by name. The choice does not depend on earlier
 * states, so that a restart changes nothing.
 */
export function chooseBranches({ commits, broken }: BranchCommits): Map<string, ChosenBranch> {
  const claims = new Map<string, string[]>()
  for (const ref of [...commits.keys(), ...broken.keys()]) {
    const name = toEnvironmentName(ref.slice(branches.length))
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

/** Data that decides which environments are loaded first if there are more environments than the limit. */
export interface Precedence {
  /** Returns true for a served environment. */
  isServed(name: string): boolean
  /** The default environment of nodes. */
  readonly usual: string
  /** Commits that were served before, perhaps before a restart. */
  readonly pinned: { has(commit: string): boolean }
  readonly most: number
}

/**
 * Returns the names in loading order, and separately the names beyond the limit. Served
 * environments come first, starting with the default environment; then environments with a pinned
 * commit; then all others by name.
 */
export function sortByPrecedence(
  chosen: ReadonlyMap<string, ChosenBranch>,
  { isServed, usual, pinned, most }: Precedence,
): { readonly served: readonly string[]; readonly tooMany: readonly string[] } {
  const getRank = (name: string, { commit }: ChosenBranch): number =>
    name === usual ? 0 : isServed(name) ? 1 : commit !== undefined && pinned.has(commit) ? 2 : 3
  const names = [...chosen].map(([name, branch]) => ({ name, rank: getRank(name, branch) }))
  names.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
  const sorted = names.map(({ name }) => name)
  return { served: sorted.slice(0, most), tooMany: sorted.slice(most) }
}

/** Largest number of other branches to list in a warning. */
const maxNamed = 10

/** Returns warnings about other branches that map to the same environment. */
export function listHiddenBranchWarnings({ ref, others }: Pick<ChosenBranch, 'ref' | 'others'>): string[] {
  const name = toEnvironmentName(ref.slice(branches.length))
  const refused = others
    .slice(0, maxNamed)
    .map((other) => `${other} cannot be served: the environment ${name} already belongs to ${ref}`)
  const more = others.length - maxNamed
  return more > 0 ? [...refused, `${more} other branches cannot be served as environment ${name}`] : refused
}
