import { createDiagnostic, type Diagnostic, defineIssues, PuppetError } from '../base/issue.ts'
import type { BranchNaming } from '../code/environments/environment-name.ts'
import { branches } from '../code/environments/git/branch-choice.ts'
import type { BranchPoint } from '../code/environments/git/branch-deployer.ts'
import { formatError } from '../language/ruby-semantics/errno.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { checkCommit, isNullOid, type PushedRef, type PushFinding } from './push-check.ts'
import type { Deployments } from './synthesis/deployments.ts'
import { recordHookDeployment } from './synthesis/stored-deployments.ts'

const issues = defineIssues({
  NOT_DEPLOYABLE: { text: (a: { why: string }) => `Could not deploy the modules of the Puppetfile: ${a.why}` },
  NOT_NOTED: {
    text: (a: { why: string }) => `The server will deploy this push again: ${a.why}`,
  },
})

/** A push whose branches are deployed before their refs move. */
export interface DeployedPush {
  readonly deployments: Deployments
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  /** True in a hook, which records deployments for the server. */
  readonly isHook: boolean
}

/**
 * Adds the modules of the Puppetfile to each pushed branch that has one; no ref moves. Returns the errors in the
 * Puppetfiles, in the modules, and in the modules' files.
 */
export async function deployPush(
  { deployments, pushed, naming, isHook }: DeployedPush,
  settings: Settings,
): Promise<readonly PushFinding[]> {
  const findings: PushFinding[] = []
  for (const { ref, before, after } of pushed) {
    if (!ref.startsWith(branches) || isNullOid(after)) continue
    for (const environment of naming(ref.slice(branches.length))) {
      const branch = { environment, ref, commit: after }
      const old = isNullOid(before) ? undefined : ((await deployments.known({ ...branch, commit: before })) ?? before)
      const since = old === undefined ? [] : [old]
      const found = await deployAndCheckModules({ deployments, settings, since }, branch)
      const isGood = found.every(({ severity }) => severity !== 'error')
      const noted = isHook && isGood ? await recordDeployment(deployments, branch) : []
      findings.push(...[...found, ...noted].map((diagnostic) => ({ ref, commit: after, diagnostic })))
    }
  }
  return findings
}

/** Input of `deployAndCheckModules`. */
export interface DeployedCheck {
  readonly deployments: Deployments
  readonly settings: Settings
  /** Commits without errors. Files that they contain are not checked again. */
  readonly since: readonly string[]
}

/** Deploys the commit of a branch, and checks the files of its modules. */
export async function deployAndCheckModules(
  { deployments, settings, since }: DeployedCheck,
  branch: BranchPoint,
): Promise<readonly Diagnostic[]> {
  try {
    const deployed = await deployments.deployed(branch)
    if (deployed === branch.commit) return []
    return await checkCommit(deployments.parts.source, deployed, settings, [...since, branch.commit])
  } catch (error) {
    return (error instanceof AggregateError ? error.errors : [error]).map(toDiagnostic)
  }
}

function toDiagnostic(error: unknown): Diagnostic {
  return error instanceof PuppetError
    ? error.diagnostic
    : createDiagnostic(issues.NOT_DEPLOYABLE, { why: formatError(error) })
}

async function recordDeployment(deployments: Deployments, branch: BranchPoint): Promise<readonly Diagnostic[]> {
  const deployed = await deployments.deployed(branch)
  if (deployed === branch.commit) return []
  const why = await recordHookDeployment(deployments.parts.place, branch, deployed).catch(formatError)
  return why === undefined ? [] : [createDiagnostic(issues.NOT_NOTED, { why }, undefined, 'warning')]
}
