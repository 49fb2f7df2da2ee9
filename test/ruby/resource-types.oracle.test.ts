import { join } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import type { CompileEnvironment } from '../../src/code/environments/compile-environment.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import type { NativeType } from '../../src/compiler/code/native-types.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'

const modulepath = [debianModules]

/** What real Puppet fails to load: a provider of the type, which a server here never loads. */
const needProviders = ['a2mod', 'sahara_cluster_template', 'sahara_node_group_template']

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`types of Debian's modules, beside real Puppet${lacking}`, () => {
  const environment = openCommandLineCode({ name: 'production', modulepath, manifest: undefined })
  const names = [...new Set(environment.modulepath.flatMap(typeNames))].sort()
  let theirs: Record<string, ExactJson> = {}

  beforeAll(() => {
    const script = join(import.meta.dirname, '../oracle/types.rb')
    const { stdout } = execaSync('ruby', [script], { input: JSON.stringify({ modulepath, types: names }) })
    theirs = JSON.parse(stdout)
  })

  it('have the same attributes, namevars, values and title patterns', () => {
    const { types } = beginCompilation(requestOf(environment), [])
    const ours = Object.fromEntries(names.map((name) => [name, plain(types.native(name)!)]))
    expect(names.length).toBeGreaterThan(200)
    for (const name of needProviders) {
      expect(theirs[name]).toHaveProperty('error')
      delete theirs[name]
      delete ours[name]
    }
    expect(ours).toEqual(theirs)
  })
})

function requestOf(environment: CompileEnvironment): CompileRequest {
  const facts = { os: { family: 'Debian', name: 'Debian', release: { major: '12' } } }
  return plainRequest(environment, { facts, trusted: { certname: 'n1' } })
}

function typeNames({ tree, path }: CompileEnvironment['modulepath'][number]): string[] {
  return tree
    .list(path)
    .flatMap((module) => tree.list(`${path === '' ? '' : `${path}/`}${module}/lib/puppet/type`))
    .filter((file) => file.endsWith('.rb'))
    .map((file) => file.slice(0, -3))
}

/** In the words of test/oracle/types.rb. */
function plain({ parameters, properties, namevars, values, isomorphic, titlePatterns }: NativeType): ExactJson {
  const whole = { pattern: '/(.*)/m', parts: namevars }
  const patterns =
    titlePatterns?.map(({ pattern, parts }) => ({
      pattern: inRuby(pattern.source),
      parts: parts.map(({ attribute }) => attribute),
    })) ?? (namevars.length === 1 ? [whole] : undefined)
  return {
    parameters: [...parameters],
    properties: [...properties],
    namevars: [...namevars],
    values: Object.fromEntries(values) as ExactJson,
    isomorphic,
    patterns:
      patterns?.map((each) => [each.pattern, [...each.parts]]) ??
      'you must specify title patterns when there are two or more key attributes',
  }
}

/** `(?m-ix:x)`, as options cross, is `/x/m`. */
function inRuby(source: string): string {
  const [, flags = '', text = source] = /^\(\?([mix]*)(?:-[mix]*)?:(.*)\)$/s.exec(source) ?? []
  return `/${text.replace(/\\[\s\S]|\//g, (found) => (found === '/' ? '\\/' : found))}/${flags}`
}
