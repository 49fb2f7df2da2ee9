import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const site = `node /^web/ { include web }
node /^db/ { include db }
node default { notify { 'nothing': } }
`
const web = `class web (Integer $port = 80) {
  include base
  file { '/etc/web.conf': content => epp('web/web.conf.epp', { 'port' => $port }) }
  file { '/etc/web.d': ensure => directory, source => 'puppet:///modules/web/web.d', recurse => true }
  service { 'web': ensure => running, subscribe => File['/etc/web.conf'] }
}
`
const db = `class db (String $engine) {
  include base
  $size = lookup('db_size', Integer)
  file { '/etc/db.conf': content => template('db/db.conf.erb') }
  db::user { 'admin': level => 3 }
}
`
const base: Edit = {
  'manifests/site.pp': site,
  'modules/base/manifests/init.pp': "class base { package { 'curl': ensure => installed } }\n",
  'modules/web/manifests/init.pp': web,
  'modules/web/templates/web.conf.epp': '<%- | Integer $port | -%>\nlisten <%= $port %>\n',
  'modules/web/files/web.d/a': 'a\n',
  'modules/db/manifests/init.pp': db,
  'modules/db/manifests/user.pp': 'define db::user (Integer[1, 5] $level) { notify { "user ${title} ${level}": } }\n',
  'modules/db/templates/db.conf.erb': 'engine <%= @engine %> <%= @size %>\n',
  'modules/db/functions/double.pp': 'function db::double(Integer $n) >> Integer { $n * 2 }\n',
  'modules/base/lib/puppet/functions/base/up.rb':
    "Puppet::Functions.create_function(:'base::up') do\n  dispatch :up do\n    param 'String', :word\n  end\n\n  def up(word)\n    word.upcase\n  end\nend\n",
  'hiera.yaml': 'version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n',
  'data/all.yaml': 'db::engine: fast\ndb_size: 3\n',
}

const inWeb = (line: string): Edit => ({
  'modules/web/manifests/init.pp': web.replace('include base\n', `include base\n  ${line}\n`),
})
const inDb = (line: string): Edit => ({
  'modules/db/manifests/init.pp': db.replace('include base\n', `include base\n  ${line}\n`),
})
const webLine3 = 'modules/web/manifests/init.pp, line: 3'
const dbLine3 = 'modules/db/manifests/init.pp, line: 3'

