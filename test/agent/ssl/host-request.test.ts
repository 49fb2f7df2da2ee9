import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { hostRequest, parseCsrAttributes } from '../../../src/agent/ssl/host-request.ts'
import { loadSettings } from '../../../src/settings/settings.ts'
import { localFiles } from '../../../src/system/files.ts'
import { parseRequest } from '../../../src/x509/certificate-request.ts'
import { parseCustomOids } from '../../../src/x509/custom-oids.ts'
import { extensionText, subjectAltNames } from '../../../src/x509/extensions.ts'
import { newKey } from '../../../src/x509/keys.ts'
import { ec } from '../../ca/fixture.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('asks for names, extensions and attributes', async () => {
  const confdir = scratchFolder('request')
  const given = { confdir, certname: 'a.test', dns_alt_names: 'c.test,DNS:b.test, IP:10.0.0.1' }
  const settings = loadSettings({ given, runMode: 'agent' })
  const csr = 'extension_requests:\n  pp_role: web\n  own_name: 7\ncustom_attributes:\n  challengePassword: pass word\n'
  await writeFile(settings.csr_attributes, csr)
  const mapping = "oid_mapping:\n  '1.3.6.1.4.1.34380.1.2.1':\n    shortname: own_name\n    longname: Our own name\n"
  await writeFile(settings.trusted_oid_mapping_file, mapping)
  const request = parseRequest(await hostRequest(settings, await newKey(ec), localFiles))
  expect(subjectAltNames(request.extensions)).toEqual(['DNS:a.test', 'DNS:b.test', 'DNS:c.test', 'IP:10.0.0.1'])
  expect(request.extensions.slice(0, 2).map((each) => [each.oid, extensionText(each)])).toEqual([
    ['1.3.6.1.4.1.34380.1.1.13', 'web'],
    ['1.3.6.1.4.1.34380.1.2.1', '7'],
  ])
  expect(request.attributes).toEqual([
    ['1.2.840.113549.1.9.7', 'pass word'],
    ['1.3.6.1.4.1.34380.1.3.2', 'true'],
  ])
})

it.each([
  ['[]', 'invalid CSR attributes, expected instance of Hash, received instance of Array'],
  ['other: {}', 'unexpected attributes ["other"] in "/c.yaml"'],
  ['custom_attributes: {nope: x}', 'Cannot create CSR with attribute nope: '],
  [
    'custom_attributes: {extReq: x}',
    'Cannot specify CSR attribute extReq: conflicts with internally used CSR attribute',
  ],
  ['extension_requests: {nope: x}', 'Cannot create CSR with extension request nope: '],
  [
    'extension_requests: {subjectAltName: x}',
    'Cannot specify CSR extension request subjectAltName: conflicts with internally used extension request',
  ],
])('refuses csr_attributes.yaml %j', (text, message) => {
  expect(() => parseCsrAttributes(text, '/c.yaml')).toThrow(message)
})

it.each([
  ['{}', "no such index 'oid_mapping'"],
  ['oid_mapping: []', "data under index 'oid_mapping' must be a Hash"],
  ['oid_mapping: {1.2.3: {shortname: x}}', "incomplete definition of oid '1.2.3'"],
  ['oid_mapping: {x: {shortname: x, longname: y}}', "incomplete definition of oid 'x'"],
  ['{', ''],
])('refuses a mapping of object identifiers %j', (text, why) => {
  expect(() => parseCustomOids(text, '/o.yaml')).toThrow(
    `Error loading ssl custom OIDs mapping file from '/o.yaml': ${why}`,
  )
})
