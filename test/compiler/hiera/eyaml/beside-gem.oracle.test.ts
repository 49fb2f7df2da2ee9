import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { openEnvironmentDirectory } from '../../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../../src/compiler/compile.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { createPlainNode } from '../../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../../src/node/facts/trusted.ts'
import { without } from '../../../support/needs.ts'
import { plainRequest } from '../../../support/plain-request.js'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const node = 'n.example.test'
const folder = scratchFolder('eyaml-gem')
const environment = join(folder, 'production')
const keys = join(folder, 'keys')
const pair = (name: string) => [
  `--pkcs7-private-key=${join(keys, `${name}.private.pem`)}`,
  `--pkcs7-public-key=${join(keys, `${name}.public.pem`)}`,
]

/** What the command of hiera-eyaml makes of a text, with keys of its own making. */
function eyaml(text: string, form: 'string' | 'block' = 'string', name = 'own'): string {
  const words = ['encrypt', '--quiet', ...pair(name), '--stdin', '--output', form]
  return execaSync('eyaml', words, { input: text, cwd: folder }).stdout
}

/** Keys of data that both read alike. */
const alike = [
  'plain',
  'string',
  'block',
  'two_lines',
  'ended',
  'utf8',
  'within',
  'several',
  'unnamed',
  'lower_case',
  'spaced',
  'deep',
  'woven',
  'empty',
  'nothing_to_decrypt',
  'decrypted_form',
  'secret',
  'secret_hash',
  'aliased',
  'elsewhere::key',
  'absent',
]

/** What both refuse, each library in its own words behind `Error was`. */
const refused = ['foreign', 'garbage', 'cut_off']

const lacking = without('real Puppet 7.23', 'hiera-eyaml')

describe.skipIf(lacking)(`eyaml data, beside the gem hiera-eyaml${lacking}`, () => {
  let real = new Map<string, string>()

  beforeAll(() => {
    for (const name of ['own', 'other']) execaSync('eyaml', ['createkeys', '--quiet', ...pair(name)], { cwd: folder })
    const options = `{pkcs7_private_key: ${keys}/own.private.pem, pkcs7_public_key: ${keys}/own.public.pem}`
    write(
      'hiera.yaml',
      `version: 5\nhierarchy:\n  - {name: Secrets, lookup_key: eyaml_lookup_key, path: all.eyaml, options: ${options}}\n`,
    )
    write('data/all.eyaml', data())
    write(
      'manifests/site.pp',
      "$found = lookup($facts['key'])\nnotice($found.convert_to(String, '%p'))\nif $found =~ Sensitive { notice($found.unwrap.convert_to(String, '%p')) }\n",
    )
    real = askPuppet([...alike, ...refused])
  })

  it.each(alike)('%s', async (key) => {
    expect(await ours(key)).toBe(real.get(key))
  })

  it.each(refused)('%s is refused', async (key) => {
    const cause = /Error was .*$/s
    const said = await ours(key)
    expect(said).toMatch(/^! .*hiera-eyaml backend error decrypting ENC\[/)
    expect(said.replace(cause, '')).toBe(real.get(key)!.replace(cause, ''))
  })
})

function data(): string {
  const string = eyaml('s3cret')
  const cut = string.replace(/.{40}\]$/, ']')
  return `lookup_options:
  secret: {convert_to: Sensitive}
  secret_hash: {convert_to: Sensitive}
plain: nothing
string: ${string}
block: ${eyaml('of a block', 'block').replaceAll('\n', '\n  ')}
two_lines: ${eyaml('one\ntwo')}
ended: ${eyaml('ended\n')}
utf8: ${eyaml('é€😀')}
within: "user=${eyaml('me')}; password=${string}!"
several: "${string}${string}"
unnamed: ${string.replace('PKCS7,', '')}
lower_case: ${string.replace('PKCS7,', 'pkcs7,')}
spaced: "${string.replace(/(.{30})/, '$1 ')}"
deep:
  list: [1, "${string}", {inner: "${string}"}]
  "key ${string.slice(0, 20)}": ~
woven: ${eyaml("%{facts.os.family} %{lookup('plain')}")}
empty: ENC[]
nothing_to_decrypt: "ENC[PKCS7 no end"
decrypted_form: DEC::PKCS7[text]!
secret: ${string}
secret_hash: {password: "${string}"}
aliased: "%{alias('deep')}"
elsewhere::key: ${string}
foreign: ${eyaml('x', 'string', 'other')}
garbage: ENC[PKCS7,AAAA]
cut_off: ${cut}
`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(environment, path)), { recursive: true })
  writeFileSync(join(environment, path), text)
}

function factsFor(key: string) {
  return { key, os: { family: 'Debian' } }
}

function askPuppet(names: readonly string[]): Map<string, string> {
  const questions = names.map((key) => JSON.stringify({ environment, node, facts: factsFor(key) }))
  const { stdout } = execaSync('ruby', [join(import.meta.dirname, '../../../oracle/compile.rb')], {
    input: questions.join('\n'),
  })
  const answers = stdout.split('\n').map((line): string => {
    const { error, logs } = JSON.parse(line)
    return error === undefined ? logs.map(([, message]: [string, string]) => message).join('\n') : `! ${error}`
  })
  return new Map(names.map((name, index) => [name, answers[index]!]))
}

async function ours(key: string): Promise<string> {
  const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
  const opened = await openEnvironmentDirectory({ directory: environment, name: 'production' }, settings)
  try {
    const trusted = buildTrustedFacts({ authenticated: 'local', certname: node })
    const about = { node: createPlainNode(node, 'production'), facts: factsFor(key), trusted, keyFolders: [keys] }
    const { logs } = compile(plainRequest(opened.environment, about))
    return logs.map(({ message }) => message).join('\n')
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}
