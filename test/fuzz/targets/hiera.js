import fc from 'fast-check'
import { stringify } from 'yaml'
import { PuppetError } from '../../../dist/base/issue.js'
import { parseHieraConfig } from '../../../dist/compiler/hiera/config.js'
import { createPathClassifier } from '../../../dist/deploy/code-file-roles.js'
import { checkFile } from '../../../dist/deploy/file-check.js'
import { loadSettings } from '../../../dist/machine/settings/settings.js'
import { allowing, must, textOf } from '../target.js'

const settings = loadSettings({
  env: { PLUMB_CONFDIR: '/no-such-folder', PLUMB_VARDIR: '/no-such-folder', HOME: '/no-such-folder' },
})
const context = { settings, moduleFile: () => undefined, ruby: () => [] }

/** What a push brings besides code: hiera.yaml, metadata.json, and the files that both name. @type {import('../target.js').Target} */
export default {
  name: 'hiera',
  seeds: [
    'version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: Nodes, path: "nodes/%{trusted.certname}.yaml"}\n  - {name: More, globs: ["os/*.yaml", "{a,b}/**"], options: {x: 1}}\n  - {name: Mapped, mapped_paths: [names, n, "x/%{n}.yaml"]}\n  - {name: E, lookup_key: eyaml_lookup_key, paths: [a.eyaml], datadir: "d/%{facts.os}"}\n',
    'version: 4\ndatadir: hieradata\nhierarchy:\n  - {name: common, backend: yaml}\n  - {name: j, backend: json, paths: [a, b]}\n',
    '---\n:backends: [yaml]\n:hierarchy: [common]\n',
    '{"name":"a-b","version":"1.0.0","author":"x","license":"y","summary":"z","dependencies":[{"name":"c/d","version_requirement":">= 1.0.0"}]}',
  ],
  dictionary: [
    'version: 5',
    'version: 4',
    'version: 3',
    'hierarchy:',
    'defaults:',
    'default_hierarchy:',
    'data_hash: ',
    'lookup_key: ',
    'data_dig: ',
    'path: ',
    'paths: ',
    'glob: ',
    'globs: ',
    'uri: ',
    'mapped_paths: ',
    'datadir: ',
    'options: ',
    'name: ',
    'yaml_data',
    '%{',
    '}',
    '**',
    '- ',
    '\n',
    '{',
    '[',
    ']',
    ',',
    'hiera3_backend: ',
    '"name":',
  ],
  grammar: fc
    .record({
      version: fc.constantFrom(5, 4, '5'),
      hierarchy: fc.array(
        fc.dictionary(
          fc.constantFrom(
            'name',
            'path',
            'paths',
            'glob',
            'globs',
            'data_hash',
            'lookup_key',
            'datadir',
            'options',
            'mapped_paths',
            'backend',
          ),
          fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })),
        ),
      ),
    })
    .map((config) => stringify(config)),
  // Ten readers, one after the other, and what does not fit is described at length.
  freeMs: 200,
  nsPerByte: 5000,
  run(bytes) {
    const text = textOf(bytes)
    for (const layer of /** @type {const} */ (['global', 'environment', 'module']))
      allowing([PuppetError], () => parseHieraConfig(text, 'hiera.yaml', layer))
    const paths = createPathClassifier(
      undefined,
      new Map([
        ['', text],
        ['modules/a', text],
      ]),
      settings,
    )
    for (const path of ['data/common.yaml', `data/${'a/'.repeat(30)}!.yaml`, 'modules/a/data/x.yaml', 'os/x.yaml'])
      paths.getRole(path)
    for (const role of /** @type {const} */ (['hiera.yaml', 'metadata.json', 'yaml', 'json', 'environment.conf']))
      for (const { message, span } of checkFile({ file: 'f', text }, role, context)) {
        must(typeof message === 'string' && message !== '', `${role}: nothing is said`)
        must(!span || (span.start >= 0 && span.start <= text.length + 1), `${role}: a place outside, ${span?.start}`)
      }
  },
}
