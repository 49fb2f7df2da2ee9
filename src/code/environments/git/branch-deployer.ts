/** A branch's commit, and the environment that is to serve it. */
export interface BranchPoint {
  readonly environment: string
  readonly ref: string
  readonly commit: string
}

/**
 * Returns the commit to serve for a branch's commit: the same commit, or a commit to which the
 * modules of its Puppetfile were added.
 */
export type ResolveDeployedCommit = (branch: BranchPoint) => Promise<string>

/** Deploys the branches of a served repository. */
export interface BranchDeployer {
  /** Throws errors about the Puppetfile or a module; throws DEPLOY_WAITS while modules are being fetched. */
  readonly deployed: ResolveDeployedCommit
  /** Returns the commit to serve for a branch's commit, if it is already known. */
  latest(environment: string, commit: string): string | undefined
  /** Returns the error of the last check for new module versions of an environment. */
  trouble(environment: string): string | undefined
  /** Reads deployments that other processes have made. */
  look(): Promise<void>
  /** Deletes the deployments of environments that no longer exist. */
  keepOnly(environments: { has(name: string): boolean }): Promise<void>
}

/** Does not deploy: the branch's own commit is served. */
export const useBranchCommit: ResolveDeployedCommit = async ({ commit }) => commit
