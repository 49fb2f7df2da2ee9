import {
  createXmlElement,
  ensureXmlElement,
  findXmlElement,
  listXmlElements,
  readXmlText,
  setXmlText,
  type XmlElement,
} from '../../../../machine/task-scheduler/xml-tree.ts'
import { isTrue } from './trigger-xml.ts'

const namespace = 'http://schemas.microsoft.com/windows/2004/02/mit/task'

/** Properties of the program that a task starts, with their elements. */
const actionElements = { command: 'Command', arguments: 'Arguments', working_dir: 'WorkingDirectory' } as const

/** Elements of a task in the order in which Windows writes them. */
const taskParts = ['RegistrationInfo', 'Triggers', 'Principals', 'Settings', 'Data', 'Actions']

/** A new task without triggers and program. Windows has defaults for all settings. */
export function createTask(): XmlElement {
  const task = createXmlElement(
    'Task',
    ...['RegistrationInfo', 'Triggers', 'Settings'].map((name) => createXmlElement(name)),
  )
  task.attributes.set('version', '1.2')
  task.attributes.set('xmlns', namespace)
  const actions = createXmlElement('Actions')
  actions.attributes.set('Context', 'Author')
  task.children.push(actions)
  return task
}

/** The part of a task with this name, which is created in its place if it is missing. */
export function ensureTaskPart(task: XmlElement, name: string): XmlElement {
  return ensureXmlElement(task, name, ...taskParts.slice(taskParts.indexOf(name) + 1))
}

/** Reads the program; undefined for a task that starts none, for example a COM handler. */
export function readAction(task: XmlElement, property: keyof typeof actionElements): string | undefined {
  const exec = findXmlElement(task, 'Actions', 'Exec')
  return exec && (readXmlText(exec, actionElements[property]) ?? '')
}

/** Changes the first program of a task. Other actions stay. */
export function setAction(task: XmlElement, property: keyof typeof actionElements, value: string): void {
  const exec = ensureXmlElement(ensureTaskPart(task, 'Actions'), 'Exec')
  const element = actionElements[property]
  // The order of the elements is fixed in the schema's documentation.
  ensureXmlElement(
    exec,
    element,
    ...Object.values(actionElements).slice(Object.values(actionElements).indexOf(element) + 1),
  )
  setXmlText(exec, element, value === '' && property !== 'command' ? undefined : value)
}

/** The description; empty if there is none. */
export const readDescription = (task: XmlElement): string => readXmlText(task, 'RegistrationInfo', 'Description') ?? ''

/** Changes the description. */
export function setDescription(task: XmlElement, description: string): void {
  setXmlText(ensureTaskPart(task, 'RegistrationInfo'), 'Description', description)
}

/** True if the triggers of the task start it. */
export const isTaskEnabled = (task: XmlElement): boolean => isTrue(readXmlText(task, 'Settings', 'Enabled'), true)

/** Enables or disables the task. */
export function setTaskState(task: XmlElement, enabled: boolean): void {
  setXmlText(ensureTaskPart(task, 'Settings'), 'Enabled', String(enabled))
}

/** The level of compatibility: 2 for a task of the version 1.2. */
export function readCompatibility(task: XmlElement): number {
  const [, level] = /^1\.([0-9])$/.exec(task.attributes.get('version') ?? '') ?? []
  return level === undefined ? 2 : Number(level)
}

/** Changes the level of compatibility. */
export function setCompatibility(task: XmlElement, level: number): void {
  task.attributes.set('version', `1.${level}`)
}

/** The account as Windows has stored it, a SID or a name. As in the module, a task of a group counts as one of SYSTEM. */
export function readPrincipal(task: XmlElement): string {
  return readXmlText(task, 'Principals', 'Principal', 'UserId')?.trim() || 'SYSTEM'
}

/** True if the account with this SID runs the task. */
export function isRunBy(
  task: XmlElement,
  sid: string,
  accounts: ReadonlyMap<string, { readonly sid: string }>,
): boolean {
  const principal = findXmlElement(task, 'Principals', 'Principal')
  const user = principal && readXmlText(principal, 'UserId')?.trim()
  if (!user || readXmlText(principal, 'GroupId') !== undefined) return false
  return (accounts.get(user)?.sid ?? user) === sid
}

/** Drops the access list that the task would get when it is registered. */
export function dropAccessList(task: XmlElement): void {
  if (findXmlElement(task, 'RegistrationInfo', 'SecurityDescriptor'))
    setXmlText(ensureTaskPart(task, 'RegistrationInfo'), 'SecurityDescriptor', undefined)
}

/** Makes an account run the task, with the highest rights it has. An undefined logon is that of SYSTEM, without a logon. */
export function setPrincipal(task: XmlElement, sid: string, logon: 'Password' | 'InteractiveToken' | undefined): void {
  const principals = ensureTaskPart(task, 'Principals')
  const [first] = listXmlElements(principals)
  const principal = first ?? createXmlElement('Principal')
  if (!first) {
    principal.attributes.set('id', findXmlElement(task, 'Actions')?.attributes.get('Context') ?? 'Author')
    principals.children.push(principal)
  }
  setXmlText(principal, 'GroupId', undefined)
  setXmlText(principal, 'UserId', sid)
  setXmlText(principal, 'LogonType', logon)
  setXmlText(principal, 'RunLevel', 'HighestAvailable')
}
