import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const site = (port: number) => `
define member(Integer $port) { notify { "\${title}:\${port}": } }
define relay { @@member { "relay of \${title}": port => 1 } }
node /^web/ { @@member { $trusted['certname']: port => ${port} } }
node 'hub.test' { @@relay { 'hub': } }
node 'relay.test' { Relay <<| |>> }
node 'lb.test' { Member <<| |>> }
node 'proud.test' {
  Member <<| |>>
  notify { 'needs one': } -> Notify['web1.test:${port}']
}
node default { }
`

describe('a fleet that exports', () => {
  const folder = scratchFolder('fleet')
  const [nodes, output, known] = [join(folder, 'nodes'), join(folder, 'out'), join(folder, 'exports')]
  let code: ControlRepository

  beforeAll(() => {
    code = controlRepository({ 'manifests/site.pp': site(80) })
    code.push({ 'manifests/site.pp': site(81) }, 'feature')
    writeFileSync(nodes, 'lb.test\nproud.test\nrelay.test\nhub.test\nweb2.test\nweb1.test\nidle.test\n')
    mkdirSync(known)
    const old = {
      certname: 'old.test',
      resources: [{ type: 'Member', title: 'old', tags: [], parameters: { port: 8 } }],
    }
    writeFileSync(join(known, 'old.test.json'), JSON.stringify(old))
  })

  const run = (...words: string[]) => plumb(['catalog', ...words, '--repo', code.bare])
  const membersOf = (text: string) =>
    (JSON.parse(text).resources as { type: string; title: string }[])
      .filter(({ type }) => type === 'Member')
      .map(({ title }) => title)

  it('is compiled until every node has what the others export', async () => {
    const compiled = await run('compile', '--storeconfigs', '--vardir', folder, '--nodes', nodes, '--output', output)
    expect([compiled.stderr, compiled.exitCode]).toEqual(['', 0])
    const of = (node: string) => membersOf(readFileSync(join(output, `${node}.json`), 'utf8'))
    expect(of('lb.test')).toEqual(['relay of hub', 'web1.test', 'web2.test'])
    expect(of('proud.test')).toEqual(['relay of hub', 'web1.test', 'web2.test'])
    expect(of('web1.test')).toEqual([])
    expect(existsSync(join(folder, 'server_data'))).toBe(false)
  })

  it('begins with what a server knows, and leaves it as it is', async () => {
    await run('compile', '--exports', known, '--nodes', nodes, '--output', output, '--jobs', '1')
    const members = membersOf(readFileSync(join(output, 'lb.test.json'), 'utf8'))
    expect(members).toEqual(['old', 'relay of hub', 'web1.test', 'web2.test'])
    expect(readdirSync(known)).toEqual(['old.test.json'])
  })

  it('gives the same bytes in whatever order it is compiled', async () => {
    const [forth, back] = [join(folder, 'forth'), join(folder, 'back')]
    const reversed = join(folder, 'reversed')
    writeFileSync(reversed, readFileSync(nodes, 'utf8').trim().split('\n').reverse().join('\n'))
    await run('compile', '--exports', known, '--nodes', nodes, '--output', forth, '--jobs', '2')
    await run('compile', '--exports', known, '--nodes', reversed, '--output', back, '--jobs', '1')
    expect(readdirSync(back)).toEqual(readdirSync(forth))
    for (const name of readdirSync(forth))
      expect(readFileSync(join(back, name), 'utf8')).toBe(readFileSync(join(forth, name), 'utf8'))
  })

  it('is compared between two commits, each with its own exports', async () => {
    const { stdout, exitCode } = await run('diff', 'production', 'feature', '--exports', known, '--nodes', nodes)
    expect(exitCode).toBe(0)
    expect(String(stdout).split('\n')).toEqual([
      '~ lb.test: 2 added, 2 removed, 2 changed',
      '~ proud.test: 2 added, 2 removed, 3 changed',
      '  + Notify[web1.test:81] (2 nodes)',
      '  + Notify[web2.test:81] (2 nodes)',
      '  - Notify[web1.test:80] (2 nodes)',
      '  - Notify[web2.test:80] (2 nodes)',
      '  ~ Member[web1.test]: port (2 nodes)',
      '  ~ Member[web2.test]: port (2 nodes)',
      '  ~ Notify[needs one]: before (1 node)',
      '2 changed, 5 unchanged, 0 failed',
    ])
  })

  it('is not needed for one node, where exports are known', async () => {
    const compiled = await run('compile', '--exports', known, '--node', 'lb.test')
    expect(membersOf(String(compiled.stdout))).toEqual(['old'])
    const compared = await run('diff', 'production', 'feature', '--exports', known, '--node', 'lb.test')
    expect(compared.exitCode).toBe(0)
  })

  it('does not collect without storeconfigs, and says so', async () => {
    const { stdout, stderr } = await run('compile', '--node', 'lb.test')
    expect(membersOf(String(stdout))).toEqual([])
    expect(stderr).toContain('You cannot collect exported resources without storeconfigs being set')
  })

  it('does not take a folder that is not there', async () => {
    const { stderr, exitCode } = await run('compile', '--exports', join(folder, 'no'), '--node', 'lb.test')
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`Could not read exported resources from ${join(folder, 'no')}: it is not a directory`)
  })
})
