import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AccessTool } from '../../../src/machine/windows/access-control.ts'
import { parseOwner } from '../../../src/machine/windows/folder-owner.ts'
import { isFolderProtected, isFolderReadOnly, protectFolder } from '../../../src/machine/windows/folder-protection.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The list of a new folder in C:/ProgramData, as `icacls /save` writes it. */
const open = 'D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)'
const closed = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
const closing = [
  '/setowner *S-1-5-32-544 /L /Q',
  '/inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F /L /Q',
]

interface Answers {
  readonly lists: readonly (string | undefined)[]
  readonly owner?: string | undefined
  readonly failing?: string
  /** Called with the path before each call of the tool, as another user who acts at the same time. */
  readonly meanwhile?: (action: string, path: string) => void
}

/** A tool that writes access lists as `icacls /save` does (UTF-16, name and SDDL), and records its arguments. */
function recordTool({ lists, owner, failing, meanwhile }: Answers) {
  const calls: string[] = []
  const remaining = [...lists]
  const runTool: AccessTool = async (args) => {
    const [path = '', action = '', target = ''] = args
    meanwhile?.(action, path.replaceAll('\\', '/'))
    if (action !== '/save') calls.push(args.slice(1).join(' '))
    if (action === failing) return { status: 5, output: 'Access is denied.\r\n' }
    const list = action === '/save' ? remaining.shift() : undefined
    if (list !== undefined) writeFileSync(target.replaceAll('\\', '/'), `\ufeffpl\r\n${list}\r\n`, 'utf16le')
    return { status: 0, output: '' }
  }
  const findOwner = async () => {
    calls.push('owner')
    return owner
  }
  return { options: { runTool, findOwner, isNeeded: true }, calls }
}

function makeFolder(...names: readonly string[]): string {
  const folder = join(scratchFolder('protected'), 'Plumbline')
  mkdirSync(folder)
  for (const name of names) writeFileSync(join(folder, name), 'planted')
  return folder
}

