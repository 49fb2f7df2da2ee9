import { toJsonRecord } from '../../../../base/json/json-checks.ts'
import {
  agentTaskName,
  clearTaskPlace,
  deleteScheduledTask,
  formatTaskFile,
  listScheduledTasks,
  readScheduledTask,
  saveScheduledTask,
} from '../../../../machine/task-scheduler/task-scheduler.ts'
import { listXmlElements, type XmlElement } from '../../../../machine/task-scheduler/xml-tree.ts'
import { accountSids } from '../../../../machine/windows/access-control.ts'
import { failWithMessage } from '../../issues.ts'
import type { ManagedResource } from '../../managed-resource.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { type ScheduledTaskAttributes, scheduledTask } from '../../types/scheduled-task/scheduled-task.ts'
import { canonicalizeTrigger, type DeclaredTrigger } from '../../types/scheduled-task/trigger.ts'
import { findAccounts, type WindowsAccount } from '../windows/account-names.ts'
import { runPowerShell } from '../windows/power-shell.ts'
import {
  createTask,
  dropAccessList,
  ensureTaskPart,
  isRunBy,
  isTaskEnabled,
  readAction,
  readCompatibility,
  readDescription,
  readPrincipal,
  setAction,
  setCompatibility,
  setDescription,
  setPrincipal,
  setTaskState,
} from './task-definition.ts'
import { areTriggersInSync, isSameTrigger } from './trigger-comparison.ts'
import { createTriggerElement, type PresentTrigger, readTriggers } from './trigger-xml.ts'

interface State {
  /** The task with the changes so far; undefined if it does not exist, or counts as absent. */
  task: XmlElement | undefined
  /** The task that was read; undefined if an account without the rights of an administrator can have written it. */
  trusted: XmlElement | undefined
  accounts: ReadonlyMap<string, WindowsAccount>
}

type TaskWork = ProviderWork<ScheduledTaskAttributes, State>

/** SYSTEM, LOCAL SERVICE and NETWORK SERVICE, which do not log on. */
const serviceAccounts: readonly string[] = [accountSids.system, accountSids.localService, accountSids.networkService]

/** The parts that both providers share. */
const common = {
  suitable: { facts: { kernel: ['windows'] } },
  begin: (): State => ({ task: undefined, trusted: undefined, accounts: new Map() }),
  async read(work: TaskWork): Promise<PropertyValues> {
    const { resource, state, system } = work
    const found = await readScheduledTask(system, resource.name)
    state.trusted = found?.isTrusted || !isPrivileged(work) ? found?.task : undefined
    // A user would otherwise choose a part of what the declared account runs.
    state.task = resource.get('ensure') === 'present' ? state.trusted : found?.task
    if (resource.get('ensure') === 'absent' || (!state.task && work.noop))
      return state.task ? readProperties(state.task, new Map()) : { ensure: 'absent' }
    const present = state.task ? listAccountNames(state.task) : []
    const wanted = [resource.get('user') ?? 'system', ...listWantedUsers(resource)]
    state.accounts = await findAccounts(system, [...present, ...wanted])
    return state.task ? readProperties(state.task, state.accounts) : { ensure: 'absent' }
  },
  async create(work: TaskWork): Promise<void> {
    const { resource, state } = work
    findUser(work)
    state.task = createTask()
    setCompatibility(state.task, resource.get('compatibility') ?? 1)
    setAction(state.task, 'command', resource.get('command') ?? '')
    for (const property of ['arguments', 'working_dir'] as const) {
      const value = resource.get(property)
      if (value !== undefined) setAction(state.task, property, value)
    }
    setTaskState(state.task, resource.get('enabled') !== 'false')
    const description = resource.get('description')
    if (description !== undefined) setDescription(state.task, description)
    setTriggers(work, resource.get('trigger') ?? [])
  },
  async remove({ resource, system }: TaskWork): Promise<void> {
    await deleteScheduledTask(system, resource.name)
  },
  inSync: {
    // Accounts are compared by their SID, so that their notation does not matter.
    user: ({ state }: TaskWork, is: unknown, [should]: readonly unknown[]) => {
      const sid = state.accounts.get(String(is))?.sid ?? String(is)
      return sid === state.accounts.get(String(should))?.sid
    },
    trigger: (work: TaskWork, is: unknown, [should]: readonly unknown[]) =>
      areTriggersInSync(toPresent(is), toDeclared(should), getComparison(work)),
  },
  set: {
    enabled: async ({ state }: TaskWork, enabled: string) => setTaskState(getTask(state), enabled === 'true'),
    command: async ({ state }: TaskWork, value: string) => setAction(getTask(state), 'command', value),
    arguments: async ({ state }: TaskWork, value: string) => setAction(getTask(state), 'arguments', value),
    working_dir: async ({ state }: TaskWork, value: string) => setAction(getTask(state), 'working_dir', value),
    description: async ({ state }: TaskWork, value: string) => setDescription(getTask(state), value),
    compatibility: async ({ state }: TaskWork, value: number) => setCompatibility(getTask(state), value),
    // Each change registers the task with its account.
    user: async (work: TaskWork) => void findUser(work),
    trigger: async (work: TaskWork, triggers: readonly DeclaredTrigger[]) => setTriggers(work, triggers),
  },
  /** Tasks of Windows and the agent's own task stay, and names of tasks have no case. */
  canPurge(name: string, managed: readonly string[]): boolean {
    const key = name.toLowerCase()
    const isKept = key.startsWith('microsoft\\') || key === agentTaskName.toLowerCase()
    return !isKept && !managed.some((each) => each.toLowerCase().replace(/^\\/, '') === key)
  },
  eventNames: { enabled: (should: unknown) => (should === 'true' ? 'task_enabled' : 'task_disabled') },
  async flush(work: TaskWork): Promise<void> {
    const { resource, state, system } = work
    if (resource.get('ensure') === 'absent') return
    if (!resource.has('command')) failWithMessage('Parameter command is required.')
    const { sid, name } = findUser(work)
    if (state.trusted && !isRunBy(state.trusted, sid, state.accounts)) await common.create(work)
    const task = getTask(state)
    dropAccessList(task)
    if (!state.trusted) await clearTaskPlace(system, resource.name)
    const password = resource.get('password')
    const logon = password !== undefined || name.endsWith('$') ? 'Password' : 'InteractiveToken'
    const isService = serviceAccounts.includes(sid)
    setPrincipal(task, sid, isService ? undefined : logon)
    if (logon === 'Password' && !isService) await registerWithPassword(work, task, name, password)
    else await saveScheduledTask(system, resource.name, task)
  },
}

