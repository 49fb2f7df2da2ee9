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
  // The registry is exported to a temporary folder.
  const files = { ...system.files, makeDirectory: async () => {}, remove: async () => {} }
  return { ...system, commands, files }
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
        service.start = words[1]!
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

/** A script for PowerShell, and the values in its input. */
export function readScript(
  words: readonly string[],
  input: string,
): { readonly script: string; readonly values: Readonly<Record<string, string>> } {
  const script = Buffer.from(words[words.indexOf('-EncodedCommand') + 1]!, 'base64').toString('utf16le')
  return { script, values: JSON.parse(input.split('\n')[0]!) as Record<string, string> }
}

/** The answer of a script that ends with these lines of output. */
export const formatScriptLines = (...lines: readonly string[]): string => `${JSON.stringify({ lines })}\r\n`

/** PowerShell as far as the provider of services uses it. It rejects the account `nobody`. */
export function changeLogon(services: Readonly<Record<string, FakeService>>, ran: string[]) {
  return (words: readonly string[], input: string) => {
    const { name = '', account = '', password = '' } = readScript(words, input).values
    ran.push(`logon ${name} ${account} ${password}`)
    if (account === '.\\nobody') return `${JSON.stringify({ error: 'Win32_Service.Change returned 22' })}\r\n`
    services[name]!.account = account
    return formatScriptLines()
  }
}

/** Accounts of the tables of `netAccounts` and `powerShell`. */
export interface FakeAccounts {
  readonly users: Record<string, { comment: string; home: string; password: string; sid: string }>
  readonly groups: Record<string, string[]>
}

/** SIDs of accounts that are in no table. */
const otherSids: Readonly<Record<string, string>> = {
  'BUILTIN\\Administrators': 'S-1-5-32-544',
  'BUILTIN\\Users': 'S-1-5-32-545',
  'CORP\\Domain Admins': 'S-1-5-21-9-9-9-512',
  'CORP\\bob': 'S-1-5-21-9-9-9-1105',
  'NT AUTHORITY\\Authenticated Users': 'S-1-5-11',
}

const findKey = (table: Readonly<Record<string, unknown>>, name: string) =>
  Object.keys(table).find((each) => each.toLowerCase() === name.toLowerCase())

/** `net.exe` with the output that Microsoft documents. */
export function netAccounts({ users, groups }: FakeAccounts) {
  const done = 'The command completed successfully.\r\n\r\n'
  const rule = `\r\n${'-'.repeat(79)}\r\n`
  const fail = (message: string) => ({
    status: 2,
    stdout: `${message}\r\n\r\nMore help is available by typing NET HELPMSG.\r\n`,
  })
  const showUser = (name: string) => {
    const { comment, home } = users[name]!
    const own = Object.keys(groups).filter((group) => groups[group]!.includes(name))
    const lines = own.map(
      (group, at) => (at === 0 ? 'Local Group Memberships' : '').padEnd(29) + `*${group}`.padEnd(21),
    )
    const fields = {
      'User name': name,
      'Full Name': '',
      Comment: comment,
      "User's comment": '',
      'Country/region code': '000 (System Default)',
      'Account active': 'Yes',
      'Account expires': 'Never',
      'Password last set': '11/30/2026 5:00:00 PM',
      'Password expires': 'Never',
      'Password changeable': '11/30/2026 5:00:00 PM',
      'Password required': 'Yes',
      'User may change password': 'Yes',
      'Workstations allowed': 'All',
      'Logon script': '',
      'User profile': '',
      'Home directory': home,
      'Last logon': 'Never',
      'Logon hours allowed': 'All',
    }
    const rows = Object.entries(fields).map(([label, value]) => label.padEnd(29) + value)
    const memberships = lines.length === 0 ? ['Local Group Memberships      '] : lines
    return [...rows, '', ...memberships, 'Global Group memberships     *None                 ', done].join('\r\n')
  }
  const user = (words: readonly string[]) => {
    const [name] = words
    if (name === undefined) {
      const rows = Object.keys(users).map((each) => each.padEnd(25))
      return `\r\nUser accounts for \\\\VM\r\n${rule}${rows.join('')}\r\n${done}`
    }
    const key = findKey(users, name)
    if (words.includes('/add')) users[name] = { comment: '', home: '', password: '', sid: 'S-1-5-21-1-2-3-1002' }
    else if (key === undefined) return fail('The user name could not be found.')
    else if (words.length === 1) return showUser(key)
    else if (words.includes('/delete')) delete users[key]
    return done
  }
  const localgroup = ([name, ...words]: readonly string[]) => {
    if (name === undefined) {
      const rows = Object.keys(groups).map((each) => `*${each}\r\n`)
      return `\r\nAliases for \\\\VM\r\n${rule}${rows.join('')}${done}`
    }
    const key = findKey(groups, name)
    if (words.length === 1 && words[0] === '/add') groups[name] = []
    else if (key === undefined) return fail('The specified local group does not exist.')
    else if (words.length === 0)
      return `Alias name     ${key}\r\nComment        \r\n\r\nMembers\r\n${rule}${groups[key]!.map((each) => `${each}\r\n`).join('')}${done}`
    else if (words[0] === '/delete') delete groups[key]
    else if (words[1] === '/add') groups[key]!.push(words[0]!)
    else groups[key] = groups[key]!.filter((each) => each !== words[0])
    return done
  }
  return ([command, ...words]: readonly string[]) => (command === 'user' ? user(words) : localgroup(words))
}

