import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { PuppetError } from '../../../dist/base/issue.js'
import { decodeAgeArmor } from '../../../dist/compiler/hiera/age/age-armor.js'
import { decryptAgeFile } from '../../../dist/compiler/hiera/age/age-file.js'
import { parseAgeIdentities } from '../../../dist/compiler/hiera/age/age-identities.js'
import { decryptSopsFile, parseSopsFile } from '../../../dist/compiler/hiera/sops/sops-file.js'
import { decryptSopsValue } from '../../../dist/compiler/hiera/sops/value-cipher.js'
import { Hash } from '../../../dist/language/values/hash.js'
import { allowing, must, textOf } from '../target.js'

const recorded = (/** @type {string} */ name) =>
  new URL(`../../compiler/hiera/sops/recorded/flux/${name}`, import.meta.url)
const read = (/** @type {string} */ name) => readFileSync(recorded(name), 'utf8')
const keyFile = recorded('age-keys.txt').pathname
const keys = { ageFiles: [{ path: keyFile, real: keyFile }], gpgHome: undefined }
const identities = parseAgeIdentities(read('age-keys.txt'))
const armor = /-----BEGIN AGE.*?END AGE ENCRYPTED FILE-----/s.exec(read('age.yaml'))?.[0].replace(/^ +/gm, '') ?? ''
const json = JSON.stringify({
  a: 'ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]',
  b_unencrypted: [1, 1.5, true, null],
  sops: {
    age: [{ recipient: 'age1', enc: armor }],
    lastmodified: '2026-01-01T00:00:00Z',
    mac: 'ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]',
  },
})
const scalars = 'ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAAAAAAAAAAAAAAAAAAAA==,type:int]'

/** Files of SOPS, age files in them, and files of age identities. @type {import('../target.js').Target} */
export default {
  name: 'sops',
  seeds: [read('age.yaml'), read('env.env'), json, armor, read('age-keys.txt'), scalars],
  dictionary: [
    'sops:',
    'sops_',
    '__list_0',
    '__map_',
    'age:',
    'pgp:',
    'key_groups:',
    'shamir_threshold: ',
    'lastmodified: ',
    '"2026-01-01T00:00:00Z"',
    'mac: ',
    'mac_only_encrypted: true',
    'unencrypted_suffix: ',
    'encrypted_regex: ',
    'enc: |',
    'ENC[AES256_GCM,data:',
    ',iv:',
    ',tag:',
    ',type:',
    'float]',
    'int]',
    'bool]',
    '\n-> X25519 ',
    '\n---',
    'AGE-SECRET-KEY-1',
    '2026-11-29 12:00:00.5',
    '0x1F',
    '.inf',
    '1e-300',
    '\n',
    '- ',
    '=',
  ],
  grammar: fc
    .record({
      a_unencrypted: fc.jsonValue({ maxDepth: 4 }),
      sops: fc.record({
        age: fc.array(fc.record({ enc: fc.constantFrom(armor, 'x', '') }), { maxLength: 3 }),
        lastmodified: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+00:00', 'x'),
        mac: fc.constantFrom('', 'ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]'),
        encrypted_regex: fc.constantFrom('', '^a', '('),
      }),
    })
    .map((file) => stringify(file)),
  // Three formats, and an exchange of keys for each recipient.
  freeMs: 200,
  nsPerByte: 5000,
  run(bytes) {
    const text = textOf(bytes)
    for (const path of ['a.yaml', 'a.json', 'a.env']) {
      const file = allowing([PuppetError], () => parseSopsFile(text, path))
      const data = file && allowing([PuppetError], () => decryptSopsFile(file, keys))
      must(data === undefined || data instanceof Hash, 'data that are no hash')
    }
    allowing([PuppetError], () => decryptSopsValue(text, Buffer.alloc(32), 'a:', 'a'))
    allowing([PuppetError], () => parseAgeIdentities(text))
    allowing([PuppetError], () => decryptAgeFile(decodeAgeArmor(text), identities))
    allowing([PuppetError], () => decryptAgeFile(Buffer.from(bytes), identities))
  },
}
