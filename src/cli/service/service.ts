import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { programCommand, programPath } from '../../base/program/program-command.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { puppetNameHolder } from '../../machine/system/lock-holder.ts'
import { agentTaskName } from '../../machine/task-scheduler/task-scheduler.ts'
import { isFolderReadOnly } from '../../machine/windows/folder-protection.ts'
import { isWindows, isWithinFolder, toBackslashes, toSlashes } from '../../machine/windows/machine-path.ts'
import { getSystemProgram, programFiles } from '../../machine/windows/system-programs.ts'
import { pause } from '../../node/agent/process/pause.ts'
import { requestOfDaemon } from '../../node/agent/process/request-files.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { type BootTask, readTaskState, registerTask, removeTask, runTask, setTaskEnabled } from './scheduled-task.ts'

const issues = defineIssues({
  SERVICE_NOT_WINDOWS: {
    text: () => 'This command manages the service of the agent on Windows only',
    hint: () => "On Linux, run 'systemctl enable plumb-agent' and 'systemctl start plumb-agent'.",
  },
  SERVICE_SETTINGS: {
    text: (a: { names: readonly string[] }) =>
      `The service does not use settings of the command line: ${a.names.join(', ')}`,
    hint: () => 'Write the settings to puppet.conf, which each run of the agent reads.',
  },
  SERVICE_MISSING: {
    text: () => 'The agent is not installed as a service',
    hint: () => "Run 'plumb service install' as an administrator.",
  },
  SERVICE_PROGRAM_OPEN: {
    text: (a: { path: string }) =>
      `Other users than administrators can change ${a.path}, which the service would run as SYSTEM`,
    hint: () => 'Install the MSI package, or move the program to a folder below C:\\Program Files.',
  },
  SERVICE_NOT_RUNNING: {
    text: () => 'The agent is not running',
    hint: () => "Run 'plumb service start', or 'plumb agent --test' for a single run.",
  },
})

/** Seconds to wait for the end of the agent: a run starts no further resource, but completes the present one. */
const stopSeconds = 60
const lookSeconds = 0.5

const { commands } = localSystem

const install = defineCommand({
  name: 'install',
  summary: 'Register the agent as a service, and start it.',
  description: `Registers a scheduled task of the account SYSTEM, "${agentTaskName}", that runs 'plumb agent --no-daemonize' at boot, and
again within five minutes if the agent has ended. Replaces an earlier registration. Lets only SYSTEM and Administrators
access the folder Plumbline in C:\\ProgramData. Fails if other users can change the folder of the program.

A scheduled task needs no program besides Windows; a Windows service needs one that speaks the protocol of services.

  plumb config set server puppet.example.com --section main
  plumb service install`,
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    for (const folder of listProgramFolders()) {
      const isReadOnly = await isFolderReadOnly(folder)
      if (isReadOnly === false) throwIssue(issues.SERVICE_PROGRAM_OPEN, { path: folder })
      if (isReadOnly === undefined)
        printMessage('Warning', `Could not read the access list of ${folder}: other users may change it`, invocation.io)
    }
    await localSystem.files.makeDirectory(settings.vardir)
    await registerTask(createAgentTask(), commands)
    return start.run!(invocation)
  },
})

const remove = defineCommand({
  name: 'remove',
  summary: 'Stop the agent, and remove its registration.',
  description: 'Settings, certificates and state remain.',
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    await requireTask()
    // First, so that the task does not start the agent again.
    await removeTask(agentTaskName, commands)
    return reportStop(await stopDaemon(settings), invocation.io)
  },
})

const start = defineCommand({
  name: 'start',
  summary: 'Start the agent, now and at each boot.',
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    await requireTask()
    await setTaskEnabled(agentTaskName, true, commands)
    if (!(await isDaemonRunning(settings))) await runTask(agentTaskName, commands)
    return 0
  },
})

const stop = defineCommand({
  name: 'stop',
  summary: 'Stop the agent.',
  description: `Waits up to ${stopSeconds} seconds: a run completes the present resource, and starts no other. The agent does not start at
boot until 'plumb service start'. With --for-upgrade, the agent starts again within five minutes.

Exits with 1 if the agent has not stopped in time.`,
  options: [{ flags: '--for-upgrade', doc: 'Let the agent start again within five minutes.' }],
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    if (!invocation.options.forUpgrade) {
      await requireTask()
      await setTaskEnabled(agentTaskName, false, commands)
    }
    return reportStop(await stopDaemon(settings), invocation.io)
  },
})

