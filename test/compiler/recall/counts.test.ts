import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CompileEnvironment } from '../../../src/code/environments/compile-environment.ts'
import { openEnvironmentDirectory } from '../../../src/code/environments/environment-opener.ts'
import type { CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Beside, committed, requestOf } from './worlds.ts'

const site = `
function greeting() { 'good day' }
class base { notify { greeting(): } }
node 'a.test' {
  include base
  notify { [demo::one(), "tier \${tier}", "role \${trusted['extensions']['pp_role']}"]: }
}
node 'b.test' { notify { 'b': } }
class unused { notify { 'unused': } }
`
const rubyFunction = (name: string, text: string) =>
  `Puppet::Functions.create_function(:'demo::${name}') { define_method(:${name}) { '${text}' }; dispatch(:${name}) {} }\n`
const files = {
  'manifests/site.pp': site,
  'modules/demo/lib/puppet/functions/demo/one.rb': rubyFunction('one', '1'),
  'modules/demo/lib/puppet/functions/demo/two.rb': rubyFunction('two', '2'),
  'modules/demo/lib/puppet_x/demo.rb': 'module PuppetX; end\n',
}

const root = scratchFolder('counts')
const withParameters = (parameters: Record<string, string>) => ({
  ...requestOf(environment, 'a.test').node,
  parameters,
})
const nodeOf = (tier: string, owner: string) => withParameters({ tier, owner })
const trustedOf = (extensions: Record<string, string>) => ({
  ...buildTrustedFacts({ authenticated: 'local', certname: 'a.test' }),
  extensions: { pp_role: 'web', pp_region: 'north', ...extensions },
})
let environment: CompileEnvironment
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
  ;({ environment } = await openEnvironmentDirectory({ directory: root, name: 'counts' }, settings))
})

type Changed = Readonly<Record<string, string>>
const edited = (from: string, to: string): Changed => ({ 'manifests/site.pp': site.replace(from, to) })

describe('a catalog is compiled again where it may be another one', () => {
  it.each<[string, 'recalled' | 'compiled', Changed, (() => Partial<CompileRequest>)?]>([
    ['nothing', 'recalled', {}],
    ["another node's block", 'recalled', edited("notify { 'b': }", "notify { 'of b': }")],
    ['its own block', 'compiled', edited('tier $', 'the tier $')],
    ['a class of the site that is not in it', 'recalled', edited("{ 'unused': }", "{ 'not used': }")],
    ['a class of the site', 'compiled', edited('notify { greeting(): }', "notify { 'x': }")],
    ['a function of the site', 'compiled', edited('good day', 'good night')],
    ['the lines of its own block', 'compiled', edited("node 'a", "\nnode 'a")],
    ['the lines below its own block', 'recalled', edited("node 'b", "\nnode 'b")],
    ['a new class of the site', 'compiled', edited('class unused', 'class new {}\nclass unused')],
    ['a statement for all nodes', 'compiled', edited('class unused', "notify { 'all': }\nclass unused")],
    [
      'a function in Ruby',
      'compiled',
      { 'modules/demo/lib/puppet/functions/demo/one.rb': rubyFunction('one', 'another') },
    ],
    [
      'a function in Ruby that nobody calls',
      'recalled',
      { 'modules/demo/lib/puppet/functions/demo/two.rb': rubyFunction('two', 'another') },
    ],
    [
      'Ruby that any function may need',
      'compiled',
      { 'modules/demo/lib/puppet_x/demo.rb': 'module PuppetX; X = 1; end\n' },
    ],
    ['a provider', 'recalled', { 'modules/demo/lib/puppet/provider/demo/ruby.rb': '# for agents\n' }],
    ['a fact in Ruby', 'recalled', { 'modules/demo/lib/facter/demo.rb': '# for agents\n' }],
    ['a parameter of the node', 'compiled', {}, () => ({ node: nodeOf('other', 'me') })],
    ['a parameter of the node that nobody reads', 'recalled', {}, () => ({ node: nodeOf('front', 'you') })],
    ['another parameter of the node', 'recalled', {}, () => ({ node: withParameters({ tier: 'front', floor: '2' }) })],
    [
      'a parameter of the node that hides a fact',
      'compiled',
      {},
      () => ({ node: withParameters({ tier: 'front', timezone: 'x' }) }),
    ],
    [
      'a remark in a function in Ruby',
      'compiled',
      {
        'modules/demo/lib/puppet/functions/demo/one.rb': `${rubyFunction('one', '1')}# a remark\n`,
      },
    ],
    ['trusted data', 'compiled', {}, () => ({ trusted: trustedOf({ pp_role: 'db' }) })],
    ['trusted data that nobody reads', 'recalled', {}, () => ({ trusted: trustedOf({ pp_region: 'south' }) })],
  ])('%s', (_, origin, changed, more) => {
    const beside = new Beside()
    const given = { node: nodeOf('front', 'me'), trusted: trustedOf({}) }
    expect(beside.compare(requestOf(committed(environment, new Map()), 'a.test', given))).toBeUndefined()
    const edits = new Map(Object.entries(changed).map(([path, text]) => [join(root, path), text]))
    const wanted = requestOf(committed(environment, edits), 'a.test', { ...given, ...more?.() })
    expect(beside.compare(wanted)).toBeUndefined()
    expect(beside.counts).toMatchObject({ recalled: origin === 'recalled' ? 1 : 0, failed: 0 })
  })
})
