import { throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { parseRolloutPlan } from './rollout-file.ts'
import { rolloutIssues } from './rollout-issues.ts'
import type { RolloutPlan } from './rollout-plan.ts'

/** Reads the file of the setting `default_rollout`; undefined if it is empty. Throws ROLLOUT_…. */
export async function readDefaultRollout(
  { default_rollout: file }: Pick<Settings, 'default_rollout'>,
  files: Pick<Files, 'readText'>,
): Promise<RolloutPlan | undefined> {
  if (file === '') return undefined
  const failUnreadable = (why: string) => throwIssue(rolloutIssues.ROLLOUT_UNREADABLE, { file, why })
  const text = await files.readText(file).catch((error) => failUnreadable(formatError(error)))
  return parseRolloutPlan(text ?? failUnreadable('the file does not exist'), file)
}
