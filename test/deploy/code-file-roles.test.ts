import { describe, expect, it } from 'vitest'
import { createPathClassifier, type Role } from '../../src/deploy/code-file-roles.ts'
import { testSettings } from '../code/environments/settings.ts'

const environmentHiera = `
version: 5
defaults: {datadir: hieradata, data_hash: yaml_data}
hierarchy:
  - {name: nodes, path: "nodes/%{trusted.certname}.yaml"}
  - {name: secrets, lookup_key: eyaml_lookup_key, globs: ["secret/*.eyaml"]}
  - {name: sops, lookup_key: sops_lookup_key, globs: ["sops/*.yaml", "sops/*.env"]}
  - {name: json, data_hash: json_data, paths: [a.json, "b/%{facts.os.name}.json"]}
  - {name: hocon, data_hash: hocon_data, path: h.conf}
  - {name: mapped, mapped_paths: [list, each, "lists/%{each}.yaml"]}
  - {name: own, lookup_key: mine, path: own.yaml, datadir: other}
`
const moduleHiera = 'version: 5\nhierarchy: [{name: os, path: "os/%{facts.os.name}.yaml"}]\n'
const hieras = new Map([
  ['', environmentHiera],
  ['modules/a', moduleHiera],
  ['modules/broken', 'version: 3\n'],
])
const usual = createPathClassifier(undefined, hieras, testSettings())
const other = createPathClassifier(
  'manifest = site.pp\nmodulepath = site:./third-*/modules:/opt/modules\n',
  new Map(),
  testSettings(),
)

describe('what Puppet reads of an environment', () => {
  it.each<[path: string, role: Role | undefined]>([
    ['environment.conf', 'environment.conf'],
    ['hiera.yaml', 'hiera.yaml'],
    ['.gitattributes', 'attributes'],
    ['modules/a/files/.gitattributes', 'attributes'],
    ['policies/rules.yaml', 'policies'],
    ['policies/code/rules.pp', 'manifest'],
    ['rollout.yaml', 'rollout'],
    ['policies/rollout.yaml', 'policies'],
    ['modules/a/rollout.yaml', undefined],
    ['manifests/site.pp', 'manifest'],
    ['manifests/deep/er.pp', 'manifest'],
    ['functions/f.pp', 'manifest'],
    ['plans/p.pp', 'plan'],
    ['hieradata/nodes/n.example.test.yaml', 'yaml'],
    ['hieradata/secret/a.eyaml', 'yaml'],
    ['hieradata/sops/a.yaml', 'sops'],
    ['hieradata/sops/a.env', 'sops'],
    ['hieradata/b/Debian.json', 'json'],
    ['hieradata/lists/one.yaml', 'yaml'],
    ['modules/a/hiera.yaml', 'hiera.yaml'],
    ['modules/a/metadata.json', 'metadata.json'],
    ['modules/a/manifests/b/c.pp', 'manifest'],
    ['modules/a/types/t.pp', 'manifest'],
    ['modules/a/plans/p.pp', 'plan'],
    ['modules/a/templates/deep/x.epp', 'template'],
    ['modules/a/templates/deep/x.erb', 'erb'],
    ['modules/a/lib/puppet/functions/a/f.rb', 'ruby'],
    ['modules/a/lib/puppet/parser/functions/f.rb', 'ruby'],
    ['modules/a/lib/puppet/type/t.rb', 'ruby'],
    ['modules/a/lib/puppet/provider/t/p.rb', 'ruby'],
    ['modules/a/lib/facter/f.rb', 'ruby'],
    ['modules/a/lib/puppet_x/deep/er.rb', 'ruby'],
    ['hieradata/h.conf', 'hocon'],
    ['modules/a/data/os/Debian.yaml', 'yaml'],
    ['modules/b/data/common.yaml', 'yaml'],
    ['modules/broken/data/common.yaml', 'yaml'],
  ])('%s: %s', (path, role) => {
    expect(usual.getRole(path)).toBe(role)
  })

  it.each([
    'README.md',
    'x.pp',
    'data/common.yaml',
    'other/own.yaml',
    'hieradata/nodes/x.pp',
    'hieradata/schema.json',
    '.github/workflows/ci.yml',
    'package.json',
    'metadata.json',
    'templates/x.epp',
    'modules/README.pp',
    'modules/a/environment.conf',
    'modules/a/files/x.yaml',
    'modules/a/files/manifests/x.pp',
    'modules/a/templates/x.yaml',
    'modules/a/templates/x.pp',
    'modules/a/templates/x.json',
    'modules/a/data/common.yaml',
    'modules/a/data/x.pp',
    'modules/a/data/x.json',
    'modules/a/spec/fixtures/hiera.yaml',
    'modules/a/spec/fixtures/modules/b/manifests/init.pp',
    'modules/a/manifests/x.yaml',
    'modules/Bad-name/manifests/init.pp',
  ])('%s is not read', (path) => {
    expect(usual.getRole(path)).toBeUndefined()
  })

  it.each<[path: string, role: Role | undefined]>([
    ['site.pp', 'manifest'],
    ['manifests/site.pp', undefined],
    ['site/a/manifests/init.pp', 'manifest'],
    ['third-party/modules/a/manifests/init.pp', 'manifest'],
    ['modules/a/manifests/init.pp', undefined],
    ['data/common.yaml', 'yaml'],
  ])('by its environment.conf, %s: %s', (path, role) => {
    expect(other.getRole(path)).toBe(role)
  })
})
