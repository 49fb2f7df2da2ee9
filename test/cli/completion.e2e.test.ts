import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { without } from '../support/needs.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const script = join(scratchFolder('completion'), 'plumb.bash')

/** The words that bash offers for a line whose last word is being typed. */
function offered(line: string): string[] {
  const words = line.split(' ')
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const program = `source '${script}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _plumb; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe('plumb completion', () => {
  beforeAll(async () => writeFileSync(script, (await runHere(['completion', 'bash'])).out), 60_000)

  it.each([
    ['plumb ', expect.arrayContaining([...commands.map(({ name }) => name), 'help'])],
    ['plumb quer', ['query']],
    ['plumb ca si', ['sign']],
    ['plumb code --repo x im', ['impact']],
    ['plumb agent --noo', ['--noop']],
    ['plumb agent --no-noo', ['--no-noop']],
    ['plumb agent --tes', ['--test']],
    ['plumb config set --stric', ['--strict', '--strict_variables', '--strict_environment_mode']],
    ['plumb agent --strict ', ['off', 'warning', 'error']],
    ['plumb query --render-as cs', ['csv']],
    ['plumb query nodes ', []],
  ])('offers for %j', (line, words) => {
    expect(offered(line)).toEqual(words)
  })

  describe(`in fish${without('fish')}`, () => {
    it.runIf(without('fish') === '').each([
      ['plumb quer', ['query']],
      ['plumb ca si', ['sign']],
      ['plumb agent --noo', ['--noop']],
      ['plumb agent --strict ', ['error', 'off', 'warning']],
      ['plumb query --render-as cs', ['csv']],
      ['plumb epp validate /etc/pass', ['/etc/passwd']],
    ])('offers for %j', async (line, words) => {
      const file = join(scratchFolder('completion'), 'plumb.fish')
      writeFileSync(file, (await runHere(['completion', 'fish'])).out)
      const offers = execFileSync('fish', ['-c', `source '${file}'; complete -C '${line}'`], { encoding: 'utf8' })
      expect(offers.split('\n').filter((each) => each !== '' && !each.endsWith('-'))).toEqual(words)
    })
  })

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that the shell can read', async (shell) => {
    const { status, out } = await runHere(['completion', shell])
    expect(status).toBe(0)
    const file = join(scratchFolder('completion'), shell)
    writeFileSync(file, out)
    const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    // A shell that is not installed checks nothing; its script has the words all the same.
    if (checked.error === undefined) expect(checked.stderr).toBe('')
    expect(out).toContain("'plumb ca sign'")
  })

  it('suggests a shell', async () => {
    expect((await runHere(['completion', 'zhs'])).err).toBe("Error: Unknown shell 'zhs'\n  Did you mean 'zsh'?\n")
  })
})

describe('plumb man', () => {
  it('prints a page that lists every command', async () => {
    const { out } = await runHere(['man'])
    for (const { name } of commands) expect(out).toContain(`.B ${name.replaceAll('-', '\\-')}\n`)
  })

  it('prints a page of a command, in which nothing is taken for a request of roff', async () => {
    const { out } = await runHere(['man', 'agent'])
    expect(out).toContain('.B \\-t, \\-\\-test\n')
    const requests = new Set(out.split('\n').flatMap((line) => /^\.(\w+)/.exec(line)?.[1] ?? []))
    expect([...requests].sort()).toEqual(['B', 'I', 'PP', 'SH', 'TH', 'TP'])
  })
})
