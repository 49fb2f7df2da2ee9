/** Returns true for a valid environment name, which may become part of a path. Puppet: environments.rb. */
export function isEnvironmentName(name: string): boolean {
  return /^\w+$/.test(name)
}

/** Returns the environment name for a branch. Characters that are not word characters become `_`, as in r10k. */
export function toEnvironmentName(branch: string): string {
  return branch.replace(/\W/g, '_')
}

/** Returns the names of the environments for a branch of a repository; empty for an excluded branch. */
export type BranchNaming = (branch: string) => readonly string[]

/** Naming for a repository in which each branch becomes an environment of the same name. */
export const nameAfterBranch: BranchNaming = (branch) => [toEnvironmentName(branch)]
