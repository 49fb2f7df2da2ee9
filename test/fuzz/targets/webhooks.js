import { readSources } from '../../../dist/deploy/sources/sources-file-parser.js'
import { matchSources } from '../../../dist/server/webhooks/source-matching.js'
import { vendors } from '../../../dist/server/webhooks/vendors.js'
import { must, textOf } from '../target.js'

const defaults = { intervalMs: 1, timeoutMs: 1, maxBytes: 1, webhookSecretFile: undefined }
const { sources } = readSources(
  'sources: {a: {remote: "https://git.example.com/puppet/control.git"}, b: {remote: "git@git.example.com:Puppet/Other"}}',
  'r10k.yaml',
  defaults,
)

/** A webhook's body, after its proof: the sources that it names, if any. @type {import('../target.js').Target} */
export default {
  name: 'webhooks',
  seeds: [
    '{"repository":{"full_name":"puppet/control","clone_url":"https://git.example.com/puppet/control.git","ssh_url":"git@git.example.com:puppet/control.git"}}',
    '{"project":{"path_with_namespace":"puppet/other","git_http_url":"http://x/puppet/other.git"}}',
    '{"repository":{"slug":"control","project":{"key":"PUPPET"},"links":{"clone":[{"href":"ssh://git@h:7999/puppet/control.git"}],"html":{"href":"https://h/puppet/control"}}}}',
  ],
  dictionary: [
    '"repository"',
    '"project"',
    '"links"',
    '"clone"',
    '"href"',
    '"full_name"',
    '"__proto__"',
    'null',
    '[',
    ']',
    '{',
    '}',
    ':',
    '/',
    '.git',
    '::',
    '%2e',
    '\\u0000',
    '1e9',
  ],
  run(bytes) {
    let payload
    try {
      payload = JSON.parse(textOf(bytes))
    } catch {
      return
    }
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return
    for (const vendor of Object.values(vendors)) {
      const found = matchSources(vendor.places(payload), sources)
      must(found.every((each) => sources.includes(each)) && new Set(found).size === found.length, 'another source')
    }
  },
}
