import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parseCertificateRequest } from '../../../../src/ca/x509/certificate-request.ts'
import { parseCustomOids } from '../../../../src/ca/x509/custom-oids.ts'
import { getExtensionText, listSubjectAltNames } from '../../../../src/ca/x509/extensions.ts'
import { generatePrivateKey } from '../../../../src/ca/x509/keys.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../../src/machine/system/files.ts'
import { createHostRequest, parseCsrAttributes } from '../../../../src/node/agent/ssl/host-request.ts'
import { ec } from '../../../ca/fixture.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

it('asks for names, extensions and attributes', async () => {
  const confdir = scratchFolder('request')
  const given = { confdir, certname: 'a.test', dns_alt_names: 'c.test,DNS:b.test, IP:10.0.0.1' }
  const settings = loadSettings({ given, runMode: 'agent' })
  const csr = 'extension_requests:\n  pp_role: web\n  own_name: 7\ncustom_attributes:\n  challengePassword: pass word\n'
  await writeFile(settings.csr_attributes, csr)
  const mapping = "oid_mapping:\n  '1.3.6.1.4.1.34380.1.2.1':\n    shortname: own_name\n    longname: Our own name\n"
  await writeFile(settings.trusted_oid_mapping_file, mapping)
  const request = parseCertificateRequest(await createHostRequest(settings, await generatePrivateKey(ec), localFiles))
  expect(listSubjectAltNames(request.extensions)).toEqual(['DNS:a.test', 'DNS:b.test', 'DNS:c.test', 'IP:10.0.0.1'])
  expect(request.extensions.slice(0, 2).map((each) => [each.oid, getExtensionText(each)])).toEqual([
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
  [
    ':custom_attributes: {}\n1: 2\n1.0: x\nyes: b\n~: n',
    'unexpected attributes [:custom_attributes, 1, 1.0, true, nil] in',
  ],
  ['yes', 'expected instance of Hash, received instance of TrueClass'],
  ['a: b: c', '(/c.yaml): mapping values are not allowed in this context at line 1 column 5'],
  ['extension_requests: {pp_role: 2020-01-01}', '(/c.yaml): Tried to load unspecified class: Date'],
  ['extension_requests: {<<: *d}', 'Unknown alias: d'],
  ['extension_requests: {yes: b}', 'no implicit conversion of true into String'],
  ['extension_requests: {1.2: b}', 'no implicit conversion of Float into String'],
  ['extension_requests: [a]', 'extension_requests must be a Hash, not Array'],
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
  ['{', '(/o.yaml): did not find expected node content while parsing a flow node at line 2 column 1'],
  ['oid_mapping:\n  a: b: c', '(/o.yaml): mapping values are not allowed in this context at line 2 column 7'],
  ['oid_mapping: 2020-01-01', '(/o.yaml): Tried to load unspecified class: Date'],
  ['oid_mapping: *m', 'Unknown alias: m'],
  ['oid_mapping: ~', "data under index 'oid_mapping' must be a Hash"],
  ['oid_mapping: {1.2.3: {shortname: ~, longname: y}}', "incomplete definition of oid '1.2.3'"],
])('refuses a mapping of object identifiers %j', (text, why) => {
  expect(() => parseCustomOids(text, '/o.yaml')).toThrow(
    `Error loading ssl custom OIDs mapping file from '/o.yaml': ${why}`,
  )
})

it.each([
  ['x: {shortname: x, longname: y}', 'first num too large'],
  ['1.5: {shortname: x, longname: y}', 'no implicit conversion of Float into String'],
  ['1.2.3: {shortname: yes, longname: y}', 'no implicit conversion of true into String'],
  ['1.2.3: {shortname: 0644, longname: y}', 'no implicit conversion of Integer into String'],
  ['1.2.3: {shortname: x, longname: no}', 'no implicit conversion of false into String'],
  ['1.3.6.1.4.1.34380.1.1.1: {shortname: x, longname: y}', 'oid exists'],
])('registers no object identifier of %j', (definition, why) => {
  expect(() => parseCustomOids(`oid_mapping: {${definition}}`, '/o.yaml')).toThrow(
    `Error registering ssl custom OIDs mapping from file '/o.yaml': ${why}`,
  )
})

it('merges definitions as Psych does', () => {
  const text = 'x: &d {longname: L}\noid_mapping: {1.3.6.1.4.1.34380.1.2.9: {<<: *d, shortname: own}}'
  expect([...parseCustomOids(text, '/o.yaml')]).toEqual([['own', '1.3.6.1.4.1.34380.1.2.9']])
})

/** By Puppet 7.23. */
it.each([
  ['yes', 'true'],
  ['0644', '420'],
  ['1:30', '5400'],
  ['~', ''],
  ['1.50', '1.5'],
  [':sym', 'sym'],
  ['1_000', '1000'],
  ['0x1F', '31'],
  ['1e3', '1e3'],
  ['.inf', 'Infinity'],
  ['n', 'n'],
  ["'0644'", '0644'],
  ['010:10', '36600'],
  ['[a, 1, ~, 1.0, yes, {k: v}]', '["a", 1, nil, 1.0, true, {"k"=>"v"}]'],
  ['{a: 1}', '{"a"=>1}'],
])('asks for %s as Puppet does', (yaml, text) => {
  const { extensions } = parseCsrAttributes(`extension_requests:\n  pp_role: ${yaml}\n`, '/c.yaml')
  expect(extensions.map(getExtensionText)).toEqual([text])
})
