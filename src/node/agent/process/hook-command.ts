import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../machine/windows/system-programs.ts'

type HookSetting = 'prerun_command' | 'postrun_command'

/** Machine and settings of a run. */
interface HookOptions {
  readonly settings: Pick<Settings, HookSetting>
  readonly system: Pick<System, 'commands'>
}

/** Runs prerun_command or postrun_command. An error fails the run. */
export async function runHookCommand({ settings, system }: HookOptions, name: HookSetting): Promise<void> {
  const command = settings[name]
  if (command === '') return
  const cmd = getSystemProgram('cmd.exe')
  // With /s, cmd.exe removes only the outer quotes, so that quotes in the command remain.
  const { status, output } = isWindows
    ? await system.commands.run([cmd], { commandLine: `cmd.exe /d /s /c "${command}"` })
    : await system.commands.run(['/bin/sh', '-c', command])
  if (status !== 0)
    throw new Error(`Could not run command from ${name}: Execution of '${command}' returned ${status}: ${output}`)
}
