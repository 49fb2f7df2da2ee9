/** The commit of a branch that is to be served as an environment. */
export interface BranchPoint {
  readonly environment: string
  readonly ref: string
  readonly commit: string
}

/** The commit that is served for a commit of a branch: that one, or one that has the modules of its Puppetfile besides. */
export type DeployedCommit = (branch: BranchPoint) => Promise<string>

/** Deploys the branches of a repository that is served. */
export interface BranchDeployer {
  /** Throws what is wrong with the Puppetfile or a module; DEPLOY_WAITS while modules are fetched. */
  readonly deployed: DeployedCommit
  /** The commit that an environment is to serve for its branch's, as far as that is known without work. */
  latest(environment: string, commit: string): string | undefined
  /** Why an environment's modules could not be looked at anew the last time. */
  trouble(environment: string): string | undefined
  /** Looks what others have deployed. */
  look(): Promise<void>
  /** Lets go of what was deployed for environments that are no more. */
  keepOnly(environments: { has(name: string): boolean }): Promise<void>
}

/** Deploys nothing: what is served is the branch's commit. */
export const asItIs: DeployedCommit = async ({ commit }) => commit
