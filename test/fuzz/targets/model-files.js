import { PuppetError } from '../../../dist/base/issue.js'
import { modelReaders, rubyTags } from '../../../dist/model/model-readers.js'
import { allowing, must } from '../target.js'

/** Files of models in YAML and MessagePack: refused in words, or the same when written and read again. @type {import('../target.js').Target} */
export default {
  name: 'model-files',
  seeds: [
    '--- !ruby/object:Puppet::Node\nname: web1\nenvironment: production\nclasses:\n- ntp\nparameters:\n  a: 1\n',
    '# by hand\n%YAML 1.1\n--- !ruby/object:Puppet::Node\nname: "w"\nparameters: {a: &a [1.0, ~, "é"], b: *a, <<: {c: :d}}\n',
    'name: web1\nclasses: {ntp: {servers: [a, b]}}\nx: !binary aGk=\n',
    Buffer.from('82a16101a16293c0c3a178', 'hex'),
  ],
  dictionary: [
    '--- ',
    '!ruby/object:Puppet::Node',
    '!ruby/object:',
    '!ruby/sym ',
    '!!str ',
    '!binary ',
    '"<<": ',
    '<<: ',
    '&a ',
    '*a',
    '? ',
    ': ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '\\ud800',
    '1e400',
    '.inf',
    '.nan',
    '0x7fffffffffffffffffff',
  ],
  run(bytes) {
    for (const [read, write] of formats) {
      const json = allowing([PuppetError, SyntaxError], () => modelReaders[read](bytes, rubyTags.node))
      // A model is a hash; anything else is refused by whoever reads it.
      if (json === undefined || json[0] !== 0x7b) continue
      const written = allowing([PuppetError], () => modelReaders[write](json, rubyTags.node))
      if (written === undefined) continue
      const again = modelReaders[read](written, rubyTags.node)
      must(Buffer.compare(again, json) === 0, `written and read: ${Buffer.from(json)}`)
    }
  },
}

/** @type {readonly (readonly ['jsonOfYaml' | 'jsonOfMsgpack', 'yamlOfJson' | 'msgpackOfJson'])[]} */
const formats = [
  ['jsonOfYaml', 'yamlOfJson'],
  ['jsonOfMsgpack', 'msgpackOfJson'],
]
