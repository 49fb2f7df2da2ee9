import { PuppetError } from '../../../dist/base/issue.js'
import { isInAutosignList } from '../../../dist/ca/autosign.js'
import { parseInventory } from '../../../dist/ca/inventory.js'
import { parseCustomOids } from '../../../dist/ca/x509/custom-oids.js'
import { parseRoutes } from '../../../dist/model/indirector/routes.js'
import { parseCsrAttributes } from '../../../dist/node/agent/ssl/host-request.js'
import { allowing, must, textOf } from '../target.js'

/** Small files of the authority and the agent: inventory, autosign, csr_attributes, custom names, routes. @type {import('../target.js').Target} */
export default {
  name: 'state-files',
  seeds: [
    '0x0001 2026-11-20T10:56:11UTC 2031-11-20T10:56:11UTC /CN=ca\n0x00FF x y /CN=web1.example.com',
    '# names\nweb1.example.com\n*.example.com # all\n*\n',
    'custom_attributes:\n  1.2.840.113549.1.9.7: secret\nextension_requests:\n  pp_role: web\n  1.3.6.1.4.1.34380.1.2.1: "é"\n',
    'oid_mapping:\n  1.3.6.1.4.1.34380.1.2.1:\n    shortname: "short"\n    longname: "Long name"\n',
    'master:\n  facts:\n    terminus: json\n    cache: yaml\nagent: {catalog: {cache: json}}\n',
  ],
  dictionary: [
    '0x',
    '0001 ',
    'UTC ',
    '/CN=',
    '*.',
    '*',
    '#',
    '\n',
    'custom_attributes:',
    'extension_requests:',
    'pp_',
    '1.2.3',
    'oid_mapping:',
    'shortname:',
    'longname:',
    'terminus:',
    'cache:',
    'master:',
    ': ',
    '{',
    '}',
    '&a',
    '*a',
    '2.999',
    '4294967296',
    '__proto__:',
    '<<:',
  ],
  // The `yaml` library reads it three times, words each error with the line that it is in, and goes through all open
  // brackets for each new one; these files are the operator's own.
  nsPerByte: 100_000,
  run(bytes) {
    const text = textOf(bytes)
    for (const { serial, subject } of parseInventory(text)) must(serial >= 0n && subject.startsWith('/'), 'no entry')
    isInAutosignList('web1.example.com', text)
    allowing([PuppetError], () => parseCsrAttributes(text, 'csr_attributes.yaml'))
    allowing([PuppetError], () => parseCustomOids(text, 'custom_trusted_oid_mapping.yaml'))
    allowing([PuppetError], () => parseRoutes(text, 'routes.yaml', 'server', 'master'))
  },
}