/** The provider of `scheduled_task` on Windows. */
export const taskschedulerApi2 = defineProvider<ScheduledTaskAttributes, State>(scheduledTask, 'taskscheduler_api2', {
  ...common,
  doc: 'Manages tasks with schtasks.exe, and those with a password with PowerShell.',
  defaultFor: { kernel: ['windows'] },
  features: ['compatibility'],
  validate(resource) {
    const { name } = resource
    const level = resource.get('compatibility') ?? 1
    // The module also rejects the removal of such a task, so that nobody can list or purge tasks in folders.
    if (resource.get('ensure') === 'absent') return
    if (name.includes('\\') && level < 2)
      failWithMessage(
        `${name} specifies a path including subfolders and a compatibility of ${level} - tasks in subfolders are only supported on version 2 and later of the API. Specify a compatibility of 2 or higher or do not specify a subfolder path.`,
      )
  },
  list: ({ system }) => listTaskResources(system, () => true),
})

/** The older provider of the module, for tasks of compatibility 1 in the root folder. */
export const win32Taskscheduler = defineProvider<ScheduledTaskAttributes, State>(scheduledTask, 'win32_taskscheduler', {
  ...common,
  doc: 'Manages tasks of compatibility 1, with the same programs.',
  validate({ name }) {
    if (name.includes('\\'))
      failWithMessage(
        `${name} specifies a path including subfolders which are not supported by the version of the Task Scheduler API used by this provider.Use the taskscheduler_api2 provider instead.`,
      )
  },
  async flush(work) {
    if (work.state.task) setCompatibility(work.state.task, 1)
    await common.flush(work)
  },
  list: ({ system }) => listTaskResources(system, (task) => readCompatibility(task) <= 1),
})

function readProperties(task: XmlElement, accounts: ReadonlyMap<string, WindowsAccount>): PropertyValues {
  const user = readPrincipal(task)
  const triggers = readTriggers(task).map((trigger) => {
    const name = trigger.user_id && accounts.get(trigger.user_id)?.name
    return name ? { ...trigger, user_id: name } : trigger
  })
  return {
    ensure: 'present',
    enabled: String(isTaskEnabled(task)),
    command: readAction(task, 'command'),
    working_dir: readAction(task, 'working_dir'),
    arguments: readAction(task, 'arguments'),
    description: readDescription(task),
    user: accounts.get(user)?.name ?? user,
    compatibility: readCompatibility(task),
    trigger: triggers,
  }
}

