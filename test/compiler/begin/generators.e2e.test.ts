import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCommit } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { CompilePool } from '../../../src/compiler/workers/compile-pool.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { testSettings } from '../../code/environments/settings.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { treeOf } from '../../support/map-tree.ts'
import { plainRequest } from '../../support/plain-request.js'
import { scratchFolder } from '../../support/scratch-folder.ts'

const tree = treeOf({}, '/code/production')
const allowed = ['/bin/echo', '/bin/sh', '/bin/none']

/** What is noticed by code of a folder, or of a commit. */
function noticed(text: string, generators: readonly string[] = allowed, commit?: string): string[] {
  const environment = {
    name: 'production',
    tree: { ...tree, codeId: commit },
    modulepath: [],
    manifest: { text },
    version: 1,
    globalHiera: undefined,
  }
  return compile(plainRequest(environment, { generators })).logs.map(({ message }) => message)
}

describe('generate()', () => {
  it('has what a program prints that the operator allows, without a shell', () => {
    expect(noticed("notice(generate('/bin/echo', 'a b', '$HOME;', '*'))")).toEqual(['a b $HOME; *\n'])
  })

  it('runs a program once for the same words', () => {
    const process = "generate('/bin/sh', '-c', 'echo $$')"
    expect(noticed(`notice(${process} == ${process})`)).toEqual(['true'])
  })

  it.each([
    ["generate('/bin/cat', '/etc/hostname')", 'Failed to execute generator /bin/cat: commands are not allowed here'],
    [
      "generate('/bin/sh', '-c', 'echo why; exit 3')",
      "Failed to execute generator /bin/sh: Execution of '/bin/sh -c echo why; exit 3' returned 3: why",
    ],
    [
      "generate('/bin/none')",
      "Failed to execute generator /bin/none: Execution of '/bin/none' returned 1: Error: Could not execute posix command: No such file or directory - /bin/none",
    ],
    [
      "generate('/bin/sh', '-c', 'head -c 5000000 /dev/zero')",
      'Failed to execute generator /bin/sh: its output exceeds 4194304 bytes',
    ],
    ["generate('echo')", 'Generators must be fully qualified'],
    ["generate('/bin/../bin/echo')", "Can not use generators with '..' in them."],
  ])('%s is refused', (code, expected) => {
    expect(() => noticed(code)).toThrow(`Error while evaluating a Function Call, ${expected}`)
  })

  it('runs nothing by default', () => {
    expect(() => noticed("generate('/bin/echo')", [])).toThrow('commands are not allowed here')
  })
})

describe('generate() within a commit', () => {
  const folder = scratchFolder('generators')

  /** A program that counts its runs, and prints its words and the count; and fails until it has run `failing` times. */
  function counting(name: string, failing = 0): string {
    const program = join(folder, name)
    const runs = `${program}.runs`
    writeFileSync(
      program,
      `#!/bin/sh\necho run >> ${runs}\nn=$(wc -l < ${runs})\necho "$@" $n\n[ $n -gt ${failing} ]\n`,
      { mode: 0o755 },
    )
    return program
  }
  const printed = (program: string, words: string, commit: string | undefined) =>
    noticed(`notice(generate('${program}', ${words}))`, [program], commit)[0]

  it('runs a program once for the same words, whatever the catalog', () => {
    const program = counting('once')
    expect(printed(program, "'a', 'b'", 'one')).toBe('a b 1\n')
    expect(printed(program, "'a', 'b'", 'one')).toBe('a b 1\n')
    expect(printed(program, "'a b'", 'one')).toBe('a b 2\n')
  })

  it.each([
    ['another commit', 'two'],
    ['a folder, which has no commit', undefined],
  ])('runs it again for %s', (_, commit) => {
    const program = counting(`again-${commit}`)
    expect(printed(program, "'a'", 'one')).toBe('a 1\n')
    expect(printed(program, "'a'", commit)).toBe('a 2\n')
    expect(printed(program, "'a'", 'one')).toBe('a 1\n')
  })

  it('runs a program again that failed', () => {
    const program = counting('failing', 1)
    expect(() => printed(program, "'a'", 'one')).toThrow('returned 1: a 1')
    expect(printed(program, "'a'", 'one')).toBe('a 2\n')
    expect(printed(program, "'a'", 'one')).toBe('a 2\n')
  })

  it('runs a program again that is another one on the disk', () => {
    const program = counting('replaced')
    expect(printed(program, "'a'", 'one')).toBe('a 1\n')
    appendFileSync(program, 'echo more\n')
    expect(printed(program, "'a'", 'one')).toBe('a 2\nmore\n')
  })

  it('asks whether a program is allowed each time', () => {
    const program = counting('allowed')
    printed(program, "'a'", 'one')
    const code = `notice(generate('${program}', 'a'))`
    expect(() => noticed(code, ['/bin/echo'], 'one')).toThrow('commands are not allowed here')
  })

  it('knows in each thread of a pool what programs printed in others', async () => {
    const program = counting('threads')
    await inPool(`notify { generate('${program}', 'a'): }`, program, async (catalog) => {
      await catalog('first')
      for (const body of await Promise.all([catalog('second'), catalog('third')])) expect(body).toContain('"a 1\\n"')
    })
  })

  it('runs a program once for threads that ask at the same time', async () => {
    const program = join(folder, 'slow')
    writeFileSync(program, `#!/bin/sh\necho run >> ${program}.runs\nsleep 0.3\nwc -l < ${program}.runs\n`, {
      mode: 0o755,
    })
    await inPool(`notify { generate('${program}'): }`, program, async (catalog) => {
      for (const body of await Promise.all([catalog('first'), catalog('second')])) expect(body).toContain('"1\\n"')
    })
  })

  it('shows programs PATH and the language alone', async () => {
    await inPool("notify { generate('/usr/bin/env'): }", '/usr/bin/env', async (catalog) => {
      expect(await catalog('node')).toMatch(/"PATH=[^=]*\\nLANG=C\\nLC_ALL=C\\n"/)
    })
  })

  it.each([
    ['fails', '/bin/sh', ", '-c', 'echo why; exit 3'", 'returned 3: why'],
    ['is not there', '/bin/none', '', "Execution of '/bin/none' returned 1: Error: Could not execute posix command"],
    ['prints too much', '/bin/sh', ", '-c', 'head -c 5000000 /dev/zero'", 'its output exceeds 4194304 bytes'],
  ])('in a pool a program that %s is an error', async (_, program, words, expected) => {
    await inPool(`notify { generate('${program}'${words}): }`, program, async (catalog) => {
      await expect(catalog('node')).rejects.toThrow(`Failed to execute generator ${program}: `)
      await expect(catalog('node')).rejects.toThrow(expected)
    })
  })
})

/** A pool of two threads, for a commit of that manifest. */
async function inPool(manifest: string, program: string, use: (catalog: (name: string) => Promise<string>) => unknown) {
  const repository = controlRepository({ 'manifests/site.pp': `${manifest}\n` })
  const { snapshot } = await openCommit({ repository: repository.bare, ref: 'production' }, testSettings())
  const pool = new CompilePool({ size: 2, timeout: 60, maxQueued: 0 })
  try {
    await use(async (name) => {
      const { environment: _, ...rest } = plainRequest(snapshot, { generators: [program] })
      const node = createPlainNode(name, 'production')
      const { body } = await pool.compile({ ...rest, node, environment: snapshot, format: 'rich' })
      return Buffer.from(body).toString()
    })
  } finally {
    await pool.close()
  }
}