/** The name of an account with its domain. */
function toFullName({ groups }: FakeAccounts, name: string): string {
  if (name.includes('\\') || name.startsWith('S-1-')) return name
  return groups[name] && `BUILTIN\\${name}` in otherSids ? `BUILTIN\\${name}` : `VM\\${name}`
}

function findSid(accounts: FakeAccounts, full: string): string {
  const local = full.replace(/^VM\\/, '')
  const group = Object.keys(accounts.groups).indexOf(local)
  const own = accounts.users[local]?.sid ?? (group < 0 ? undefined : `S-1-5-21-1-2-3-${2000 + group}`)
  return otherSids[full] ?? own ?? full
}

/**
 * The script of the directory accounts: a line of JSON for each line. The answers follow Microsoft's documentation of the
 * WinNT provider of ADSI, of NTAccount.Translate and of Win32_UserAccount; they are not a capture.
 */
function answerDirectory(accounts: FakeAccounts, ran: string[]) {
  const { users, groups } = accounts
  const toAccount = (name: string) => {
    const full = toFullName(accounts, name)
    return { sid: findSid(accounts, full), name: full }
  }
  const all = () =>
    [...Object.keys(users), ...Object.keys(groups), ...Object.keys(otherSids)].map((name) => toAccount(name))
  const find = (name: string) =>
    all().find(
      (each) =>
        each.sid.toLowerCase() === name ||
        [each.name, each.name.replace(/^.*\\/, '')].some((full) => full.toLowerCase() === name),
    )
  const readGroup = (key: string, { add = [], remove = [] }: { add?: string[]; remove?: string[] }) => {
    const members = groups[key]!.map(toAccount)
    if (add.length + remove.length > 0) ran.push(`${key}: +${add.join(',')} -${remove.join(',')}`)
    if (add.some((sid) => members.some((each) => each.sid === sid)))
      return { error: 'The specified account name is already a member of the group.\r\n' }
    const added = add.map((sid) => all().find((each) => each.sid === sid) ?? { sid, name: sid })
    const after = [...members.filter(({ sid }) => !remove.includes(sid)), ...added]
    groups[key] = after.map(({ name }) => name.replace(/^VM\\/, ''))
    return { sid: toAccount(key).sid, accounts: after }
  }
  return (request: {
    list?: string
    find?: string
    user?: string
    group?: string
    add?: string[]
    remove?: string[]
  }) => {
    const user = findKey(users, request.user ?? '')
    const group = findKey(groups, request.group ?? '')
    if (request.list !== undefined) return { names: Object.keys(request.list === 'user' ? users : groups) }
    if (request.find !== undefined) return find(request.find.toLowerCase().replace(/^\.\\/, 'vm\\')) ?? {}
    if (group !== undefined) return readGroup(group, request)
    if (user === undefined) return {}
    const { sid, comment, home } = users[user]!
    const own = Object.keys(groups).filter((each) => groups[each]!.map(toAccount).some((one) => one.sid === sid))
    // PowerShell 5.1 writes some arrays like this.
    return { sid, comment, home, accounts: { value: own.map(toAccount), Count: own.length } }
  }
}

/** PowerShell as far as the providers use it: requests as JSON, or a script with values and the method that it calls. */
export function powerShell(accounts: FakeAccounts, ran: string[]) {
  const { users } = accounts
  const answer = answerDirectory(accounts, ran)
  return (words: readonly string[], input: string) => {
    const { script, values } = readScript(words, input)
    if (script.includes('Open-Entry')) {
      const lines = input.split('\n').filter(Boolean)
      ran.push(`start ${lines.length}`)
      return lines.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\r\n`).join('')
    }
    const { name = '', password = '', sid } = values
    if (script.includes('ValidateCredentials'))
      return formatScriptLines(users[findKey(users, name) ?? '']?.password === password ? 'True' : 'False')
    const isNew = script.includes('.Create(')
    if (isNew)
      users[name] = { comment: '', home: '', password, sid: `S-1-5-21-1-2-3-${1002 + Object.keys(users).length}` }
    ran.push(sid === undefined ? `${isNew ? 'create' : 'set'} ${name} ${password}` : `profile ${sid}`)
    return formatScriptLines()
  }
}
