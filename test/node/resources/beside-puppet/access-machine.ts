import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { CommandResult, FileStat, System } from '../../../../src/machine/system/system.ts'
import { recordingSystem } from '../recording-system.ts'

/** Security descriptor of `C:/x`; entries are the kind, flags, mask and account. */
export interface Descriptor {
  owner: string
  group: string
  protected: boolean
  entries: readonly string[]
}

/** Identifiers of accounts of the machine. */
export const bob = 'S-1-5-21-1-2-3-1001'
/** The same for another account. */
export const ann = 'S-1-5-21-1-2-3-1002'
const accounts: Readonly<Record<string, string>> = {
  'S-1-1-0': 'Everyone',
  'S-1-5-18': 'NT AUTHORITY\\SYSTEM',
  'S-1-5-32-544': 'BUILTIN\\Administrators',
  'S-1-5-32-545': 'BUILTIN\\Users',
  [bob]: 'VM\\bob',
  [ann]: 'VM\\ann',
}

/** A Windows with the file `C:/x`, as icacls and PowerShell show and change it. */
export function createWindows(start: Descriptor, isFolder: boolean) {
  const descriptor = structuredClone(start)
  const inherited = start.entries.filter((line) => Number(line.split(',')[1]) & 16)
  const names = ['OI', 'CI', 'NP', 'IO', 'ID']
  const toSddl = () => {
    const entries = descriptor.entries.map((line) => {
      const [kind, flags, mask, sid] = line.split(',')
      const letters = names.filter((_, bit) => Number(flags) & (1 << bit)).join('')
      return `(${['A', 'D'][Number(kind)] ?? 'XA'};${letters};0x${Number(mask).toString(16)};;;${sid})`
    })
    return `D:${descriptor.protected ? 'P' : ''}AI${entries.join('')}`
  }
  const fromSddl = (list: string) =>
    Array.from(list.matchAll(/\((A|D|XA);(\w*);(0x\w+);;;([^)]+)\)/g), ([, kind, letters = '', mask, sid]) => {
      const bits = (letters.match(/../g) ?? []).reduce((sum, name) => sum + (1 << names.indexOf(name)), 0)
      return `${{ A: 0, D: 1, XA: 9 }[kind!]},${bits},${Number(mask)},${sid}`
    })
  const isInherited = (line: string) => (Number(line.split(',')[1]) & 16) !== 0
  const withoutInheritance = (line: string) => {
    const [kind, flags, ...rest] = line.split(',')
    return [kind, Number(flags) & ~16, ...rest].join(',')
  }
  const icacls = async ([path = '', action = '', file = '']: readonly string[]) => {
    if (action === '/save') {
      writeFileSync(file.replaceAll('\\', '/'), `x\r\n${toSddl()}\r\n`, 'utf16le')
    } else if (action === '/restore') {
      const [name, list = ''] = readFileSync(file.replaceAll('\\', '/'), 'utf16le').split('\r\n')
      expect([path, name, list.startsWith(descriptor.protected ? 'D:PAI' : 'D:AI')]).toEqual(['C:\\', 'x', true])
      descriptor.entries = fromSddl(list)
    } else if (action === '/setowner') descriptor.owner = file.slice(1)
    else {
      descriptor.protected = action === '/inheritance:d'
      const own = descriptor.entries.filter((line) => !isInherited(line))
      descriptor.entries = descriptor.protected ? descriptor.entries.map(withoutInheritance) : [...own, ...inherited]
    }
  }
  const answer = (request: { path?: string; list?: string; group?: string; account?: string }) => {
    if (request.account !== undefined) {
      const wanted = request.account.toLowerCase()
      const found = Object.entries(accounts).find(([sid, name]) =>
        [sid, name, name.split('\\').at(-1)!].some((each) => each.toLowerCase() === wanted),
      )
      return found
        ? { sid: found[0], name: found[1] }
        : /^s-1-/.test(wanted)
          ? { sid: request.account }
          : { error: 'no' }
    }
    if (request.group !== undefined) {
      descriptor.group = request.group
      return {}
    }
    const { owner, group } = descriptor
    const listed = fromSddl(request.list!)
    const known = listed.map((line) => line.split(',')[3]!).filter((sid) => accounts[sid] !== undefined)
    return {
      ...{ owner, group, ownerName: accounts[owner], groupName: accounts[group], entries: listed },
      protected: request.list!.startsWith('D:P'),
      names: Object.fromEntries(known.map((sid) => [sid, accounts[sid]])),
    }
  }
  let changed = 0
  const done: CommandResult = { status: 0, stdout: '', stderr: '', output: '', timedOut: false }
  const stat = async (path: string): Promise<FileStat | undefined> =>
    path === 'C:/x'
      ? { kind: isFolder ? 'directory' : 'file', mode: 0, uid: 0, gid: 0, size: 0, accessed: 0, modified: 0, changed }
      : undefined
  const system: System = {
    ...recordingSystem({}),
    commands: {
      find: async (name) => name,
      async run([program = '', ...args], { input = '' } = {}) {
        changed += 1
        if (program.endsWith('icacls.exe')) {
          await icacls(args)
          return done
        }
        const requests = String(input).split('\n').filter(Boolean)
        return { ...done, stdout: requests.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\r\n`).join('') }
      },
    },
  }
  return { system: { ...system, files: { ...system.files, stat } }, descriptor }
}
