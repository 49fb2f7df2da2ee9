import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileStat, System } from '../../../../src/machine/system/system.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import type { RecordingSystem } from '../recording-system.ts'
import { formatScriptLines, readScript, type ToolAnswers, windowsSystem } from '../windows-tools.ts'

/** What the compiler needs of the module; the type itself is native. */
const declaration = `Puppet::Type.newtype(:scheduled_task) do
  ensurable
  newparam(:name, namevar: true)
  newparam(:password)
  %i[enabled command working_dir arguments description user compatibility].each { |name| newproperty(name) }
  newproperty(:trigger, array_matching: :all)
end`

/** A folder with a module that declares the type. */
export function writeModules(): string {
  const modules = scratchFolder('modules')
  const folder = join(modules, 'scheduled_task/lib/puppet/type')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'scheduled_task.rb'), declaration)
  return modules
}

const root = 'C:/Windows/System32/Tasks'

const registrations = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Schedule\\TaskCache\\Tree'

/** A self-relative security descriptor with this owner, in bytes. */
export function createDescriptor(owner: string): Buffer {
  const [, revision, authority, ...parts] = owner.split('-').map(Number)
  const bytes = Buffer.alloc(28 + 4 * parts.length)
  bytes.set([1, 0, 0, 0x80, 20])
  bytes.set([revision!, parts.length], 20)
  bytes.writeUIntBE(authority!, 22, 6)
  for (const [index, part] of parts.entries()) bytes.writeUInt32LE(part, 28 + 4 * index)
  return bytes
}

/** Accounts by lower-case name or SID. */
const accounts: Readonly<Record<string, readonly [sid: string, name: string]>> = {
  bob: ['S-1-5-21-1-2-3-1001', 'VM\\bob'],
  'vm\\bob': ['S-1-5-21-1-2-3-1001', 'VM\\bob'],
  's-1-5-21-1-2-3-1001': ['S-1-5-21-1-2-3-1001', 'VM\\bob'],
  'corp\\svc$': ['S-1-5-21-9-9-9-1105', 'CORP\\svc$'],
  'network service': ['S-1-5-20', 'NT AUTHORITY\\NETWORK SERVICE'],
}

interface FakeScheduler extends RecordingSystem {
  /** XML of the tasks by path below the folder of tasks. */
  readonly tasks: Map<string, string>
  /** Calls of programs, without passwords and XML. */
  readonly ran: string[]
}

/** Owners of tasks and folders by path: SYSTEM if there is none, no registration for `undefined`. */
type Owners = Readonly<Record<string, string | undefined>>

