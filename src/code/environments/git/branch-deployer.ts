/** The commit of a branch that is to be served as an environment. */
export interface BranchPoint {
  readonly environment: string
  readonly ref: string
  readonly commit: string
}

/** Returns the commit to serve for a branch's commit: the same, or one with the modules of its Puppetfile. */
export type DeployedCommit = (branch: BranchPoint) => Promise<string>

/** Deploys the branches of a served repository. */
export interface BranchDeployer {
  /** Throws errors in the Puppetfile or a module; DEPLOY_WAITS while modules are being fetched. */
  readonly deployed: DeployedCommit
  /** Returns the commit to serve for a branch's commit, if it is already known. */
  latest(environment: string, commit: string): string | undefined
  /** Returns the error of the last check for new module versions of an environment. */
  trouble(environment: string): string | undefined
  /** Reads deployments made by other processes. */
  look(): Promise<void>
  /** Deletes the deployments of environments that no longer exist. */
  keepOnly(environments: { has(name: string): boolean }): Promise<void>
}

/** Deploys nothing: the branch's commit is served. */
export const asItIs: DeployedCommit = async ({ commit }) => commit