async function listTaskResources(
  system: TaskWork['system'],
  isListed: (task: XmlElement) => boolean,
): Promise<readonly (PropertyValues & { readonly name: string })[]> {
  const tasks = (await listScheduledTasks(system)).filter(({ task }) => isListed(task))
  const names = tasks.flatMap(({ task }) => listAccountNames(task))
  // Without PowerShell, accounts are shown as the tasks contain them.
  const accounts = await findAccounts(system, names).catch(() => new Map<string, WindowsAccount>())
  return tasks.map(({ name, task }) => ({ name, ...readProperties(task, accounts) }))
}

/** The accounts in a task. */
function listAccountNames(task: XmlElement): readonly string[] {
  return [readPrincipal(task), ...readTriggers(task).flatMap(({ user_id: user }) => user || [])]
}

/** The accounts in the triggers of a resource. */
function listWantedUsers(resource: ManagedResource<ScheduledTaskAttributes>): readonly string[] {
  return (resource.get('trigger') ?? []).flatMap((trigger) => canonicalizeTrigger(trigger).user_id || [])
}

/** Without the rights of an administrator, a run can only register tasks of its own account. */
function isPrivileged({ facts }: TaskWork): boolean {
  return toJsonRecord(facts['identity'])['privileged'] !== false
}

function getTask({ task }: State): XmlElement {
  return task ?? failWithMessage('The task does not exist.')
}

function findUser({ resource, state }: TaskWork): WindowsAccount {
  const user = resource.get('user') ?? 'system'
  return state.accounts.get(user) ?? failWithMessage(`Invalid user: ${user}`)
}

const getComparison = ({ resource, state: { accounts } }: TaskWork) => ({
  accounts,
  compatibility: resource.get('compatibility') ?? 1,
})

const toPresent = (is: unknown): readonly PresentTrigger[] => (Array.isArray(is) ? is : [])

const toDeclared = (should: unknown): readonly DeclaredTrigger[] => (Array.isArray(should) ? should : [])

/** Removes the triggers that are not declared, and adds the missing ones. Triggers of other kinds stay. */
function setTriggers(work: TaskWork, declared: readonly DeclaredTrigger[]): void {
  const { state, resource, system } = work
  const task = getTask(state)
  const compatibility = resource.get('compatibility') ?? 1
  const warn = (message: string) => work.log('warning', message, '')
  warnAboutDelays(declared, compatibility, warn)
  const missing = declared.map(canonicalizeTrigger)
  const extra = new Set<number>()
  for (const present of readTriggers(task)) {
    const at = missing.findIndex((each) => isSameTrigger(present, each, getComparison(work)))
    if (at < 0) extra.add(present.index)
    else missing.splice(at, 1)
  }
  const triggers = ensureTaskPart(task, 'Triggers')
  const added = missing.map((trigger) => {
    const { user_id: id = '' } = trigger
    const user = id === '' ? '' : findTriggerUser(state, id).name
    return createTriggerElement(trigger, { now: new Date(system.now()), compatibility, user, warn })
  })
  triggers.children = [...listXmlElements(triggers).filter((_, index) => !extra.has(index)), ...added]
}

function findTriggerUser({ accounts }: State, id: string): WindowsAccount {
  return accounts.get(id) ?? failWithMessage(`Invalid user, specified user must exist: ${id}`)
}

function warnAboutDelays(declared: readonly DeclaredTrigger[], level: number, warn: (message: string) => void): void {
  if (level >= 2) return
  for (const key of ['random_delay', 'delay'])
    if (declared.some((trigger) => typeof trigger[key] === 'string' && trigger[key] !== ''))
      warn(`The '${key}' property requires compatibility level 2 or higher. Current compatibility level is ${level}.`)
}

/** Registers a task through the input of PowerShell, because other users could read the command line of `schtasks.exe`. */
async function registerWithPassword(
  { resource, system }: TaskWork,
  task: XmlElement,
  user: string,
  password: string | undefined,
): Promise<void> {
  const values = {
    path: resource.name.replace(/^\\/, ''),
    xml: formatTaskFile(task),
    user,
    ...(password !== undefined && { password }),
  }
  await runPowerShell(system, `register the scheduled task '${resource.name}'`, registration, values)
}

/** 6 creates or replaces the task, 1 is the logon by password. Without a password, the account is managed by the domain. */
const registration =
  '$s = New-Object -ComObject Schedule.Service; $s.Connect(); [void]$s.GetFolder("\\").RegisterTask($v.path, $v.xml, 6, $v.user, $v.password, 1, $null)'