/** `reg.exe` with the registrations of these tasks; without owners, as in Wine. */
function exportRegistrations(tasks: ReadonlyMap<string, string>, owners: Map<string, string | undefined> | undefined) {
  const exports = new Map<string, Buffer>()
  const listKeys = () => {
    const folders = [...tasks.keys()].flatMap((path) =>
      [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
    )
    const names = [...new Set([...folders, ...tasks.keys()])].sort()
    return owners ? ['', ...names.filter((name) => !owners.has(name) || owners.get(name) !== undefined)] : []
  }
  const toKey = (name: string) => [registrations, ...(name === '' ? [] : name.split('/'))].join('\\')
  const run = ([verb, path = '', file = '']: readonly string[]) => {
    const isBelow = (name: string) => `${toKey(name)}\\`.toLowerCase().startsWith(`${path}\\`.toLowerCase())
    const keys = listKeys().filter(isBelow)
    if (keys.length === 0) return { status: 1, stderr: 'ERROR: The system was unable to find the key.' }
    const texts = keys.map((name) => {
      const bytes = createDescriptor(owners?.get(name) ?? 'S-1-5-18')
      const id = tasks.has(name) ? '"Id"="{0}"\r\n' : ''
      return `[${toKey(name)}]\r\n${id}"SD"=hex:${bytes.toString('hex').replace(/..(?=.)/g, '$&,')}\r\n\r\n`
    })
    if (verb === 'export')
      exports.set(
        file.replaceAll('\\', '/'),
        Buffer.from(`\ufeffWindows Registry Editor Version 5.00\r\n\r\n${texts.join('')}`, 'utf16le'),
      )
    return ''
  }
  return { run, exports }
}

/** A Windows whose task scheduler keeps files as that of Windows does, with `schtasks.exe` and PowerShell in front. */
export function fakeScheduler(
  present: Readonly<Record<string, string>> = {},
  failure?: string,
  owned: Owners | 'none' = {},
): FakeScheduler {
  const tasks = new Map(Object.entries(present))
  const ran: string[] = []
  const owners = owned === 'none' ? undefined : new Map(Object.entries(owned))
  const registry = exportRegistrations(tasks, owners)
  const written = new Map<string, Buffer>()
  const findPath = (name: string) =>
    [...tasks.keys()].find((each) => each.toLowerCase() === name.replaceAll('\\', '/').toLowerCase())
  const put = (name: string, xml: string) => {
    const path = findPath(name) ?? name.replaceAll('\\', '/')
    // A task that is replaced keeps its owner.
    if (owners?.has(path) && owners.get(path) === undefined) owners.set(path, 'S-1-5-21-1-2-3-1001')
    tasks.set(path, xml)
  }
  const drop = (name: string) => {
    owners?.delete(findPath(name) ?? '')
    return tasks.delete(findPath(name) ?? '')
  }
  const answers: ToolAnswers = {
    'schtasks.exe'(words) {
      const [action, , name = '', , file = ''] = words
      if (action === '/Query') return tasks.get(findPath(name) ?? '')?.includes('tampered') ? { status: 1 } : ''
      ran.push(words.map((word) => (word === file ? 'FILE' : word)).join(' '))
      if (failure !== undefined) return { status: 1, output: `ERROR: ${failure}\r\n` }
      if (action === '/Delete') return drop(name) ? '' : { status: 1, output: 'ERROR' }
      put(name, written.get(file.replaceAll('\\', '/'))!.toString('utf16le').slice(1))
      return 'SUCCESS'
    },
    'reg.exe': registry.run,
    'powershell.exe'(words, input) {
      const { values } = readScript(words, input)
      if (values['account'] !== undefined) {
        const lines = input.split('\n').filter(Boolean)
        const names = lines.map((line) => (JSON.parse(line) as { account: string }).account)
        ran.push(`accounts ${names.join(', ')}`)
        const found = names.map((account) => accounts[account.toLowerCase()])
        return found.map((each) => `${JSON.stringify(each ? { sid: each[0], name: each[1] } : {})}\r\n`).join('')
      }
      const { path = '', xml = '', user, password = 'no password' } = values
      ran.push(`RegisterTask ${path} ${user} ${password}`)
      put(path, xml)
      return formatScriptLines()
    },
  }
  const system = windowsSystem(answers)
  const toName = (path: string) => path.slice(root.length + 1).replace(/\/$/, '')
  const stat = (kind: FileStat['kind']): FileStat => ({
    ...{ kind, mode: 0o644, uid: 0, gid: 0, size: 1, accessed: 0, modified: 0, changed: 0 },
  })
  const files: System['files'] = {
    ...system.files,
    sync: async () => {},
    async write(path, content) {
      written.set(path, Buffer.from(content as Uint8Array))
    },
    async stat(path) {
      const name = toName(path)
      if (findPath(name) !== undefined) return stat('file')
      return [...tasks.keys()].some((each) => each.startsWith(`${name}/`)) ? stat('directory') : undefined
    },
    async remove(path) {
      if (drop(toName(path))) ran.push(`remove ${toName(path)}`)
    },
    readParts: async (path) => {
      const content = registry.exports.get(path)
      return content && Readable.from([content])
    },
    readWithin: async (path) => Buffer.from(`\ufeff${tasks.get(findPath(toName(path)) ?? '')}`, 'utf16le'),
    async list(path) {
      const folder = toName(path) === '' ? '' : `${toName(path)}/`
      const inside = [...tasks.keys()].filter((each) => each.startsWith(folder))
      return [...new Set(inside.map((each) => each.slice(folder.length).split('/')[0]!))]
    },
  }
  return { ...system, files, tasks, ran, now: () => Date.UTC(2026, 10, 30, 12) }
}
