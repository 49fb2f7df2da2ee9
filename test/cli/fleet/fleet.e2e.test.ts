import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

describe('a fleet', () => {
  it('is classified as on the server', async () => {
    const folder = scratchFolder('classified-fleet')
    const [nodes, facts, enc] = [join(folder, 'nodes'), join(folder, 'facts'), join(folder, 'enc')]
    mkdirSync(facts)
    const names = ['a.example.com', 'b.example.com', 'c.example.com']
    writeFileSync(nodes, names.join('\n'))
    for (const name of names) writeFileSync(join(facts, `${name}.json`), '{}')
    writeFileSync(enc, `#!/bin/sh\necho "parameters: {role: of $1}"\n`, { mode: 0o755 })
    const { bare } = controlRepository({ 'manifests/site.pp': 'notify { "is ${role}": }' })
    const fleet = ['--nodes', nodes, '--facts-dir', facts, '--repo', bare, '--jobs', '2']
    const by = ['--node_terminus', 'exec', '--external_nodes', enc]
    const { stdout } = await plumb(['catalog', 'diff', 'production', 'production', ...fleet, ...by])
    expect(stdout).toBe('0 changed, 3 unchanged, 0 failed')
    const one = ['--node', 'a.example.com', '--repo', bare, '--at', 'production']
    const compiled = await plumb(['catalog', 'compile', ...one, ...by])
    expect(JSON.parse(compiled.stdout).resources.map((each: { title: string }) => each.title)).toContain(
      'is of a.example.com',
    )
    const without = await plumb(['catalog', 'compile', ...one])
    expect(without.stderr).toContain("Unknown variable: 'role'")
  })
})
