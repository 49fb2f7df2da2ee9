import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import type { CommandResult, System } from '../../../../src/machine/system/system.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { saysOf } from '../says-of.ts'

const windows = { kernel: 'windows', os: { name: 'windows', family: 'windows' } }
const accounts: Readonly<Record<string, string>> = {
  'S-1-5-32-544': 'BUILTIN\\Administrators',
  'S-1-5-32-545': 'BUILTIN\\Users',
  'S-1-5-18': 'NT AUTHORITY\\SYSTEM',
}

interface Descriptor {
  owner: string
  group: string
  protected: boolean
  entries: string[]
}

/** The list of a new file in C:/ProgramData: all entries are inherited. */
const inherited = (): Descriptor => ({
  owner: 'S-1-5-32-544',
  group: 'S-1-5-18',
  protected: false,
  entries: ['0,16,2032127,S-1-5-18', '0,16,2032127,S-1-5-32-544', '0,16,1179817,S-1-5-32-545'],
})

/** PowerShell and icacls, in the form of their input and output, for files of this machine. */
function createWindows() {
  const lists = new Map<string, Descriptor>()
  const known: Record<string, string> = { ...accounts }
  /** Entries that new files inherit, in addition to those of `inherited`. */
  const folderEntries: string[] = []
  const calls: string[] = []
  const getList = (path: string) => {
    if (!lists.has(path)) lists.set(path, { ...inherited(), entries: [...inherited().entries, ...folderEntries] })
    return lists.get(path)!
  }
  const answer = (request: { path?: string; sddl?: string; account?: string }) => {
    if (request.account !== undefined) {
      const found = Object.entries(known).find(
        ([sid, name]) => request.account === sid || name.toLowerCase().endsWith(`\\${request.account?.toLowerCase()}`),
      )
      return found
        ? { sid: found[0], name: found[1] }
        : { error: 'Some or all identity references could not be translated.' }
    }
    const list = getList(request.path!)
    if (request.sddl === undefined) return { ...list, ownerName: known[list.owner], groupName: known[list.group] }
    calls.push(request.sddl)
    const [, group = '', flags = '', entries = ''] = /^G:(\S+?)D:(P?)(.*)$/.exec(request.sddl) ?? []
    list.group = group
    list.protected = flags === 'P'
    list.entries = Array.from(entries.matchAll(/\(A;(\w*);(0x\w+);;;([^)]+)\)/g), ([, names, mask, sid]) => {
      const bits = { OI: 1, CI: 2, NP: 4, IO: 8 } as Readonly<Record<string, number>>
      const inheritance = (names?.match(/../g) ?? []).reduce((sum, name) => sum + (bits[name] ?? 0), 0)
      return `0,${inheritance},${Number(mask)},${sid}`
    })
    return {}
  }
  const done: CommandResult = { status: 0, stdout: '', stderr: '', output: '', timedOut: false }
  const system: System = {
    ...localSystem,
    commands: {
      find: async (name) => name,
      async run([program = '', ...args], { input = '' } = {}) {
        if (program.endsWith('icacls.exe')) {
          getList(args[0]!).owner = args[2]!.slice(1)
          calls.push(args.slice(1).join(' '))
          return done
        }
        calls.push('powershell')
        const lines = String(input).split('\n').filter(Boolean)
        return { ...done, stdout: lines.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\r\n`).join('') }
      },
    },
  }
  return { system, calls, known, lists, folderEntries }
}

const toWindows = (path: string) => path.replaceAll('/', '\\')

describe('file on Windows', () => {
  let folder: string
  let machine: ReturnType<typeof createWindows>
  const apply = (manifest: string) => saysOf(manifest.replaceAll('$F', folder), machine.system, windows)
  beforeEach(() => {
    folder = scratchFolder('file-windows')
    machine = createWindows()
  })

  it('starts no program for a file without owner, group and mode', async () => {
    expect(await apply(`file { '$F/a': content => 'x' }`)).toHaveLength(1)
    expect(await apply(`file { '$F/a': content => 'x' }`)).toEqual([])
    expect(machine.calls).toEqual([])
  })

  it('creates a file with owner, group and mode in one change', async () => {
    const manifest = `file { '$F/a': content => 'x', owner => 'Administrators', group => 'Users', mode => '0640' }`
    expect(await apply(manifest)).toHaveLength(1)
    expect(machine.calls.filter((call) => call !== 'powershell')).toEqual([
      'G:S-1-5-32-545D:P(A;;0x1f019f;;;S-1-5-32-544)(A;;0x120089;;;S-1-5-32-545)(A;;0x120080;;;S-1-1-0)(A;;0x1f01ff;;;S-1-5-18)',
    ])
    expect(await apply(manifest)).toEqual([])
  })

  it('closes a new file until its owner, group and mode are set', async () => {
    const closed: Record<string, boolean | undefined> = {}
    const { files } = machine.system
    const replace: typeof files.replace = (path, content, replacement) => {
      closed[path.slice(-1)] = replacement.isClosed
      return files.replace(path, content, replacement)
    }
    machine.system = { ...machine.system, files: { ...files, replace } }
    for (const name of ['d', 'e']) writeFileSync(join(folder, name), '')
    await apply(`file { '$F/a': content => 's', mode => '0600' } file { '$F/b': content => 's', mode => 'o=' }
      file { '$F/c': content => 's' } file { '$F/d': content => 's', mode => '0600' }
      file { '$F/e': content => 's', mode => 'o=' } file { '$F/f': content => 's', owner => 'SYSTEM' }`)
    expect(closed).toEqual({ a: true, b: true, c: false, d: true, e: false, f: true })
  })

  it('sets a relative mode and an owner of a new file as if the file inherited the list of its folder', async () => {
    const closed = ['0,0,2032127,S-1-5-18', '0,0,2032127,S-1-5-32-544', '0,0,2032127,S-1-3-4']
    machine.folderEntries.push('0,16,1179785,S-1-1-0')
    for (const name of ['a', 'b'])
      machine.lists.set(toWindows(`${folder}/${name}`), { ...inherited(), protected: true, entries: [...closed] })
    await apply(`file { '$F/a': content => 's', mode => 'u-x' } file { '$F/b': content => 's', owner => 'SYSTEM' }`)
    expect(machine.calls.filter((call) => call !== 'powershell')).toEqual([
      'G:S-1-5-18D:P(A;;0x1f019f;;;S-1-5-32-544)(A;;0x1f01ff;;;S-1-5-18)(A;;0x120089;;;S-1-1-0)',
      'G:S-1-5-18D:(A;;0x1f01ff;;;S-1-5-18)',
      '/setowner *S-1-5-18 /L /Q',
    ])
    expect(readdirSync(folder)).toEqual(['a', 'b'])
  })

  it('creates no file for an account that does not exist yet', async () => {
    const manifest = `file { '$F/a': content => 's', owner => 'later' }`
    expect((await apply(manifest)).join('\n')).toContain('Could not find user later')
    expect(readdirSync(folder)).toEqual([])
    machine.known['S-1-5-21-1-2-3-1001'] = 'VM\\later'
    expect(await apply(manifest)).toHaveLength(1)
    expect(machine.calls.slice(-2)).toEqual(['/setowner *S-1-5-21-1-2-3-1001 /L /Q', 'powershell'])
    expect(await apply(manifest)).toEqual([])
  })

  it.each([
    ["owner => 'SYSTEM'", "owner: owner changed 'NT AUTHORITY\\SYSTEM' to 'NT AUTHORITY\\SYSTEM'"],
    ["group => 'SYSTEM'", "group: group changed 'NT AUTHORITY\\SYSTEM' to 'NT AUTHORITY\\SYSTEM'"],
    ["mode => 'o='", "mode: mode changed '2000770' to '2000770' (o=)"],
    [
      "owner => 'SYSTEM', group => 'Users', mode => 'o='",
      "group: group changed 'NT AUTHORITY\\SYSTEM' to 'BUILTIN\\Users'",
    ],
  ])('restores the list of a file that a run left closed, with %s', async (attributes, event) => {
    const closed = ['0,0,2032127,S-1-5-18', '0,0,2032127,S-1-5-32-544', '0,0,2032127,S-1-3-4']
    writeFileSync(join(folder, 'a'), 's')
    machine.lists.set(toWindows(`${folder}/a`), {
      owner: 'S-1-5-18',
      group: 'S-1-5-18',
      protected: true,
      entries: closed,
    })
    const manifest = `file { '$F/a': content => 's', ${attributes} }`
    expect(await apply(manifest)).toContain(`File[${folder}/a]/${event}`)
    expect(machine.lists.get(toWindows(`${folder}/a`))?.entries.join()).not.toContain('S-1-3-4')
    expect(await apply(manifest)).toEqual([])
  })

  it('shows the modes of Puppet when it changes a list', async () => {
    writeFileSync(join(folder, 'a'), '')
    expect(await apply(`file { '$F/a': mode => '0644' }`)).toEqual([
      `File[${folder}/a]/mode: mode changed '2000770' to '0644'`,
    ])
  })

  it('changes the owner with icacls, and keeps the rights for the new owner', async () => {
    writeFileSync(join(folder, 'a'), '')
    expect(await apply(`file { '$F/a': owner => 'SYSTEM' }`)).toEqual([
      `File[${folder}/a]/owner: owner changed 'BUILTIN\\Administrators' to 'NT AUTHORITY\\SYSTEM'`,
    ])
    expect(machine.calls.filter((call) => call !== 'powershell')).toEqual([
      'G:S-1-5-18D:(A;;0x1f01ff;;;S-1-5-18)',
      '/setowner *S-1-5-18 /L /Q',
    ])
    expect(await apply(`file { '$F/a': owner => 'S-1-5-18' }`)).toEqual([])
  })

  it('lets files and folders of a directory inherit', async () => {
    await apply(`file { '$F/d': ensure => directory, owner => 'Administrators', group => 'Users', mode => '0750' }`)
    expect(machine.lists.get(toWindows(`${folder}/d`))?.entries.slice(-5)).toEqual([
      '0,3,2032127,S-1-5-18',
      '0,10,2032127,S-1-3-0',
      '0,10,1179817,S-1-3-1',
      '0,9,1245663,S-1-3-0',
      '0,9,1179785,S-1-3-1',
    ])
  })

  it('reads the lists of all files of a catalog at once', async () => {
    mkdirSync(join(folder, 'many'))
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'many', name), '')
    const manifest = `['a', 'b', 'c'].each |$n| { file { "$F/many/\${n}": group => 'S-1-5-18' } }`
    expect(await apply(manifest)).toEqual([])
    // One process for the lists, one for the account.
    expect(machine.calls).toEqual(['powershell', 'powershell'])
  })

  it('reports an account that does not exist', async () => {
    const says = await apply(`file { '$F/a': ensure => file, owner => 'nobody' }`)
    expect(says.at(-1)).toContain('Could not find user nobody')
  })

  it('reports a file that is in use for its own resource only', async () => {
    for (const name of ['a', 'b']) writeFileSync(join(folder, name), '')
    const { files } = machine.system
    const stat: typeof files.stat = async (path) => {
      if (path.endsWith('/b')) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' })
      return files.stat(path)
    }
    machine.system = { ...machine.system, files: { ...files, stat } }
    const says = await apply(`file { '$F/a': owner => 'SYSTEM' } file { '$F/b': owner => 'SYSTEM' }`)
    expect(says.map((line) => line.slice(line.indexOf(']')))).toEqual([
      "]/owner: owner changed 'BUILTIN\\Administrators' to 'NT AUTHORITY\\SYSTEM'",
      expect.stringContaining('Could not evaluate: '),
    ])
  })

  it('reports a list that cannot be read', async () => {
    writeFileSync(join(folder, 'a'), '')
    machine.system.commands.run = async () => ({ status: 0, stdout: '', stderr: '', output: '', timedOut: false })
    expect((await apply(`file { '$F/a': mode => '0644' }`)).join('\n')).toContain(
      `Could not read owner, group and access list of ${folder}/a: PowerShell gave no answer (status 0)`,
    )
  })

  it('ends programs that take too long, with an error', async () => {
    writeFileSync(join(folder, 'a'), '')
    const { run } = machine.system.commands
    const limits: (number | undefined)[] = []
    let slow = 'powershell.exe'
    machine.system.commands.run = async (words, options) => {
      limits.push(options?.timeout)
      const result = await run(words, options)
      return words[0]?.endsWith(slow) ? { ...result, status: 137, timedOut: true } : result
    }
    const reads = (await apply(`file { '$F/a': owner => 'SYSTEM' }`)).join('\n')
    expect(reads).toContain(
      `Could not read owner, group and access list of ${folder}/a: powershell.exe did not end within 300 seconds`,
    )
    slow = 'icacls.exe'
    const changes = (await apply(`file { '$F/a': owner => 'SYSTEM' }`)).join('\n')
    expect(changes).toContain("Failed to set owner to 'S-1-5-18': icacls.exe did not end within 300 seconds")
    expect(new Set(limits)).toEqual(new Set([300]))
  })

  it('copies no permissions from a source', async () => {
    writeFileSync(join(folder, 'from'), 'x')
    const manifest = `file { '$F/to': source => '$F/from', source_permissions => use }`
    expect((await apply(manifest)).join('\n')).toContain(
      'Copying owner/mode/group from the source file on Windows is not supported; use source_permissions => ignore.',
    )
  })
})
