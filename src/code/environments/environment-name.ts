/** True of a possible name of an environment. Puppet: environments.rb; the name becomes part of a path. */
export function isEnvironmentName(name: string): boolean {
  return /^\w+$/.test(name)
}

/** The environment of a branch, as r10k corrects it: what is no word character becomes `_`. */
export function environmentOfBranch(branch: string): string {
  return branch.replace(/\W/g, '_')
}

/** The names of the environments that a branch of a repository is served as; none of a branch that is left out. */
export type BranchNaming = (branch: string) => readonly string[]

/** Names of a repository whose branches are environments by their own names. */
export const ownNames: BranchNaming = (branch) => [environmentOfBranch(branch)]