/** Commits that break nodes, and what who pushes reads of each: words, place, nodes. */
const broken: Readonly<Record<string, readonly [edit: Edit, ...said: string[]]>> = {
  'an unknown class': [inWeb('include nowhere'), 'Could not find class ::nowhere', webLine3, 'web1.test, web2.test'],
  'an unknown resource type': [inWeb("fiel { '/a': }"), "Unknown resource type: 'fiel'", webLine3, 'web1.test'],
  'an unknown parameter': [
    inWeb("file { '/a': colour => 'red' }"),
    "no parameter named 'colour'",
    webLine3,
    'web1.test',
  ],
  'a value of the wrong type': [
    inDb("db::user { 'a': level => 'high' }"),
    "parameter 'level' expects an Integer",
    'db1.test',
  ],
  'a value out of its range': [inDb("db::user { 'a': level => 9 }"), 'expects an Integer[1, 5]', 'db1.test'],
  'a missing parameter': [inDb("db::user { 'a': }"), "expects a value for parameter 'level'", dbLine3, 'db1.test'],
  'a parameter that a define lacks': [
    inDb("db::user { 'a': level => 1, x => 2 }"),
    "no parameter named 'x'",
    'db1.test',
  ],
  'a duplicate declaration': [
    inWeb("package { 'curl': }"),
    'Duplicate declaration: Package[curl] is already declared',
    'web2.test',
  ],
  'a cycle': [
    inWeb("Notify['a'] -> Notify['b'] -> Notify['a'] notify { ['a', 'b']: }"),
    'Found 1 dependency cycle',
    'web1.test',
  ],
  'a relationship with nothing': [
    inWeb("notify { 'a': require => File['/nowhere'] }"),
    "Could not find resource 'File[/nowhere]'",
    'web1.test',
  ],
  'an unknown function': [inDb('$x = nofunction(1)'), "Unknown function: 'nofunction'", dbLine3, 'db1.test'],
  'too few arguments': [inDb('$x = db::double()'), "'db::double' expects 1 argument, got none", dbLine3, 'db1.test'],
  'an argument of the wrong type': [
    inDb("$x = db::double('a')"),
    'expects an Integer value, got String',
    dbLine3,
    'db1.test',
  ],
  'an unknown variable': [inWeb('$x = $nosuch'), "Unknown variable: 'nosuch'", webLine3, 'web1.test'],
  'a variable that is assigned twice': [inWeb('$port = 3'), "Cannot reassign variable '$port'", webLine3, 'web1.test'],
  'an error of its own': [inWeb("fail('not today')"), 'not today', webLine3, 'web1.test, web2.test'],
  'a division by zero': [inDb('$x = 1 / 0'), 'Division by 0', 'db1.test'],
  'a wrong regular expression': [inDb("$x = 'a' =~ Regexp['(']"), 'unmatched parenthesis', dbLine3, 'db1.test'],
  'a missing file': [inWeb("$x = file('web/nowhere')"), 'Could not find any files from web/nowhere', 'web1.test'],
  'a missing template': [
    inWeb("$x = epp('web/nowhere.epp')"),
    "Could not find template 'web/nowhere.epp'",
    'web1.test',
  ],
  'a file that is gone': [{ 'modules/web/templates/web.conf.epp': undefined }, 'web.conf.epp', 'web1.test'],
  'an error in a template of EPP': [
    { 'modules/web/templates/web.conf.epp': '<%- | Integer $port | -%>\n\nlisten <%= $prot %>\n' },
    "Unknown variable: 'prot'",
    'web.conf.epp',
    'line: 3',
    'web1.test',
  ],
  'a parameter that a template lacks': [
    { 'modules/web/templates/web.conf.epp': '<%- | Integer $number | -%>\nlisten <%= $number %>\n' },
    "no parameter named 'port'",
    'web1.test',
  ],
  'an error in a template of ERB': [
    { 'modules/db/templates/db.conf.erb': 'engine\n<%= @engine.nomethod %>\n' },
    'Failed to parse template db/db.conf.erb',
    'nomethod',
    'db1.test',
  ],
  'data of the wrong type': [
    { 'data/all.yaml': 'db::engine: fast\ndb_size: three\n' },
    'expects an Integer value, got String',
    'db1.test',
  ],
  'data of the wrong type for a class': [
    { 'data/all.yaml': 'db::engine: [fast]\ndb_size: 3\n' },
    "parameter 'engine' expects a String",
    'db1.test',
  ],
  'data that is gone': [
    { 'data/all.yaml': 'db::engine: fast\n' },
    "did not find a value for the name 'db_size'",
    'db1.test',
  ],
  'a parameter without its data': [
    { 'data/all.yaml': 'db_size: 3\n' },
    "expects a value for parameter 'engine'",
    'db1.test',
  ],
  'a function of Ruby that fails': [inWeb("$x = base::up('a')\n$y = base::up(3)"), "'base::up'", 'web1.test'],
  'a class that is gone': [
    { 'modules/base/manifests/init.pp': undefined },
    'Could not find class ::base',
    'db1.test',
    'web1.test',
  ],
  'a class of another name': [{ 'modules/base/manifests/init.pp': 'class bsae { }\n' }, 'base', '3 nodes'],
  'a node that no statement is for': [
    { 'manifests/site.pp': site.replace(/^node default.*\n/m, '').replace('/^db/', '/^xdb/') },
    'Could not find node statement',
    'db1.test',
  ],
  'a hierarchy of another version': [{ 'hiera.yaml': 'version: 9\n' }, 'hiera.yaml'],
  'a backend that is not there': [
    { 'hiera.yaml': 'version: 5\nhierarchy:\n  - name: all\n    lookup_key: nobackend\n' },
    'nobackend',
    'db1.test',
  ],
  'a manifest that does not parse': [inWeb('notify {'), 'Syntax error', 'modules/web/manifests/init.pp, line: 4'],
  'a template of EPP that does not parse': [
    { 'modules/web/templates/web.conf.epp': '<% if true { %>' },
    'web.conf.epp',
  ],
  'a template of ERB that does not parse': [{ 'modules/db/templates/db.conf.erb': '<% if true %>\n' }, 'db.conf.erb'],
  'data that does not parse': [{ 'data/all.yaml': 'a: [1\n' }, 'data/all.yaml'],
  'a hiera.yaml that does not parse': [{ 'hiera.yaml': 'version: [5\n' }, 'hiera.yaml'],
  'an environment.conf that does not parse': [
    { 'environment.conf': 'modulepath = modules\n{{{\n' },
    'Could not match line {{{ (file: environment.conf, line: 2, column: 1)',
  ],
  'a modulepath that leads elsewhere': [
    { 'environment.conf': 'modulepath = /elsewhere\n' },
    'Could not find class ::db',
    'Could not find class ::web',
    'web1.test, web2.test',
  ],
  'a metadata.json that does not parse': [
    { 'modules/base/metadata.json': '{"name": "x-base",\n' },
    'Could not parse JSON: ',
    '(file: modules/base/metadata.json, line: 2, column: 1)',
  ],
  'a metadata.json that is no object': [
    { 'modules/base/metadata.json': '[]' },
    'metadata.json must be an object (file: modules/base/metadata.json, line: 1, column: 1)',
  ],
  "a collector's override that fails": [
    inWeb("Package<| title == 'curl' |> { colour => 'red' }"),
    "no parameter named 'colour'",
    'on Package[curl]',
    'web1.test, web2.test',
  ],
  "a collector's override of what is set": [
    inWeb("Package<| title == 'nothing' |> { ensure => absent } Package['curl'] { ensure => absent }"),
    'web1.test',
  ],
  'exported resources of the same name': [
    {
      ...inWeb("@@notify { 'same': tag => 'shared' }"),
      'modules/db/manifests/init.pp': db.replace('include base\n', "include base\n  Notify<<| tag == 'shared' |>>\n"),
    },
    'duplicate resource was found while collecting exported resources',
    'Notify[same]',
    'db1.test',
  ],
  'an interpolation without end': [
    { 'data/all.yaml': 'db::engine: "%{lookup(\'db::engine\')}"\ndb_size: 3\n' },
    'Recursive lookup',
    'db1.test',
  ],
}

