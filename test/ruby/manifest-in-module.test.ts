import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMemoryFiles, mountFiles } from '../../src/ruby/wasi/guest-files.ts'
import { writeFiles } from '../support/control-repository.ts'
import { plumbHere as plumb } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

it('loads the code of a module that contains the manifest as that of a module', async () => {
  const modules = scratchFolder('manifest-in-module')
  writeFiles(modules, {
    'm/lib/puppet/functions/m/twice.rb': `Puppet::Functions.create_function(:'m::twice') { def twice(x) = x * 2 }\n`,
    'm/try.pp': 'notice(m::twice(21), m::largest(1, 3))\n',
    // The name without a namespace is Puppet's own function, not one of the folder as an environment.
    'm/functions/largest.pp': 'function m::largest($a, $b) { max($a, $b) }\n',
    'm/functions/max.pp': 'function m::max($a, $b) { fail("other") }\n',
  })
  const { stdout } = await plumb(['apply', '--noop', '--modulepath', modules, join(modules, 'm/try.pp')])
  expect(stdout).toContain('Scope(Class[main]): 42 3')
})

it('finds a path in the innermost tree that has it', () => {
  const files = (texts: Readonly<Record<string, string>>) =>
    createMemoryFiles(new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])))
  const mounted = mountFiles({ 'a/b': files({ x: 'inner' }), a: files({ 'b/x': 'outer', 'b/y': 'outer' }) })
  const read = (path: string) => Buffer.from(mounted.read(path) ?? []).toString()
  expect([read('a/b/x'), read('a/b/y'), read('a/b/z')]).toEqual(['inner', 'outer', ''])
  expect([mounted.entry('a/b/y')?.kind, mounted.entry('a/b')?.kind, mounted.entry('a/b/z')]).toEqual([
    'file',
    'directory',
    undefined,
  ])
  expect(mounted.list('a/b')).toEqual(['x', 'y'])
})
