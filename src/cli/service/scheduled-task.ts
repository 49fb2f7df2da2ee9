import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeXml } from '../../base/text/xml.ts'
import type { Commands } from '../../machine/system/system.ts'
import { withTemporaryFolder } from '../../machine/system/temporary-folder.ts'
import { encodeTaskFile } from '../../machine/task-scheduler/task-scheduler.ts'
import { runTaskTool } from '../../machine/task-scheduler/task-tool.ts'
import { toBackslashes } from '../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../machine/windows/system-programs.ts'

/** A program that starts at boot, and again within five minutes after it has ended. */
export interface BootTask {
  readonly name: string
  readonly description: string
  readonly program: string
  /** The arguments as one text, quoted as the program expects. */
  readonly commandLine: string
}

/** State of a task. `disabled`: the task does not start its program. */
export type TaskState = 'missing' | 'enabled' | 'disabled'

/** Registers a task, or replaces it. Its XML is in a temporary folder, so that no other user can change it. */
export function registerTask(task: BootTask, commands: Pick<Commands, 'run'>): Promise<void> {
  return withTemporaryFolder('plumb-task-', async (folder) => {
    const file = join(folder, 'task.xml')
    await writeFile(file, encodeTaskFile(formatTaskXml(task)))
    await runTaskTool(commands, 'register', task.name, ['/Create', '/TN', task.name, '/XML', toBackslashes(file), '/F'])
  })
}

/** Removes a task. Its program goes on. */
export async function removeTask(name: string, commands: Pick<Commands, 'run'>): Promise<void> {
  await runTaskTool(commands, 'remove', name, ['/Delete', '/TN', name, '/F'])
}

/** Enables or disables a task. */
export async function setTaskEnabled(name: string, enabled: boolean, commands: Pick<Commands, 'run'>): Promise<void> {
  const word = enabled ? 'enable' : 'disable'
  await runTaskTool(commands, word, name, ['/Change', '/TN', name, `/${word.toUpperCase()}`])
}

/** Starts the program of a task. */
export async function runTask(name: string, commands: Pick<Commands, 'run'>): Promise<void> {
  await runTaskTool(commands, 'run', name, ['/Run', '/TN', name])
}

/** Reads the state of a task. */
export async function readTaskState(name: string, commands: Pick<Commands, 'run'>): Promise<TaskState> {
  const { status, stdout } = await commands.run([getSystemProgram('schtasks.exe'), '/Query', '/TN', name, '/XML'])
  if (status !== 0) return 'missing'
  const settings = stdout.slice(Math.max(0, stdout.indexOf('<Settings>')))
  return settings.includes('<Enabled>false</Enabled>') ? 'disabled' : 'enabled'
}

/**
 * The definition of a task of the account SYSTEM. The time trigger starts the program again if it has ended: the restarts
 * of the task scheduler (`RestartOnFailure`) apply to failed starts only.
 */
export function formatTaskXml({ description, program, commandLine }: BootTask): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT5M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2020-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>S-1-5-18</UserId>
      <RunLevel>HighestAvailable</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(toBackslashes(program))}</Command>
      <Arguments>${escapeXml(commandLine)}</Arguments>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n')
}
