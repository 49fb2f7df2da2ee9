import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { onDriveZ, startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')
const dist = `file:///${onDriveZ(join(import.meta.dirname, '../../../dist'))}`

/** Attacks a new file from another process, before its access list is set and before it is complete; and a file that is not closed. */
const program = `
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
const { createStagedFile } = await import('${dist}/machine/windows/closed-file.js')
const attacks = {
  read: 'fs.openSync("C:/new", "r")', write: 'fs.openSync("C:/new", "r+")', remove: 'fs.unlinkSync("C:/new")',
  rename: 'fs.renameSync("C:/new", "C:/old")', replace: 'fs.writeFileSync("C:/x", ""); fs.renameSync("C:/x", "C:/new")',
}
const attack = () => Object.entries(attacks).flatMap(([name, code]) => {
  const { status } = spawnSync(process.execPath, ['-e', 'try {' + code + '} catch { process.exit(7) }'], { stdio: 'ignore' })
  return status === 7 ? [] : [name]
})
const open = await createStagedFile('C:/new', {})
const successes = [attack()]
await open.close()
rmSync('C:/new', { force: true })
const handle = await createStagedFile('C:/new', { isClosed: true }, async () => {
  successes.push(attack())
  return { status: 0, output: '' }
})
await handle.writeFile('secret')
successes.push(attack())
await handle.close()
writeFileSync('C:/result.json', JSON.stringify({ successes, content: readFileSync('C:/new', 'utf8') }))
`

describe.skipIf(missing)(`closed files on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows?.stop())

  it('cannot be opened or replaced by others until they are complete', async () => {
    writeFileSync(join(windows.driveC, 'attack.mjs'), program)
    const ran = await windows.run([onDriveZ(join(windowsFolder, 'node.exe')), 'C:\\attack.mjs'])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(readFileSync(join(windows.driveC, 'result.json'), 'utf8'))).toEqual({
      successes: [['read', 'write', 'remove', 'rename', 'replace'], [], []],
      content: 'secret',
    })
  }, 120_000)
})
