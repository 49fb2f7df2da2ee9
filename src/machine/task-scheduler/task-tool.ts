import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { CommandResult, Commands } from '../system/system.ts'
import { getSystemProgram } from '../windows/system-programs.ts'
import { schedulerIssues } from './issues.ts'

type Runner = Pick<Commands, 'run'>

/** Runs `schtasks.exe`. Throws TASK_TOOL_FAILED. */
export async function runTaskTool(
  commands: Runner,
  action: string,
  name: string,
  words: readonly string[],
): Promise<void> {
  const { status, output, timedOut } = await callTaskTool(commands, words)
  if (status === 0 && !timedOut) return
  const why = timedOut ? 'schtasks.exe did not end in time' : output.trim() || `exit status ${status}`
  throwIssue(schedulerIssues.TASK_TOOL_FAILED, { action, name, output: why })
}

/** True if the file of a task is the one that was registered: the task scheduler reports a changed file as an error. */
export async function isIntactTask(commands: Runner, name: string): Promise<boolean> {
  const { status, timedOut } = await callTaskTool(commands, ['/Query', '/TN', name])
  return status === 0 && !timedOut
}

function callTaskTool(commands: Runner, words: readonly string[]): Promise<CommandResult> {
  const timeout = budgets.machine.taskTime.bound / 1000
  return commands.run([getSystemProgram('schtasks.exe'), ...words], { timeout })
}
