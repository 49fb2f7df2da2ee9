import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  formatTaskXml,
  readTaskState,
  registerTask,
  removeTask,
  runTask,
  setTaskEnabled,
} from '../../../src/cli/service/scheduled-task.ts'

const task = {
  name: 'Plumbline Agent',
  description: 'Applies <catalogs> & more',
  program: 'C:/Windows/System32/cmd.exe',
  commandLine: String.raw`/d /s /c ""C:\Program Files\Plumbline\bin\plumb.cmd" agent"`,
}

/** Programs that record their command lines and answer as given. */
function record(
  answer: { status: number; stdout?: string; output?: string },
  seen: (words: readonly string[]) => void,
) {
  const { status, stdout = '', output = stdout } = answer
  return {
    async run([program = '', ...words]: readonly string[]) {
      expect(program).toMatch(/\/System32\/schtasks\.exe$/)
      seen(words)
      return { status, stdout, stderr: '', output, timedOut: false }
    },
  }
}

describe('a scheduled task', () => {
  it('is registered from a file in UTF-16 in a private folder, which is removed', async () => {
    const lines: (readonly string[])[] = []
    let bytes = Buffer.alloc(0)
    let file = ''
    const commands = record({ status: 0 }, (words) => {
      lines.push(words.toSpliced(4, 1))
      file = words[4]!.replaceAll('\\', '/')
      bytes = readFileSync(file)
    })
    await registerTask(task, commands)
    expect(lines).toEqual([['/Create', '/TN', 'Plumbline Agent', '/XML', '/F']])
    expect(file.startsWith(`${tmpdir()}/plumb-task-`)).toBe(true)
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
    expect(bytes.toString('utf16le').slice(1)).toBe(formatTaskXml(task))
    expect(existsSync(file)).toBe(false)
  })

  it('has escaped texts, runs as SYSTEM at boot and every five minutes, and without a time limit', () => {
    const xml = formatTaskXml(task)
    for (const part of [
      '<Description>Applies &lt;catalogs&gt; &amp; more</Description>',
      String.raw`<Command>C:\Windows\System32\cmd.exe</Command>`,
      String.raw`<Arguments>/d /s /c &quot;&quot;C:\Program Files\Plumbline\bin\plumb.cmd&quot; agent&quot;</Arguments>`,
      '<UserId>S-1-5-18</UserId>',
      '<BootTrigger>',
      '<Interval>PT5M</Interval>',
      '<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
      '<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    ])
      expect(xml).toContain(part)
    expect(xml.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('is enabled, disabled, run and removed by its name', async () => {
    const lines: string[] = []
    const commands = record({ status: 0 }, (words) => void lines.push(words.join(' ')))
    await setTaskEnabled('T', true, commands)
    await setTaskEnabled('T', false, commands)
    await runTask('T', commands)
    await removeTask('T', commands)
    expect(lines).toEqual(['/Change /TN T /ENABLE', '/Change /TN T /DISABLE', '/Run /TN T', '/Delete /TN T /F'])
  })

  it.each([
    [{ status: 1, output: 'ERROR: The system cannot find the file specified.' }, 'missing'],
    [
      { status: 0, stdout: '<Task><Triggers><Enabled>false</Enabled></Triggers><Settings></Settings></Task>' },
      'enabled',
    ],
    [{ status: 0, stdout: '<Task><Settings>\r\n<Enabled>true</Enabled></Settings></Task>' }, 'enabled'],
    [{ status: 0, stdout: '<Task><Settings>\r\n<Enabled>false</Enabled></Settings></Task>' }, 'disabled'],
  ] as const)('the output %j is the state %s', async (answer, state) => {
    expect(
      await readTaskState(
        'T',
        record(answer, () => {}),
      ),
    ).toBe(state)
  })

  it('reports the output of a tool that fails', async () => {
    const commands = record({ status: 1, output: 'ERROR: Access is denied.\r\n' }, () => {})
    await expect(runTask('T', commands)).rejects.toThrow(
      "Could not run the scheduled task 'T': ERROR: Access is denied.",
    )
  })
})
