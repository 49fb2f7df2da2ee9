import { execPath } from 'node:process'
import { expect, it } from 'vitest'
import { readOwner } from '../../../src/machine/windows/folder-owner.ts'
import { runLimitedProgram } from '../../../src/machine/windows/limited-program.ts'

const runNode = (code: string, limitMs?: number) => runLimitedProgram(execPath, ['-e', code], limitMs)

it('runs a program, and ends it after the time limit', async () => {
  const result = await runNode('console.log(1); console.error(2); process.exit(3)')
  expect(result).toEqual({ status: 1, stdout: '1\n', output: '1\n2\n', timedOut: false })
  expect(await runNode('console.log(1); setInterval(() => {}, 1000)', 500)).toMatchObject({
    status: 1,
    output: 'node did not end within 0.5 seconds',
    timedOut: true,
  })
  const missing = await runLimitedProgram('/missing/x.exe', [])
  expect(missing).toMatchObject({ status: 1, timedOut: false, output: expect.stringContaining('ENOENT') })
})

it('reports an owner that PowerShell does not read in time', async () => {
  const slow = async (program: string) => ({ status: 1, stdout: '', output: `${program} is slow`, timedOut: true })
  await expect(readOwner('C:/x', slow)).rejects.toThrow(/^Could not read the owner of C:\/x: .*powershell\.exe is slow/)
})

it('keeps a path with quotes of any kind in the text of the script', async () => {
  let script = ''
  await readOwner("C:/a'b’; x", async (_, words) => {
    script = Buffer.from(words.at(-1)!, 'base64').toString('utf16le')
    return { status: 0, stdout: '', output: '', timedOut: false }
  })
  expect(script).toContain(String.raw`-LiteralPath 'C:\a''b’’; x' |`)
})
