import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

const tree = treeOf({}, '/code/production')
const allowed = ['/bin/echo', '/bin/sh', '/bin/none']

function noticed(text: string, generators: readonly string[] = allowed): string[] {
  const environment = {
    name: 'production',
    tree,
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
    ["generate('/bin/none')", 'Failed to execute generator /bin/none: '],
    ["generate('echo')", 'Generators must be fully qualified'],
    ["generate('/bin/../bin/echo')", "Can not use generators with '..' in them."],
  ])('%s is refused', (code, expected) => {
    expect(() => noticed(code)).toThrow(`Error while evaluating a Function Call, ${expected}`)
  })

  it('runs nothing by default', () => {
    expect(() => noticed("generate('/bin/echo')", [])).toThrow('commands are not allowed here')
  })
})
