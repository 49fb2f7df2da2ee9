import { basename, dirname } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { NoAnswerError, type WorkerThread } from '../../base/threads/worker-thread.ts'
import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import type { ResolveDeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource, GitTreeEntry } from '../../code/git/git-object-source.ts'
import type { GateMode } from '../../machine/settings/definitions/gate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { findBranchPoint } from '../gate/gate.ts'
import { getQualityMode } from '../gate/gate-modes.ts'
import { isNullOid, type PushedRef } from '../push-check.ts'
import type { QualityAnswer, QualityQuestion } from './quality-answer.ts'
import { openQualityThread } from './quality-checker.ts'

/** A push whose manifests are checked by the linter and the formatter. */
export interface QualityOrder {
  readonly source: GitObjectSource
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  readonly settings: Pick<Settings, 'push_lint' | 'push_format' | 'environment'>
  /** The commit with the modules of the Puppetfile, which semantic checks read. */
  readonly deployed: ResolveDeployedCommit
}

/** The modes of both tools for an environment. */
export interface QualityModes {
  readonly lint: GateMode
  readonly format: GateMode
}

/** The result for an environment of a push. */
export interface QualityFinding {
  readonly ref: string
  readonly environment: string
  readonly modes: QualityModes
  /** The problems, or the reason why the manifests could not be checked. */
  readonly answer: QualityAnswer | { readonly failure: string }
}

/** Checks the manifests that a push changes, in the environments in which a tool is enabled. */
export async function checkPushQuality(order: QualityOrder): Promise<readonly QualityFinding[]> {
  const checked = listCheckedBranches(order)
  if (checked.length === 0) return []
  const thread = openQualityThread(order.source)
  const until = performance.now() + budgets.push.qualityTime.bound
  const known = new Map<string, QualityFinding['answer']>()
  try {
    const findings: QualityFinding[] = []
    for (const branch of checked) {
      const { ref, before, after, environment, modes } = branch
      const key = `${before} ${after} ${modes.lint === 'off'} ${modes.format === 'off'}`
      const answer = known.get(key) ?? (await checkBranch(order, branch, { thread, until }))
      known.set(key, answer)
      findings.push({ ref, environment, modes, answer })
    }
    return findings
  } finally {
    await thread.close()
  }
}

/** A pushed branch, and the modes of the tools in its environment. */
export interface CheckedBranch extends PushedRef {
  readonly environment: string
  readonly modes: QualityModes
}

/** The branches of a push, by environment, for which a tool is enabled. */
export function listCheckedBranches({
  pushed,
  naming,
  settings,
}: Pick<QualityOrder, 'pushed' | 'naming' | 'settings'>): readonly CheckedBranch[] {
  return pushed
    .filter(({ ref, after }) => ref.startsWith(branches) && !isNullOid(after))
    .flatMap((each) => naming(each.ref.slice(branches.length)).map((environment) => ({ ...each, environment })))
    .map((each) => ({ ...each, modes: getModes(each.environment, settings) }))
    .filter(({ modes }) => modes.lint !== 'off' || modes.format !== 'off')
}

function getModes(environment: string, settings: QualityOrder['settings']): QualityModes {
  return {
    lint: getQualityMode(environment, 'push_lint', settings),
    format: getQualityMode(environment, 'push_format', settings),
  }
}

async function checkBranch(
  order: QualityOrder,
  { ref, before, after, environment, modes }: CheckedBranch,
  { thread, until }: { readonly thread: WorkerThread<QualityQuestion, QualityAnswer>; readonly until: number },
): Promise<QualityFinding['answer']> {
  const { source, deployed } = order
  try {
    const own = await source.listTree(after)
    const old = isNullOid(before) ? (await findBranchPoint(order, after))?.commit : before
    const manifests = listChangedManifests(own, old === undefined ? [] : await listOldFiles(source, old))
    const commit = await deployed({ environment, ref, commit: after })
    return await thread.ask({
      name: getRepositoryName(source.path),
      entries: commit === after ? own : await source.listTree(commit),
      manifests,
      lint: modes.lint !== 'off',
      format: modes.format !== 'off',
      timeMs: Math.max(0, until - performance.now()),
    })
  } catch (error) {
    if (error instanceof NoAnswerError || error instanceof PuppetError) return { failure: error.message }
    throw error
  }
}

/** Files of an earlier commit; none if it cannot be read. */
async function listOldFiles(source: GitObjectSource, commit: string): Promise<readonly GitTreeEntry[]> {
  try {
    return await source.listTree(commit)
  } catch (error) {
    if (error instanceof PuppetError) return []
    throw error
  }
}

/** Directories with code of other authors. */
const foreignPath = /(?:^|\/)(?:\.[^/]*|node_modules|pkg|vendor|spec\/fixtures)\//

/** Manifests whose content is not in the earlier commit. A manifest that was only moved is left out. */
function listChangedManifests(entries: readonly GitTreeEntry[], old: readonly GitTreeEntry[]): readonly GitTreeEntry[] {
  const known = new Set(old.map(({ oid }) => oid))
  return entries.filter(
    ({ path, mode, oid }) =>
      path.endsWith('.pp') && mode.startsWith('100') && !known.has(oid) && !foreignPath.test(path),
  )
}

/** The name of the folder that a clone has: `code` for `/srv/code.git`, and for `/srv/code/.git`. */
function getRepositoryName(gitDir: string): string {
  const name = basename(gitDir) === '.git' ? basename(dirname(gitDir)) : basename(gitDir, '.git')
  return name === '' ? 'code' : name
}