describe('the protection of a folder', () => {
  it('creates a folder', async () => {
    const folder = join(scratchFolder('protected'), 'Plumbline')
    const { options, calls } = recordTool({ lists: [closed] })
    expect(await protectFolder(folder, options)).toEqual({ isKnown: true })
    expect(calls).toEqual(closing)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['that inherits its list', { lists: [open, closed] }],
    ['that another user closed with the same list', { lists: [closed, closed], owner: 'S-1-5-21-1-2-3-1001' }],
    ['to which another account has access', { lists: [`${closed}(A;OICI;FA;;;WD)`, closed] }],
    ['with a conditional entry', { lists: [`${closed}(XA;OICI;FA;;;WD;(Exists WIN://NOTHING))`, closed] }],
    ['to which the list denies nothing', { lists: ['D:NO_ACCESS_CONTROL', closed] }],
  ])('renames a folder %s, and never uses its content', async (_, answers) => {
    const folder = makeFolder('puppet.conf')
    const { options, calls } = recordTool(answers)
    const { isKnown, setAside = '' } = await protectFolder(folder, options)
    expect(isKnown).toBe(true)
    expect(setAside).toMatch(/\/Plumbline\.untrusted\.[0-9a-f]{12}$/)
    expect(readFileSync(join(setAside, 'puppet.conf'), 'utf8')).toBe('planted')
    expect(readdirSync(folder)).toEqual([])
    expect(calls.filter((call) => call !== 'owner')).toEqual(closing)
  })

  it('renames a folder whose list another user hides', async () => {
    const folder = makeFolder('puppet.conf')
    let isHidden = true
    const { options } = recordTool({ lists: [closed] })
    const runTool: AccessTool = async (args) => {
      if (!isHidden || args[1] !== '/save') return options.runTool(args)
      isHidden = false
      return { status: 5, output: 'Access is denied.' }
    }
    expect((await protectFolder(folder, { ...options, runTool })).setAside).toContain('.untrusted.')
    expect(readdirSync(folder)).toEqual([])
  })

  it('replaces an empty folder, of which another user may keep a handle', async () => {
    const folder = makeFolder()
    const { options } = recordTool({ lists: [open, closed] })
    expect(await protectFolder(folder, options)).toEqual({ isKnown: true })
    expect(readdirSync(dirname(folder))).toEqual(['Plumbline'])
  })

  it.each(['D:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)', closed])('keeps a folder with the list %s', async (list) => {
    const folder = makeFolder('puppet.conf')
    const { options, calls } = recordTool({ lists: [list], owner: 'BA' })
    expect(await protectFolder(folder, options)).toEqual({ isKnown: true })
    expect(calls).toEqual(['owner'])
    expect(readdirSync(folder)).toEqual(['puppet.conf'])
  })

  it.each([
    'D:PAI(A;;FA;;;SY)(A;;FA;;;BA)',
    'D:AI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)',
    `${closed}(A;OICI;FR;;;S-1-5-21-1-2-3-1100)`,
  ])('keeps a folder that other users can only read, and closes it: %s', async (list) => {
    const folder = makeFolder('puppet.conf')
    const { options, calls } = recordTool({ lists: [list, closed], owner: 'BA' })
    expect(await protectFolder(folder, options)).toEqual({ isKnown: true })
    expect(calls).toEqual(['owner', closing[0], '/reset /L /Q', closing[1], '/reset /T /L /Q'])
    expect(readdirSync(folder)).toEqual(['puppet.conf'])
  })

  it('does not use what another user puts into the new folder', async () => {
    const folder = join(scratchFolder('protected'), 'Plumbline')
    let planted = 0
    const meanwhile = (action: string, path: string) => {
      if (action !== '/setowner' || planted++ > 0) return
      mkdirSync(join(path, 'etc'))
    }
    const { options } = recordTool({ lists: [closed, closed], meanwhile })
    const { setAside = '' } = await protectFolder(folder, options)
    expect(readdirSync(setAside)).toEqual(['etc'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives up if another user goes on', async () => {
    const folder = join(scratchFolder('protected'), 'Plumbline')
    const meanwhile = (action: string, path: string) => {
      if (action === '/setowner') mkdirSync(join(path, 'etc'))
    }
    const { options } = recordTool({ lists: [closed, closed, closed], meanwhile })
    await expect(protectFolder(folder, options)).rejects.toThrow('another user changes it at the same time')
  })

  it.each([
    ['an inherited list', 'D:AI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'],
    ['another account', `${closed}(A;OICI;FA;;;WD)`],
  ])('fails if the new folder has %s', async (_, list) => {
    const { options } = recordTool({ lists: [open, list] })
    await expect(protectFolder(makeFolder(), options)).rejects.toThrow(`its access list is still ${list}`)
  })

  it('keeps a folder on a Windows without access lists', async () => {
    const folder = makeFolder('puppet.conf')
    const { options } = recordTool({ lists: [undefined] })
    expect(await protectFolder(folder, options)).toEqual({ isKnown: false })
    expect(readdirSync(folder)).toEqual(['puppet.conf'])
  })

  it('fails if the owner of a closed folder cannot be read', async () => {
    const { options } = recordTool({ lists: [closed] })
    await expect(protectFolder(makeFolder('a'), options)).rejects.toThrow('PowerShell cannot read its owner')
  })

  it('fails with the output of the tool', async () => {
    const { options } = recordTool({ lists: [open], failing: '/setowner' })
    await expect(protectFolder(makeFolder(), options)).rejects.toThrow('Access is denied.')
  })

  it('refuses a link in place of the folder, and in a closed folder', async () => {
    const folder = makeFolder()
    symlinkSync(folder, `${folder}.link`)
    const { options, calls } = recordTool({ lists: [closed], owner: 'SY' })
    await expect(protectFolder(`${folder}.link`, options)).rejects.toThrow('it is a link or a file')
    expect(calls).toEqual([])
    symlinkSync('/', join(folder, 'var'))
    await expect(protectFolder(folder, options)).rejects.toThrow('var in it is a link')
    expect(existsSync(join(folder, 'var'))).toBe(true)
  })

  it('reports the state of a folder without a change', async () => {
    for (const [list, state] of [[open, false] as const, [closed, true] as const, [undefined, undefined] as const]) {
      const { options, calls } = recordTool({ lists: [list] })
      expect(await isFolderProtected('C:/ProgramData/Plumbline', options)).toBe(state)
      expect(calls).toEqual([])
    }
  })
})

/** Lists of Windows Server 2022 for C:\ and C:\Program Files. */
const drive = 'D:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;;LC;;;AU)(A;OICIIO;SDGXGWGR;;;AU)'
const programFiles =
  'D:PAI(A;;FA;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)(A;;0x1301bf;;;SY)(A;OICIIO;GA;;;SY)' +
  '(A;;0x1301bf;;;BA)(A;OICIIO;GA;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)(A;OICIIO;GA;;;CO)(A;;0x1200a9;;;AC)'
/** A folder that an administrator creates in C:\. */
const inherited = 'D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)'

describe('the check of a folder of programs', () => {
  it.each([
    ['Program Files', [programFiles, drive], 'SY', true],
    ['a closed folder', [closed, drive], 'BA', true],
    ['rights of reading by name', ['D:P(A;;FRFX;;;BU)(A;;RC;;;AU)(D;;FA;;;WD)', drive], 'BA', true],
    ['a folder in C:\\', [inherited, drive], 'BA', false],
    ['rights of writing by name', [`${closed}(A;;FW;;;BU)`, drive], 'BA', false],
    ['an entry for new files', [`${closed}(A;OICIIO;GA;;;BU)`, drive], 'BA', false],
    ['a conditional entry', [`${closed}(XA;;FA;;;BU;(WIN://SYSAPPID))`, drive], 'BA', false],
    ['a parent folder in which users delete', [closed, `${closed}(A;;DT;;;BU)`], 'BA', false],
    ['a parent folder whose list users change', [closed, `${closed}(A;;0x40000;;;BU)`], 'BA', false],
    ['the owner', [closed, drive], 'S-1-5-21-1-2-3-1001', false],
    ['no access lists', [undefined], 'BA', undefined],
    ['no PowerShell', [closed, drive], undefined, undefined],
  ] as const)('%s', async (_, lists, owner, isReadOnly) => {
    const { options } = recordTool({ lists, owner })
    expect(await isFolderReadOnly('C:/Tools', options)).toBe(isReadOnly)
  })

  it('distrusts a list that it may not read', async () => {
    const { options } = recordTool({ lists: [], failing: '/save' })
    expect(await isFolderReadOnly('C:/Tools', options)).toBe(false)
  })
})

it.each([
  ['O:BAG:SYD:PAI(A;OICI;FA;;;SY)\r\n', 'BA'],
  ['O:S-1-5-21-1-2-3-1001G:S-1-5-21-1-2-3-513D:AI', 'S-1-5-21-1-2-3-1001'],
  ['', undefined],
  ['Get-Acl : Access is denied.', undefined],
])('the descriptor %j has the owner %s', (sddl, owner) => {
  expect(parseOwner(sddl)).toBe(owner)
})
