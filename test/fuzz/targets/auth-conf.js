import { PuppetError } from '../../../dist/base/issue.js'
import { parseAuthConf } from '../../../dist/server/auth/auth-conf.js'
import { authorize } from '../../../dist/server/auth/authorize.js'
import { createUnauthenticatedClient } from '../../../dist/server/http/client.js'
import { allowing, must, textOf } from '../target.js'

const client = {
  ...createUnauthenticatedClient('10.0.0.1'),
  certname: 'web1.example.com',
  extensions: { pp_cli_auth: 'true' },
}
const paths = ['/puppet/v3/catalog/web1.example.com', '/puppet-ca/v1/certificate/x', '/', `/${'a'.repeat(200)}!`]

/** auth.conf: refused in words, or rules that give each request a verdict. @type {import('../target.js').Target} */
export default {
  name: 'auth-conf',
  seeds: [
    'authorization: {\n  version: 1\n  allow-header-cert-info: true\n  rules: [\n    { match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex, method: [get, post], query-params: { environment: [a, b] } }\n      allow: "$1", sort-order: 500, name: "catalog" },\n    { match-request { path = "/", type = path }, deny = "*", sort-order = 999, name = all }\n  ]\n}\n',
    'authorization { version = 1, rules = [{ sort-order: 500, match-request { path = /x, type = path }, allow-unauthenticated = true, name = a },{ sort-order: 500, match-request { path = "/", type = path }, allow = ["*.example.com", "/^web/", { certname = x, extensions { pp_cli_auth = "true" } }], name = b }] }',
  ],
  dictionary: [
    'authorization',
    'version: 1',
    'rules: [',
    'match-request',
    'path: ',
    'type: regex',
    'type: path',
    'allow: ',
    'deny: ',
    'allow-unauthenticated: true',
    'sort-order: ',
    'name: ',
    'method: ',
    'query-params',
    'certname',
    'extensions',
    '"*"',
    '"/a/"',
    '(a+)+$',
    '"$1"',
    '{',
    '}',
    '[',
    ']',
    ',',
    '\n',
    '(?=',
    '(?<n>',
    '\\\\1',
    '[a-',
  ],
  run(bytes) {
    const conf = allowing([PuppetError], () => parseAuthConf({ file: 'auth.conf', text: textOf(bytes) }))
    if (!conf) return
    for (const path of paths)
      for (const who of [client, createUnauthenticatedClient('10.0.0.1')]) {
        const { allowed, reason } = authorize(conf.rules, {
          path,
          method: 'get',
          query: 'environment=production&a=%41;b',
          client: who,
        })
        must(typeof allowed === 'boolean' && reason !== '', 'no verdict')
      }
  },
}