const nodes = {
  'web1.test': { role: 'web' },
  'web2.test': { role: 'web' },
  'db1.test': { role: 'db' },
  'other.test': { role: 'none' },
}
let world: GateWorld
beforeAll(() => {
  world = new GateWorld(scratchFolder('gate'), base, nodes, ['--storeconfigs'])
})
afterEach(() => world.reset())

describe('a push by which nodes would have no catalog', () => {
  it.each(Object.entries(broken))('is refused: %s', async (_, [edit, ...words]) => {
    const before = world.at()
    world.commit(edit)
    const { status, said } = await world.push()
    for (const word of words) expect(said).toContain(word)
    expect(said).toContain('pre-receive hook declined')
    expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
  })

  it.each(['/etc/hosts', '../../../../outside.epp', '../../../nowhere.epp', '../templates', 'web.conf.epp'])(
    'is refused: a template that is a link to %s',
    async (target) => {
      const before = world.at()
      writeFileSync(join(world.folder, 'outside.epp'), 'secret')
      const path = join(world.work, 'modules/web/templates/web.conf.epp')
      rmSync(path)
      symlinkSync(target, path)
      world.commit({})
      const { status, said } = await world.push()
      expect(said).toContain("Could not find template 'web/web.conf.epp'")
      expect(said).toContain('web1.test, web2.test')
      expect(said).not.toMatch(/secret|localhost/)
      expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
    },
  )
})
