import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type AccessTool, copyAccessList, restrictFileAccess } from '../../../src/machine/windows/access-control.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A tool that answers `/save` with a list, and records other calls with the content of a list file. */
function recordTool(list: string | undefined, status = 0) {
  const calls: string[] = []
  const places: string[] = []
  const runTool: AccessTool = async ([path = '', action = '', target = '', ...rest]) => {
    const file = target.replaceAll('\\', '/')
    if (action === '/save' || action === '/restore') places.push(file)
    if (action === '/save' && list !== undefined) writeFileSync(file, `\ufeffa\r\n${list}\r\n`, 'utf16le')
    else if (action === '/restore') calls.push(`${path} /restore ${JSON.stringify(readFileSync(file, 'utf16le'))}`)
    else if (action !== '/save') calls.push([path, action, target, ...rest].join(' '))
    return { status: action === '/save' ? 0 : status, output: status === 0 ? '' : 'Access is denied.\r\n' }
  }
  return { runTool, calls, places }
}

it('copies a list with entries of its own, with files in a private folder', async () => {
  const folder = scratchFolder('copied')
  const list = 'D:PAI(A;;FA;;;SY)(A;;FR;;;BU)'
  const { runTool, calls, places } = recordTool(list)
  await copyAccessList(`${folder}/a`, `${folder}/.a.tmp`, runTool)
  const windowsFolder = folder.replaceAll('/', '\\')
  expect(calls).toEqual([`${windowsFolder} /restore ${JSON.stringify(`.a.tmp\r\n${list}\r\n`)}`])
  expect(places).toHaveLength(2)
  for (const place of places) expect(place.startsWith(join(tmpdir(), 'plumb-acl-'))).toBe(true)
  expect(places.filter((place) => existsSync(dirname(place)))).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

it.each(['D:AI(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)', undefined])('copies nothing for the list %s', async (list) => {
  const { runTool, calls } = recordTool(list)
  await copyAccessList('/x/a', '/x/b', runTool)
  expect(calls).toEqual([])
})

it('closes a file to other users', async () => {
  const { runTool, calls } = recordTool(undefined)
  await restrictFileAccess('C:/app/.a.tmp', runTool)
  expect(calls).toEqual([String.raw`C:\app\.a.tmp /inheritance:r /grant:r *S-1-5-18:F *S-1-5-32-544:F /L /Q`])
})

it('fails with the output of the tool', async () => {
  const { runTool } = recordTool('D:P(A;;FA;;;SY)', 5)
  await expect(restrictFileAccess('C:/a', runTool)).rejects.toThrow(
    'Could not restrict the access to C:/a: Access is denied.',
  )
  await expect(copyAccessList('C:/a', 'C:/b', runTool)).rejects.toThrow(
    'Could not keep the access list of C:/a: Access is denied.',
  )
})
