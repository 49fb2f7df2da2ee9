import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('code-coverage')
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const nodes = write('nodes', 'n1 # a node\nn2\n')
write('n1.yaml', 'role: web\n')
write('n2.yaml', 'role: db\n')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]

const code = controlRepository({
  'manifests/site.pp': `include "m::\${facts['role']}"
m::d { 'x': }
file { '/f': content => file('m/f.txt') }
file { '/h': source => 'puppet:///modules/m/dir', recurse => true }
$plain = lookup('plain')
`,
  'hiera.yaml': `version: 5
hierarchy:
  - {name: Secrets, lookup_key: eyaml_lookup_key, path: e.eyaml, datadir: data}
  - {name: Common, path: 'c.yaml', datadir: 'data/%{environment}', data_hash: yaml_data}
`,
  'data/production/c.yaml': 'plain: "%{lookup(\'asked\')}"\nasked: 1\nother: 2\nlookup_options: {}\n',
  'data/e.eyaml': 'plain2: 1\n',
  'modules/m/manifests/init.pp': 'class m { }\n',
  'modules/m/manifests/web.pp': "class m::web($p, String $q = m::fn()) {\n  notify { template('m/t.erb'): }\n}\n",
  'modules/m/manifests/db.pp': "class m::db(M::T $t = 'x') inherits m::base { notify { epp('m/t.epp'): } }\n",
  'modules/m/manifests/base.pp': 'class m::base { }\n',
  'modules/m/manifests/d.pp': 'define m::d() { }\ndefine m::d::in_it() { }\n',
  'modules/m/manifests/broken.pp': 'class m::broken {\n',
  'modules/m/functions/fn.pp': "function m::fn() { 'v' }\n",
  'modules/m/functions/not_called.pp': 'function m::not_called() { 1 }\n',
  'modules/m/types/t.pp': 'type M::T = String\n',
  'modules/m/types/u.pp': 'type M::U = String\n',
  'modules/m/templates/t.erb': 'x',
  'modules/m/templates/t.epp': 'y',
  'modules/m/templates/sub/never.epp': 'z',
  'modules/m/files/f.txt': 'f',
  'modules/m/files/dir/sub/two.txt': '2',
  'modules/m/files/never.txt': 'n',
  'modules/m/hiera.yaml': 'version: 5\nhierarchy: [{name: D, path: d.yaml, datadir: data, data_hash: yaml_data}]\n',
  'modules/m/data/d.yaml': '# data\nm::web::p: 1\nm::web::old: 2\n',
  'modules/other/manifests/init.pp': 'class other { }\n',
})

const coverage = (...words: string[]) =>
  runHere(['code', 'coverage', '--repo', code.bare, '--nodes', nodes, '--facts-dir', folder, ...places, ...words])

describe('plumb code coverage', () => {
  it('lists what no node uses, and how much of each module some node does', async () => {
    expect(await coverage()).toEqual({
      status: 0,
      out: `environment: 2 of 4, 50 % (data key 2/4)
  data key other  data/production/c.yaml:3
  data key plain2  data/e.eyaml:1
m: 11 of 18, 61 % (class 3/4, define 1/2, function 1/2, type alias 1/2, template 2/3, file 2/3, data key 1/2)
  class m  modules/m/manifests/init.pp:1
  define m::d::in_it  modules/m/manifests/d.pp:2
  function m::not_called  modules/m/functions/not_called.pp:1
  type alias M::U  modules/m/types/u.pp:1
  template m/sub/never.epp  modules/m/templates/sub/never.epp
  file m/never.txt  modules/m/files/never.txt
  data key m::web::old  modules/m/data/d.yaml:3
other: 0 of 1, 0 % (class 0/1)
  class other  modules/other/manifests/init.pp:1
2 nodes (0 from traces) use 13 of 23, 56 %
`,
      err: '',
    })
  })

  it('gives the same of one module to programs', async () => {
    const { status, out } = await coverage('--module', 'other', '--render-as', 'json')
    expect({ status, answer: JSON.parse(out) }).toEqual({
      status: 0,
      answer: {
        environment: 'production',
        code_id: code.git('rev-parse', 'HEAD'),
        nodes: 2,
        from_traces: 0,
        failed: [],
        modules: [{ module: 'other', used: 0, all: 1, kinds: { class: { used: 0, all: 1 } } }],
        unused: [{ kind: 'class', name: 'other', module: 'other', path: 'modules/other/manifests/init.pp', line: 1 }],
      },
    })
  })

  it('names the nodes that have no catalog', async () => {
    const broken = write('broken', 'n1\nn3\n')
    write('n3.yaml', 'role: broken\n')
    const { status, out, err } = await coverage('--nodes', broken)
    expect(status).toBe(1)
    expect(out).toContain('2 nodes (0 from traces, 1 failed to compile) use 9 of 23')
    expect(err).toMatch(/^n3: .*on node n3/)
  })

  it.each([
    [['--module', 'othr'], "Could not find module 'othr'", "Did you mean 'other'?"],
    [['--module', '__proto__'], "Could not find module '__proto__'", ''],
  ])('refuses %j', async (words, message, hint) => {
    const { status, err } = await coverage(...words)
    expect(status).toBe(1)
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })

  it('says what to give where no nodes are known', async () => {
    const { status, err } = await runHere(['code', 'coverage', '--repo', code.bare, ...places])
    expect(status).toBe(1)
    expect(err).toContain('No nodes found')
  })
})
