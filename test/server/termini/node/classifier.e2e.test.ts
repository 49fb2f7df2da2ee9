import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatExactJson } from '../../../../src/base/json/json-text.ts'
import { openDirectoryEnvironments } from '../../../../src/code/environments/directory-environments.ts'
import { CompilePool } from '../../../../src/compiler/workers/compile-pool.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { toFactsDocument } from '../../../../src/model/facts.ts'
import { CatalogSeal } from '../../../../src/server/sealing/catalog-seal.ts'
import { buildServices } from '../../../../src/server/services/build-services.ts'
import type { Services } from '../../../../src/server/services/services.ts'
import { asksProgram, recordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** Two environments. In `production`, `a` takes parameters and `b` uses one of the top scope. */
const code: Readonly<Record<string, string>> = {
  'production/manifests/site.pp':
    "notice('main')\n$here = 'main'\nnode default {\n  notice('node')\n  notify { 'of the node': }\n}\n",
  'production/modules/a/manifests/init.pp':
    "class a($p = 'none', Integer $n = 1) {\n  notice(\"a ${p.convert_to(String, '%p')} ${n}\")\n}\n",
  'production/modules/a/manifests/sub.pp': 'class a::sub($q = \'none\') {\n  notice("a::sub ${q}")\n}\n',
  'production/modules/b/manifests/init.pp':
    "class b($v = $role) {\n  notice(\"b ${v.convert_to(String, '%p')} ${environment} ${facts['hostname']}\")\n}\n",
  'other/manifests/site.pp': 'notify { "${environment} ${x}": }\n',
}
const facts = { hostname: 'n', os: { family: 'Debian' } }

const table = join(import.meta.dirname, 'classifiers.cases')
const cases = readFileSync(table, 'utf8')
  .split('\n')
  .flatMap((line, index) => {
    const [yaml, expected] = line.split(' ==> ')
    return line.startsWith('#') || expected === undefined ? [] : [{ index, yaml: yaml!, expected }]
  })

/** What Puppet finds out by calling a method that the value does not have, we say. */
const refused: readonly (readonly [yaml: string, reason: string])[] = [
  ['- a', 'the output must be a hash, not a value of the class Array'],
  ['abc', 'the output must be a hash, not a value of the class String'],
  ['~', 'the output must be a hash, not a value of the class NilClass'],
  [
    'classes: a',
    'classes must be an array of names, or a hash of names and their parameters, not a value of the class String',
  ],
  ['classes: [~]', 'a class name must be a string, not a value of the class NilClass'],
  ['classes: [[b]]', 'a class name must be a string, not a value of the class Array'],
  ['classes: {a: 3}', 'the parameters of a must be a hash, not a value of the class Integer'],
  ['classes: {a: [1]}', 'the parameters of a must be a hash, not a value of the class Array'],
  ['parameters: web', 'parameters must be a hash, not a value of the class String'],
  ['environment: 3', 'environment must be a name, not a value of the class Integer'],
  ['parameters: {role: 2020-01-01}', '(<unknown>): Tried to load unspecified class: Date'],
  [
    `a: &a [${'x,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: &c [${'*b,'.repeat(99)}]\nd: [${'*c,'.repeat(99)}]`,
    'aliases expand to too many values',
  ],
]

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

describe('an external node classifier', () => {
  const folder = scratchFolder('classifiers')
  const environments = join(folder, 'environments')
  const external = join(folder, 'enc')
  const nodeOf = (index: number) => `n${index}.test`
  let real: readonly string[] = []
  let services: Services
  let pool: CompilePool

  beforeAll(async () => {
    write('enc', '#!/bin/sh\ncat "$(dirname "$0")/$1.yaml"\n')
    chmodSync(external, 0o755)
    for (const [path, text] of Object.entries(code)) write(`environments/${path}`, text)
    for (const { index, yaml } of cases) write(`${nodeOf(index)}.yaml`, `${yaml.replaceAll('⏎', '\n')}\n`)
    if (asksProgram) real = askPuppet()
    if (process.env['UPDATE'] === '1') update()
    pool = new CompilePool({ size: 1, timeout: 300, maxQueued: 0 })
    services = await ourServices()
  })
  afterAll(async () => {
    await pool.close()
  })

  it.each(cases)('$yaml', async ({ index, expected }) => {
    expect(await ourAnswer(nodeOf(index))).toBe(expected)
  })

  it('has the effect that it has in real Puppet', () => {
    const otherwise = puppet.one('the cases it answers otherwise', [code, facts, cases], () =>
      cases.filter(({ expected }, position) => real[position] !== expected),
    )
    expect(otherwise).toEqual([])
  })

  it.each(refused)('%s is refused', async (yaml, reason) => {
    write('refused.test.yaml', `${yaml}\n`)
    const said = 'Failed when searching for node refused.test: Could not load external node results for refused.test: '
    expect(await ourAnswer('refused.test')).toContain(said)
    expect(await ourAnswer('refused.test')).toContain(reason)
  })

  it('is not told more than once that it hides a fact', async () => {
    write('once.test.yaml', 'parameters: {hostname: h}\n')
    expect(await ourAnswer('once.test')).toContain("'hostname' for node 'n.test' was already set to 'h'")
    expect(await ourAnswer('once.test')).not.toContain('hostname')
  })

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  const logs: string[] = []

  async function ourServices(): Promise<Services> {
    const given = {
      confdir: join(folder, 'etc'),
      vardir: join(folder, 'var'),
      environmentpath: environments,
      basemodulepath: '',
      node_terminus: 'exec',
      store: 'none',
      external_nodes: external,
    }
    const settings = loadSettings({ given, runMode: 'server', env: {} })
    return buildServices({
      settings,
      system: localSystem,
      environments: openDirectoryEnvironments(settings),
      pool,
      seal: new CatalogSeal({ settings, system: localSystem, authority: undefined, say: () => {} }),
      serverFacts: {},
      logCompile: ({ level, message }) => void logs.push(`${level}: ${message}`),
      logReport: () => {},
      logPlugIn: () => {},
      warn: () => {},
    })
  }

  async function ourAnswer(name: string): Promise<string> {
    logs.length = 0
    const sent = toFactsDocument({ name, values: facts, timestamp: undefined, expiration: undefined })
    const request = {
      key: name,
      node: name,
      environment: 'production',
      facts: sent,
      rich: true,
      trusted: { authenticated: 'remote' as const, extensions: {} },
      static: false,
      checksumTypes: undefined,
      checkEnvironment: false,
    }
    try {
      const found = await services.catalog.find(request)
      return outcome(JSON.parse(Buffer.from(found!.body).toString('utf8')), logs)
    } catch (error) {
      return shown(`! ${(error as Error).message}`)
    }
  }

  function askPuppet(): string[] {
    const questions = cases.map(({ index }) => ({
      environment: join(environments, 'production'),
      node: nodeOf(index),
      facts,
      classifier: external,
    }))
    const { stdout } = execaSync('ruby', [join(import.meta.dirname, '../../../oracle/compile.rb')], {
      input: questions.map((each) => formatExactJson(each)).join('\n'),
    })
    return stdout.split('\n').map((line) => {
      const answer = JSON.parse(line)
      const said = answer.logs.map(([level, message]: [string, string]) => `${level}: ${message}`)
      return answer.error === undefined ? outcome(answer.catalog, said) : shown(`! ${answer.error}`)
    })
  }

  function outcome(catalog: Record<string, unknown>, said: readonly string[]): string {
    const resources = catalog['resources'] as readonly { readonly type: string; readonly title: string }[]
    const notifies = resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)
    const parts = [catalog['environment'], (catalog['classes'] as string[]).join(' '), ...said, ...notifies]
    return shown(parts.join(' | '))
  }

  function shown(text: string): string {
    return text
      .replaceAll(environments, '')
      .replace(/anywhere in the path: \S*/, 'anywhere in the path: …')
      .replaceAll(/\b(n\d+|once)\.test/g, 'n.test')
      .replaceAll('\n', '⏎')
  }

  function update(): void {
    const lines = readFileSync(table, 'utf8').split('\n')
    for (const [position, { index, yaml }] of cases.entries()) lines[index] = `${yaml} ==> ${real[position]}`
    writeFileSync(table, lines.join('\n'))
  }
})
