import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { isPermissionError } from '../../base/system-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { System } from '../system/system.ts'
import { withHiddenFolder } from '../system/temporary-folder.ts'
import { requireFileName } from '../windows/file-names.ts'
import { toBackslashes } from '../windows/machine-path.ts'
import { systemRoot } from '../windows/system-programs.ts'
import { schedulerIssues } from './issues.ts'
import { findTaskRegistration, listTaskRegistrations } from './registrations.ts'
import { runTaskTool } from './task-tool.ts'
import { createXmlElement, formatXml, parseXml, type XmlElement } from './xml-tree.ts'

/** A registered task; the name has its folders, for example `Backup\Nightly`. */
export interface RegisteredTask {
  readonly name: string
  readonly task: XmlElement
  /** False if an account without the rights of an administrator can have written the task. */
  readonly isTrusted: boolean
}

/** Name of the task that runs the agent. */
export const agentTaskName = 'Plumbline Agent'

/** Folder of the files of all tasks. */
const tasksFolder = `${systemRoot}/System32/Tasks`

/** Reads a task; undefined if there is none with this name. Throws TASK_NAME_INVALID, TASK_UNREADABLE. */
export async function readScheduledTask(system: System, name: string): Promise<RegisteredTask | undefined> {
  const file = findTaskFile(name)
  if ((await system.files.stat(file))?.kind !== 'file') return undefined
  const registration = await findTaskRegistration(system, withoutRoot(name))
  if (!registration) return undefined
  // A damaged file must not keep others from replacing or removing the task of a user.
  const task = registration.isTrusted
    ? await readTaskFile(system, name)
    : ((await readListedTask(system, name)) ?? createXmlElement('Task'))
  return task && { name, task, ...registration }
}

async function readTaskFile(system: System, name: string): Promise<XmlElement | undefined> {
  try {
    const bytes = await system.files.readWithin(findTaskFile(name), budgets.machine.taskFile.bound)
    return bytes && parseTask(bytes)
  } catch (error) {
    return throwIssue(schedulerIssues.TASK_UNREADABLE, { name, why: formatError(error) })
  }
}

/** Reads all tasks, also hidden ones. A task that cannot be read is left out. */
export async function listScheduledTasks(system: System): Promise<readonly Pick<RegisteredTask, 'name' | 'task'>[]> {
  const tasks: Pick<RegisteredTask, 'name' | 'task'>[] = []
  const names = (await listTaskRegistrations(system)) ?? (await listTaskFiles(system))
  if (names.length > budgets.machine.tasks.bound) failManyTasks('')
  for (const name of names) {
    const task = await readListedTask(system, name)
    if (task) tasks.push({ name, task })
  }
  return tasks
}

/** Names of the files of tasks, for a Windows without registrations in the registry. */
async function listTaskFiles(system: System): Promise<readonly string[]> {
  const names: string[] = []
  const folders = ['']
  let entries = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of (await ignoreDenied(system.files.list(`${tasksFolder}/${toPath(folder)}`))) ?? []) {
      entries += 1
      if (entries > budgets.machine.tasks.bound) failManyTasks(folder)
      const name = `${folder}${entry}`
      const stat = await ignoreDenied(system.files.stat(`${tasksFolder}/${toPath(name)}`))
      if (stat?.kind === 'directory') folders.push(`${name}\\`)
      if (stat?.kind === 'file') names.push(name)
    }
  }
  return names
}

function failManyTasks(name: string): never {
  throwIssue(schedulerIssues.TASK_UNREADABLE, { name, why: `there are more than ${budgets.machine.tasks.bound} tasks` })
}

/**
 * Removes the registration and the file at the place of a task, which an account without the rights of an administrator can
 * have written: a task that is replaced keeps its owner. Throws TASK_TOOL_FAILED, and TASK_UNREADABLE for a folder that is a link.
 */
export async function clearTaskPlace(system: System, name: string): Promise<void> {
  const file = findTaskFile(name)
  const readKind = async () => (await system.files.stat(file))?.kind ?? 'directory'
  if ((await readKind()) === 'directory') return
  if (await findTaskRegistration(system, withoutRoot(name))) await deleteScheduledTask(system, name)
  if ((await readKind()) !== 'directory') {
    await requireTaskFolders(system, name)
    await system.files.remove(file)
  }
}

/** A link that a user made would lead to a file elsewhere. */
async function requireTaskFolders(system: System, name: string): Promise<void> {
  const names = withoutRoot(name).split('\\')
  for (let length = 1; length < names.length; length++) {
    const folder = names.slice(0, length)
    const stat = await system.files.stat(`${tasksFolder}/${folder.join('/')}`)
    if (stat?.kind !== 'link') continue
    throwIssue(schedulerIssues.TASK_UNREADABLE, { name, why: `the folder ${folder.join('\\')} is a link` })
  }
}

/** Registers a task, or replaces it; missing folders are created. Throws TASK_TOOL_FAILED. */
export async function saveScheduledTask(system: System, name: string, task: XmlElement): Promise<void> {
  findTaskFile(name)
  await withHiddenFolder(system, async (folder) => {
    const file = `${folder}/task.xml`
    await system.files.write(file, encodeTaskFile(formatTaskFile(task)), 0o600)
    const words = ['/Create', '/TN', withoutRoot(name), '/XML', toBackslashes(file), '/F']
    await runTaskTool(system.commands, 'register', name, words)
  })
}

/** Removes a task. Throws TASK_TOOL_FAILED, also if there is none. */
export async function deleteScheduledTask(system: System, name: string): Promise<void> {
  findTaskFile(name)
  await runTaskTool(system.commands, 'remove', name, ['/Delete', '/TN', withoutRoot(name), '/F'])
}

/** XML of a task with the declaration that Windows itself writes. */
export const formatTaskFile = (task: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-16"?>\r\n${formatXml(task)}`

/** The XML of a task as a file for `schtasks.exe`: UTF-16 with a byte order mark, as in the files that Windows exports. */
export const encodeTaskFile = (xml: string): Buffer => Buffer.from(`\ufeff${xml}`, 'utf16le')

/** Windows writes UTF-16; other programs also write UTF-8. */
function parseTask(bytes: Buffer): XmlElement {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0
  const task = parseXml(bytes.toString(isUtf16 ? 'utf16le' : 'utf8'))
  return task.name === 'Task'
    ? task
    : throwIssue(schedulerIssues.XML_INVALID, { why: 'there is no element Task', at: 0 })
}

async function readListedTask(system: System, name: string): Promise<XmlElement | undefined> {
  try {
    const isFile = (await ignoreDenied(system.files.stat(findTaskFile(name))))?.kind === 'file'
    return isFile ? await readTaskFile(system, name) : undefined
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

/** Undefined for a file or folder to which this user has no access. */
async function ignoreDenied<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isPermissionError(error)) return undefined
    throw error
  }
}

/** The file of a task. A name can only lead to a file in the folder of tasks. */
function findTaskFile(name: string): string {
  const names = withoutRoot(name).split('\\')
  const isValid = names.every((each) => each !== '' && each !== '.' && each !== '..' && !each.includes('/'))
  if (!isValid) throwIssue(schedulerIssues.TASK_NAME_INVALID, { name })
  const file = `${tasksFolder}/${names.join('/')}`
  requireFileName(file, true)
  return file
}

const toPath = (name: string): string => name.replaceAll('\\', '/')

const withoutRoot = (name: string): string => (name.startsWith('\\') ? name.slice(1) : name)
