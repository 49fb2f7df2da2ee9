import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type AccessTool, protectFolder } from '../../../src/machine/windows/access-control.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const open = 'D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;0x1200a9;;;BU)'
const closed = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

/** A tool that writes access lists as `icacls /save` does (UTF-16, name and SDDL), and records its arguments. */
function recordTool(lists: readonly (string | undefined)[], failing?: string) {
  const calls: string[] = []
  const remaining = [...lists]
  const runTool: AccessTool = async (args) => {
    const [, action = '', target = ''] = args
    if (action === '/save') {
      const list = remaining.shift()
      const text = Buffer.from(`\ufeffpl\r\n${list}\r\n`, 'utf16le')
      if (list !== undefined) writeFileSync(target.replaceAll('\\', '/'), text)
      return { status: 0, output: '' }
    }
    calls.push(args.slice(1).join(' '))
    return action === failing ? { status: 1, output: 'Access is denied.\r\n' } : { status: 0, output: '' }
  }
  return { runTool, calls }
}

function makeFolder(): string {
  const folder = join(scratchFolder('protected'), 'vardir')
  mkdirSync(folder)
  writeFileSync(join(folder, 'state.json'), '{}')
  return folder
}

it('replaces the access list of a folder, and takes over what is in it', async () => {
  const { runTool, calls } = recordTool([open, closed])
  expect(await protectFolder(makeFolder(), { runTool, isNeeded: true })).toBe(true)
  expect(calls).toEqual([
    '/setowner *S-1-5-32-544 /L /Q',
    '/reset /L /Q',
    '/inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F /L /Q',
    '/setowner *S-1-5-32-544 /T /L /Q',
    '/reset /T /L /Q',
  ])
})

it('leaves a protected folder, in any order of the entries', async () => {
  const { runTool, calls } = recordTool(['D:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)'])
  expect(await protectFolder(makeFolder(), { runTool, isNeeded: true })).toBe(true)
  expect(calls).toEqual(['/setowner *S-1-5-32-544 /L /Q'])
})

it.each([
  ['an inherited list', 'D:AI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'],
  ['another account', `${closed}(A;OICI;FA;;;WD)`],
  ['access to the folder alone', 'D:PAI(A;;FA;;;SY)(A;;FA;;;BA)'],
])('fails if %s remains', async (_, list) => {
  const { runTool } = recordTool([open, list])
  await expect(protectFolder(makeFolder(), { runTool, isNeeded: true })).rejects.toThrow(
    `its access list is still ${list}`,
  )
})

it('reports an access list that cannot be read', async () => {
  const { runTool } = recordTool([undefined])
  expect(await protectFolder(makeFolder(), { runTool, isNeeded: true })).toBe(false)
})

it('fails with the output of the tool', async () => {
  const { runTool } = recordTool([open], '/setowner')
  await expect(protectFolder(makeFolder(), { runTool, isNeeded: true })).rejects.toThrow('Access is denied.')
})

it('refuses a link in place of the folder', async () => {
  const folder = makeFolder()
  symlinkSync(folder, `${folder}.link`)
  const { runTool, calls } = recordTool([])
  await expect(protectFolder(`${folder}.link`, { runTool, isNeeded: true })).rejects.toThrow('it is a link or a file')
  expect(calls).toEqual([])
})
