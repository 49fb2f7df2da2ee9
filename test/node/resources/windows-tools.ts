import type { CommandResult, System } from '../../../src/machine/system/system.ts'
import { type RecordingSystem, recordingSystem } from './recording-system.ts'

/** Facts of a Windows whose name is VM. */
export const windowsFacts = { kernel: 'windows', hostname: 'vm', os: { name: 'windows', family: 'windows' } }

/** Path of a tool of Windows in recorded command lines. */
const tools = 'C:/Windows/System32/'

/** Answers of tools of Windows, by name of the program: a function of the words of the command and of the input. */
export type ToolAnswers = Readonly<
  Record<string, (words: readonly string[], input: string) => Partial<CommandResult> | string>
>

/** A Windows with these files and tools. Command lines are recorded without the folder of the tools. */
export function windowsSystem(answers: ToolAnswers, texts: Readonly<Record<string, string>> = {}): RecordingSystem {
  const system = recordingSystem(texts)
  const { commandsRun } = system
  const commands: System['commands'] = {
    find: async (name) => `${tools}${name}`,
    async run([program = '', ...words], options) {
      const name = program.replace(tools, '').replace(/^.*[\\/]/, '')
      const input = String(options?.input ?? '')
      commandsRun.push([name, options?.commandLine ?? words.map((word) => word || '""').join(' ')].join(' '))
      const answer = answers[name]?.(words, input) ?? { status: 1 }
      const result = typeof answer === 'string' ? { stdout: answer, output: answer } : answer
      return { status: 0, stdout: '', stderr: '', output: result.stdout ?? '', timedOut: false, ...result }
    },
  }
  return { ...system, commands }
}

/** A service of the table of `serviceControl`. */
export interface FakeService {
  /** Number of the state, then the states of later queries. */
  states: number[]
  start: string
  account?: string
  /** Status and message of a failing start. */
  failure?: readonly [status: number, message: string]
}

const stateNames = [
  '',
  'STOPPED',
  'START_PENDING',
  'STOP_PENDING',
  'RUNNING',
  'CONTINUE_PENDING',
  'PAUSE_PENDING',
  'PAUSED',
]

const starts: Readonly<Record<string, string>> = {
  auto: '2   AUTO_START',
  'delayed-auto': '2   AUTO_START  (DELAYED)',
  demand: '3   DEMAND_START',
  disabled: '4   DISABLED',
}

/** `sc.exe` with the output that Microsoft documents. */
export function serviceControl(services: Readonly<Record<string, FakeService>>) {
  const fail = (api: string, status: number, message: string) => ({
    status,
    stdout: `[SC] ${api} FAILED ${status}:\r\n\r\n${message}\r\n\r\n`,
  })
  const show = (name: string, { states }: FakeService) => {
    const state = states.length > 1 ? states.shift()! : states[0]!
    return `\r\nSERVICE_NAME: ${name}\r\n        TYPE               : 10  WIN32_OWN_PROCESS  \r\n        STATE              : ${state}  ${stateNames[state]} \r\n                                (STOPPABLE, NOT_PAUSABLE, IGNORES_SHUTDOWN)\r\n        WIN32_EXIT_CODE    : 0  (0x0)\r\n        SERVICE_EXIT_CODE  : 0  (0x0)\r\n        CHECKPOINT         : 0x0\r\n        WAIT_HINT          : 0x7d0\r\n        PID                : 1234\r\n        FLAGS              : \r\n`
  }
  return ([command = '', name = '', ...words]: readonly string[]) => {
    if (name === 'type=')
      return Object.entries(services)
        .map(([each, service]) => show(each, service))
        .join('')
    const service = services[name]
    if (!service) return fail('OpenService', 1060, 'The specified service does not exist as an installed service.')
    switch (command) {
      case 'queryex':
        return show(name, service)
      case 'qc':
        return `[SC] QueryServiceConfig SUCCESS\r\n\r\nSERVICE_NAME: ${name}\r\n        TYPE               : 10  WIN32_OWN_PROCESS \r\n        START_TYPE         : ${starts[service.start]}\r\n        ERROR_CONTROL      : 1   NORMAL\r\n        BINARY_PATH_NAME   : "C:\\Program Files\\${name}\\${name}.exe" -k: x\r\n        LOAD_ORDER_GROUP   : \r\n        TAG                : 0\r\n        DISPLAY_NAME       : ${name}: a service\r\n        DEPENDENCIES       : rpcss\r\n                           : tcpip\r\n        SERVICE_START_NAME : ${service.account ?? 'LocalSystem'}\r\n`
      case 'config':
        for (let at = 0; at < words.length; at += 2) {
          if (words[at] === 'start=') service.start = words[at + 1]!
          if (words[at] === 'obj=') service.account = words[at + 1]!
        }
        return '[SC] ChangeServiceConfig SUCCESS\r\n'
      case 'start':
        if (service.failure) return fail('StartService', ...service.failure)
        service.states = [2, 4]
        return show(name, { ...service, states: [2] })
      case 'continue':
        service.states = [4]
        return show(name, service)
      default:
        service.states = [3, 1]
        return show(name, { ...service, states: [3] })
    }
  }
}
