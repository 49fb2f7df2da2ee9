import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const site = (text: string) => `
node /bad/ { fail('no such') }
node default { notify { "for \${facts['role']}": message => "${text}" } }
`

describe('a fleet', () => {
  const folder = scratchFolder('fleet')
  const [nodes, facts, output] = [join(folder, 'nodes'), join(folder, 'facts'), join(folder, 'out')]
  let code: ControlRepository
  let first = ''

  beforeAll(() => {
    code = controlRepository({ 'manifests/site.pp': site('one') })
    first = code.git('rev-parse', 'HEAD')
    code.push({ 'manifests/site.pp': site('two') })
    mkdirSync(facts)
    writeFileSync(nodes, 'a.example.com\nbad.example.com # broken\n\nb.example.com\na.example.com\n')
    writeFileSync(join(facts, 'a.example.com.json'), '{"role": "web"}')
    writeFileSync(join(facts, 'b.example.com.yaml'), 'role: db\n')
    writeFileSync(join(facts, 'bad.example.com.yaml'), 'role: db\n')
  })

  const fleet = () => ['--nodes', nodes, '--facts-dir', facts, '--repo', code.bare, '--jobs', '2']

  it('is compiled, node by node, and who fails is named', async () => {
    const { stdout, stderr, exitCode } = await plumb(['catalog', 'compile', ...fleet(), '--output', output])
    expect(exitCode).toBe(1)
    expect(String(stderr)).toMatch(/^bad\.example\.com: .*no such .*\/etc\/plumb\/code\/environments\/production\//)
    expect(String(stderr)).toMatch(/\n {2}In production@[0-9a-f]{7}:manifests\/site\.pp, line 2\.$/)
    expect(String(stdout)).toMatch(/^2 of 3 catalogs compiled in environment production at [0-9a-f]{40}$/)
    const catalog = JSON.parse(readFileSync(join(output, 'b.example.com.json'), 'utf8'))
    expect(catalog.resources.map((each: { title: string }) => each.title)).toContain('for db')
    expect(existsSync(join(output, 'bad.example.com.json'))).toBe(false)
  })

  it('has a summary as JSON, and waits for its catalogs without a limit too', async () => {
    const words = [...fleet(), '--render-as', 'json', '--compile_timeout', '0']
    const { stdout } = await plumb(['catalog', 'compile', ...words])
    const { failed, nodes: each } = JSON.parse(String(stdout))
    expect([failed, each.map((one: { node: string }) => one.node)]).toEqual([
      1,
      ['a.example.com', 'bad.example.com', 'b.example.com'],
    ])
    expect(each[1].hint).toMatch(/^In production@[0-9a-f]{7}:manifests\/site\.pp, line 2\.$/)
  })

  it('is compared between two commits', async () => {
    const { stdout, exitCode } = await plumb(['catalog', 'diff', first, 'production', ...fleet()])
    const lines = String(stdout).split('\n')
    expect(exitCode).toBe(1)
    expect(lines).toContain(`!   In ${first.slice(0, 7)}:manifests/site.pp, line 2.`)
    expect(lines.filter((line) => !line.startsWith('!'))).toEqual([
      '~ a.example.com: 0 added, 0 removed, 1 changed',
      '~ b.example.com: 0 added, 0 removed, 1 changed',
      '  ~ Notify[for db]: message (1 node)',
      '  ~ Notify[for web]: message (1 node)',
      '2 changed, 0 unchanged, 1 failed',
    ])
    const detailed = await plumb(['catalog', 'diff', first, 'production', ...fleet(), '--detailed-exitcodes'])
    expect(detailed.exitCode).toBe(6)
  })

  it('leaves no part of a catalog that cannot be written', async () => {
    const full = join(folder, 'full')
    mkdirSync(join(full, 'a.example.com.json'), { recursive: true })
    const { stderr, exitCode } = await plumb(['catalog', 'compile', ...fleet(), '--output', full])
    expect([exitCode, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^Error: Could not write \S+\/full\/a\.example\.com\.json: Is a directory/),
    ])
    expect(existsSync(join(full, 'a.example.com.json.new'))).toBe(false)
  })

  it('refuses names that are no names, and files that are not there', async () => {
    const wrong = join(folder, 'wrong')
    writeFileSync(wrong, '../escape\n')
    const names = await plumb(['catalog', 'compile', '--nodes', wrong, '--repo', code.bare])
    expect([names.exitCode, names.stdout]).toEqual([1, ''])
    const absent = await plumb(['catalog', 'compile', '--nodes', join(folder, 'nope'), '--repo', code.bare])
    expect(absent.stderr).toContain('Could not read nodes from')
  })
})
