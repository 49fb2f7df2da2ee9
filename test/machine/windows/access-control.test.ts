import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { AccessTool } from '../../../src/machine/windows/access-control.ts'
import { createStagedFile } from '../../../src/machine/windows/closed-file.ts'
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

const toWindows = (path: string) => path.replaceAll('/', '\\')
const closing = '/inheritance:r /grant:r *S-1-5-18:F *S-1-5-32-544:F *S-1-3-4:F /L /Q'

it('gives a new file the list of an old file before another user can open it', async () => {
  const folder = scratchFolder('kept')
  const list = 'D:PAI(A;;FA;;;SY)(A;;FR;;;BU)'
  const { runTool, calls, places } = recordTool(list)
  const handle = await createStagedFile(`${folder}/.a.tmp`, { like: `${folder}/a` }, runTool)
  await handle.writeFile('secret')
  await handle.close()
  expect(calls).toEqual([`${toWindows(folder)} /restore ${JSON.stringify(`.a.tmp\r\n${list}\r\n`)}`])
  expect(places).toHaveLength(2)
  for (const place of places) expect(place.startsWith(join(tmpdir(), 'plumb-acl-'))).toBe(true)
  expect(places.filter((place) => existsSync(dirname(place)))).toEqual([])
  expect(readdirSync(folder)).toEqual(['.a.tmp'])
  expect(readFileSync(`${folder}/.a.tmp`, 'utf8')).toBe('secret')
})

it.each(['D:AI(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)', undefined])(
  'leaves a new file as its folder creates it, for the list %s',
  async (list) => {
    const folder = scratchFolder('inherited')
    const { runTool, calls } = recordTool(list)
    for (const like of [`${folder}/a`, undefined]) {
      const handle = await createStagedFile(`${folder}/${String(like).at(-1)}.tmp`, { like }, runTool)
      await handle.close()
    }
    expect(calls).toEqual([])
    expect(readdirSync(folder)).toEqual(['a.tmp', 'd.tmp'])
  },
)

it('closes a new file without a folder, which another user could replace', async () => {
  const folder = scratchFolder('closed')
  const { runTool, calls } = recordTool(undefined)
  const found: string[][] = []
  const watched: AccessTool = async (args) => {
    found.push(readdirSync(folder))
    return runTool(args)
  }
  const handle = await createStagedFile(`${folder}/.a.tmp`, { isClosed: true }, watched)
  await handle.close()
  expect(found).toEqual([['.a.tmp']])
  expect(calls).toEqual([`${toWindows(folder)}\\.a.tmp ${closing}`])
})

it('fails with the output of the tool, and leaves no file', async () => {
  const folder = scratchFolder('failing')
  const { runTool } = recordTool('D:P(A;;FA;;;SY)', 5)
  await expect(createStagedFile(`${folder}/t`, { isClosed: true }, runTool)).rejects.toThrow(
    `Could not restrict the access to ${folder}/t: Access is denied.`,
  )
  const unkept: AccessTool = async (args) =>
    args[1] === '/restore' ? runTool(args) : recordTool('D:P(A;;FA;;;SY)').runTool(args)
  await expect(createStagedFile(`${folder}/t`, { like: 'C:/a' }, unkept)).rejects.toThrow(
    'Could not keep the access list of C:/a: Access is denied.',
  )
  expect(readdirSync(folder)).toEqual([])
})
