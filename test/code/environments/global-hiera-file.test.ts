import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listGlobalDataFolders } from '../../../src/code/environments/global-hiera-file.ts'
import { writeFiles } from '../../support/control-repository.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('global-hiera-file')
const file = join(folder, 'conf/hiera.yaml')
writeFiles(folder, {
  'conf/hiera.yaml': `
version: 5
defaults: {datadir: ../data, data_hash: yaml_data}
hierarchy:
  - {name: absolute, datadir: '${folder}/absolute', path: common.yaml}
  - {name: variable, datadir: '../by/%{nope}x/y', path: variable.yaml}
  - {name: ruby, lookup_key: m::read, path: ruby}
  - {name: common, path: common.yaml}
  - {name: outside, path: ../secret/common.yaml}
`,
  'data/common.yaml': 'a: from data\n',
  'data/ruby/m.txt': 'from Ruby',
  'absolute/common.yaml': 'b: from absolute\n',
  'by/x/y/variable.yaml': 'c: from a variable\n',
  'secret/common.yaml': 'd: from secret\n',
  'modules/m/lib/puppet/functions/m/read.rb': `
Puppet::Functions.create_function(:'m::read') do
  dispatch(:read) { param 'String', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }
  def read(key, options, context)
    file = File.join(options['path'], 'm.txt')
    key == 'm::text' && File.exist?(file) ? File.read(file) : context.not_found
  end
end
`,
})

describe('the data of a global hiera.yaml', () => {
  // The values of Puppet 7.23, but for `d`: it reads each file that a path leads to.
  const expected = ['from data', 'from absolute', 'from a variable', 'from Ruby', 'none']
  const keys = ['a', 'b', 'c', 'm::text', 'd']
  const code = keys.map((key) => `notice(lookup('${key}', Any, first, 'none'))\n`).join('')
  const options = ['--hiera_config', file, '--basemodulepath', join(folder, 'modules'), '--strict', 'warning']
  const environment = join(folder, 'environments/production')
  writeFiles(environment, { 'manifests/site.pp': code })

  it.each([
    ['a manifest', ['apply', '--noop', '-e', code]],
    ['an environment, as on a server', ['catalog', 'compile', '--environmentpath', join(folder, 'environments')]],
  ])('is read from each datadir, also by Ruby functions: %s', async (_, words) => {
    const { stdout, stderr } = await plumb([...words, ...options])
    const values = [...`${stdout}${stderr}`.matchAll(/Scope\(Class\[main\]\): (.*)/g)].map(([, value]) => value)
    expect(values, stderr).toEqual(expected)
  })

  it.each([
    ['no file', undefined, []],
    ['an invalid file', 'version: 5\nhierarchy: 1\n', []],
    ['a datadir of variables', "version: 5\ndefaults: {datadir: '/%{environment}'}\n", []],
    ['no datadir', 'version: 5\n', ['/conf/data']],
  ])('is in no folder that is unknown: %s', (name, text, folders) => {
    if (text !== undefined) writeFiles(folder, { [`conf/${name}.yaml`]: text })
    const found = listGlobalDataFolders(join(folder, `conf/${name}.yaml`))
    expect(found).toEqual(folders.map((each) => `${folder}${each}`))
  })
})
