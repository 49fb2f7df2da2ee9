import { PuppetError } from '../../../dist/base/issue.js'
import { checkFileName } from '../../../dist/model/indirector/file-name.js'
import { identifyByHeaders } from '../../../dist/server/auth/header-client.js'
import { jsonMedia, negotiateFormat, requireContentType, richJsonMedia } from '../../../dist/server/http/negotiation.js'
import { Refusal } from '../../../dist/server/http/refusal.js'
import { getQueryString, parseRequestPath } from '../../../dist/server/http/request-path.js'
import { allowing, must, textOf } from '../target.js'

/** The URL in the first line, a header's value in the second. @type {import('../target.js').Target} */
export default {
  name: 'headers',
  seeds: [
    '/puppet/v3/catalog/web1.example.com?environment=production&a=b\nCN=web1.example.com,O=Example',
    '/puppet/v3//file_metadata/modules/a/%66%2f..%2fb#x\n/O=Example/CN=web1',
    '/status/v1/services?level=debug\napplication/vnd.puppet.rich+json, application/json;q=0.5, */*',
    '/a/%00\nSat, 21 Nov 2026 10:00:00 GMT',
    '/%c3%a9/%zz\nCN=a\\,CN=b',
    '/x\n-----BEGIN%20CERTIFICATE-----%0AAAAA%0A-----END%20CERTIFICATE-----',
  ],
  dictionary: [
    '%2e%2e',
    '..',
    '/./',
    '%2f',
    '%5c',
    '\\',
    '//',
    '%00',
    '%',
    '?',
    '#',
    '&',
    '=',
    'CN=',
    ',CN=',
    '/CN=',
    '\\,',
    '\\2c',
    '"',
    '+',
    'application/json',
    '*/*',
    ';q=1',
    ',',
    ' ',
    '\t',
    '%0a',
    '\n',
    'environment=',
  ],
  run(bytes) {
    const [url = '', value = ''] = textOf(bytes).split('\n')
    const path = allowing([Refusal], () => parseRequestPath(url))
    if (path !== undefined) {
      must(path.startsWith('/') && !path.includes('//'), `'${path}' is no path`)
      must(!path.split(/[/\\]/).some((name) => name === '.' || name === '..'), `'${path}' leaves its folder`)
      must(!/[\0-\x1f\x7f]/.test(path), 'control characters in a path')
      const key = path.split('/').slice(4).join('/')
      const file = allowing([PuppetError], () => checkFileName('node', key))
      must(file === undefined || !/[/\0]|^\.\.?$/.test(file), `'${file}' is no name of a file`)
    }
    must(url.includes(getQueryString(url)), 'a query that was not sent')
    allowing([Refusal], () => negotiateFormat(value, [richJsonMedia, jsonMedia]))
    allowing([Refusal], () => requireContentType(value, 'application/json', 'text/pson'))
    Date.parse(value)
    const { certname } = identifyByHeaders({ 'x-client-verify': 'SUCCESS', 'x-client-dn': value }, '10.0.0.1')
    // Never a part of what a value quotes: the name stands whole between its separators.
    must(certname === undefined || !/[\\"]/.test(certname), `'${certname}' of '${value}'`)
    identifyByHeaders({ 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=a', 'x-client-cert': value }, '10.0.0.1')
  },
}
