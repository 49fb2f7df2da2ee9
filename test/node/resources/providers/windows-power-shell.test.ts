import { expect, it } from 'vitest'
import { runPowerShell } from '../../../../src/node/resources/providers/windows/power-shell.ts'
import { formatScriptLines, readScript, windowsSystem } from '../windows-tools.ts'

const values = { name: 'ann', password: `pä"s's\n$(x)` }

/** Runs a script with an answer of PowerShell; returns its lines, its command line and its input. */
async function run(answer: string, given: Readonly<Record<string, string>> = values) {
  const asked = { words: [] as readonly string[], input: '' }
  const system = windowsSystem({
    'powershell.exe'(words, input) {
      Object.assign(asked, { words, input })
      return answer
    },
  })
  return { lines: await runPowerShell(system, 'set it', '$u.SetPassword($v.password)', given), ...asked }
}

it('gives values to a script in its input only, because Windows logs scripts', async () => {
  const { lines, words, input } = await run(formatScriptLines('a', '', 'b'))
  expect(lines).toEqual(['a', 'b'])
  expect(words).toEqual((await run(formatScriptLines(), { name: 'bob', password: 'x' })).words)
  const { script, values: read } = readScript(words, input)
  expect(script).toContain('$u.SetPassword($v.password)')
  expect(script).not.toContain('FromBase64String')
  expect(read).toEqual(values)
  expect(input).toMatch(/^[ -~]+\n$/)
})

it.each([
  ['{"error":"Access is denied.\\r\\n"}', 'Could not set it: Access is denied.'],
  ['', 'Could not set it: PowerShell gave no answer (status 0)'],
])('reports the answer %s', async (answer, message) => {
  await expect(run(answer)).rejects.toThrow(message)
})

it('reads a line that PowerShell 5.1 wrote as an object', async () => {
  expect((await run('{"lines":{"value":["True"],"Count":1}}')).lines).toEqual(['True'])
})