const runNow = defineCommand({
  name: 'run',
  summary: 'Let the running agent start a run now.',
  description: "Does not wait for the end of the run. Use 'plumb agent --test' for a run in the foreground.",
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    if (!(await isDaemonRunning(settings))) throwIssue(issues.SERVICE_NOT_RUNNING, {})
    await requestOfDaemon(settings.pidfile, 'run')
    return 0
  },
})

const status = defineCommand({
  name: 'status',
  summary: 'Print whether the agent is installed as a service, and whether it runs.',
  description: 'Exits with 0 if the agent runs, with 3 if it does not run, or with 4 if it is not installed.',
  options: [renderAs],
  async run(invocation) {
    const settings = loadServiceSettings(invocation)
    const task = await readTaskState(agentTaskName, commands)
    const running = await isDaemonRunning(settings)
    const { io, options } = invocation
    if (options.renderAs === 'json')
      io.out(`${JSON.stringify({ task, running, pidfile: settings.pidfile }, null, 2)}\n`)
    else io.out(`The agent is ${running ? 'running' : 'not running'}; its task is ${task}.\n`)
    return running ? 0 : task === 'missing' ? 4 : 3
  },
})

const protect = defineCommand({
  name: 'protect',
  summary: 'Let only SYSTEM and Administrators access the folder of the agent.',
  description: `Every user may create folders in C:\\ProgramData. A folder of another user is renamed, and not used. The installation
package runs this command; other commands of an administrator do the same before they start.`,
  async run(invocation) {
    // The protection itself takes place before each command.
    loadServiceSettings(invocation)
    return 0
  },
})

/** The command `plumb service`. */
export const serviceCommand: CliCommand = {
  name: 'service',
  summary: 'Run the agent as a service of Windows.',
  description: `On Windows, the agent runs as a scheduled task of the account SYSTEM. On Linux, the packages contain units for
systemd: systemctl enable plumb-agent, systemctl start plumb-agent.`,
  commands: [install, remove, start, stop, runNow, status, protect],
}

/** Throws SERVICE_NOT_WINDOWS, SERVICE_SETTINGS. */
function loadServiceSettings({ settings: given }: CommandInvocation): Settings {
  if (!isWindows) throwIssue(issues.SERVICE_NOT_WINDOWS, {})
  const names = Object.keys(given)
  if (names.length > 0) throwIssue(issues.SERVICE_SETTINGS, { names })
  return loadSettings({ runMode: 'agent' })
}

/** Throws SERVICE_MISSING. */
async function requireTask(): Promise<void> {
  if ((await readTaskState(agentTaskName, commands)) === 'missing') throwIssue(issues.SERVICE_MISSING, {})
}

/** The launcher of an installation, which names the version that runs. */
const launcher = join(dirname(programPath), '../../../bin/plumb.cmd')

/** The folders outside of Program Files whose content the task runs as SYSTEM. */
function listProgramFolders(): readonly string[] {
  const folders = existsSync(launcher)
    ? [dirname(dirname(launcher)), dirname(launcher), dirname(programPath), dirname(process.execPath)]
    : programCommand.filter((word) => !word.startsWith('-')).map((word) => dirname(word))
  return [...new Set(folders.map(toSlashes))].filter((folder) => !isWithinFolder(folder, programFiles))
}

/** The task runs plumb.cmd of an installation, which names the version that runs: an upgrade need not change the task. */
function createAgentTask(): BootTask {
  const common = { name: agentTaskName, description: 'Applies the catalogs of this machine (Plumbline agent).' }
  const words = 'agent --no-daemonize'
  if (!existsSync(launcher)) {
    const [program = '', ...rest] = programCommand
    return { ...common, program, commandLine: `${rest.map((word) => `"${toBackslashes(word)}"`).join(' ')} ${words}` }
  }
  const program = getSystemProgram('cmd.exe')
  return { ...common, program, commandLine: `/d /s /c ""${toBackslashes(launcher)}" ${words}"` }
}

const isDaemonRunning = ({ pidfile }: Settings) => new FileLock(pidfile, puppetNameHolder).isHeld()

/** Returns false if the daemon has not ended in time. */
async function stopDaemon(settings: Settings): Promise<boolean> {
  if (!(await isDaemonRunning(settings))) return true
  await requestOfDaemon(settings.pidfile, 'stop')
  const never = new AbortController().signal
  for (let waited = 0; waited < stopSeconds; waited += lookSeconds) {
    if (!(await isDaemonRunning(settings))) return true
    await pause(lookSeconds, never)
  }
  return false
}

function reportStop(isStopped: boolean, io: CommandInvocation['io']): number {
  if (isStopped) return 0
  io.err('Warning: The agent ends after its current run.\n')
  return 1
}
