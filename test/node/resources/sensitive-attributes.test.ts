import { expect, it } from 'vitest'
import { decodeLosslessUtf8 } from '../../../src/base/text/byte-text.ts'
import { Binary } from '../../../src/language/values/binary.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { Sensitive } from '../../../src/language/values/sensitive.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { ManagedResource } from '../../../src/node/resources/managed-resource.ts'
import { metaparameterAttributes } from '../../../src/node/resources/metaparameters.ts'
import { findProvider, loadProviders } from '../../../src/node/resources/providers.ts'
import { Secrets } from '../../../src/node/resources/secrets.ts'
import { types } from '../../../src/node/resources/types.ts'

const secret = `unmistakable "it's" s3cret\\`

/** Values that some attribute takes, and all others refuse. */
const values: readonly Value[] = [
  secret,
  `/${secret}`,
  `//tidied/../${secret}`,
  `KEY=${secret}`,
  [secret, 'more'],
  Hash.of([['key', secret]]),
  `${secret}\nand a line`,
  `${secret}:`,
]

/** How the secret might show: no more of it than its last word is enough to see. */
const traces = ['unmistakable', 's3cret']

const attributes = [...types.values()].flatMap((type) =>
  [...Object.keys(type.attributes), ...Object.keys(metaparameterAttributes)].map((name) => [type.name, name] as const),
)

const firstProviders = new Map(
  await Promise.all([...types.keys()].map(async (name) => [name, (await loadProviders(name))[0]] as const)),
)

function messageOf(typeName: string, name: string, value: Value, others: Readonly<Record<string, Value>> = {}): string {
  const type = types.get(typeName)!
  const given = new Map(Object.entries({ ...others, [name]: value }))
  const resource = new ManagedResource(type, { title: type.name === 'file' ? '/title' : 'title', values: given })
  resource.provider = firstProviders.get(typeName)
  try {
    resource.parse()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

const shows = (message: string) => traces.some((trace) => message.includes(trace))

it.each(attributes)('a message about %s.%s shows nothing of a Sensitive value', (type, name) => {
  for (const value of values) {
    expect(messageOf(type, name, new Sensitive(value))).not.toSatisfy(shows)
    // What else is wrong with the resource is found after it.
    expect(messageOf(type, name, new Sensitive(value), { noop: 'neither' })).not.toSatisfy(shows)
  }
})

it('the same values in the clear are in the messages of most of these attributes', () => {
  const telling = attributes.filter(([type, name]) => values.some((value) => shows(messageOf(type, name, value))))
  expect(telling.length).toBeGreaterThan(20)
})

it.each([
  ['command', 'unless'],
  ['unless', 'command'],
  ['onlyif', 'refresh'],
  ['refresh', 'command'],
])('a Sensitive %s of an exec hides its %s, whichever is given first', async (first, second) => {
  const given = { command: '/bin/true', [first]: new Sensitive(`/bin/${secret}`), [second]: secret }
  const named = Object.entries(given)
  for (const entries of [named, named.toReversed()]) {
    const resource = new ManagedResource(types.get('exec')!, { title: 'x', values: new Map(entries) })
    resource.provider = await findProvider('exec', 'posix')
    expect(() => resource.parse()).toThrow(
      /^(?:Validation of Exec\[x\] failed|Parameter \w+ failed on Exec\[x\]): '\[command redacted\]' is not qualified/,
    )
  }
})

const notUtf8 = Buffer.from('s3cret \xff\xfe key', 'latin1')

it.each<[Value, string, string]>([
  ['s3cret word', 'sh: s3cret: not found', 'sh: [redacted]: not found'],
  ['a/b+s3cret~~~', `body: ${Buffer.from('a/b+s3cret~~~').toString('base64')}`, 'body: [redacted]'],
  [`it's "s3cret"`, `said "it's \\"s3cret\\""`, 'said "[redacted]"'],
  [`it's s3cret`, `ran 'it'\\''s s3cret'`, `ran '[redacted]'`],
  [`it's s3cret`, "ran it\\'s\\ s3cret", 'ran [redacted]'],
  ['s3cret&', 'GET /?q=s3cret%26', 'GET /?q=[redacted]'],
  ['s3c', 'port s3c.', 'port [redacted]'],
  ['s3c', 'his3ck', 'his3ck'],
  [7, 'exit 7, not 17', 'exit [redacted], not 17'],
  [`${'line\n'.repeat(2000)}  s3cret line\n`, 'in a\ns3cret line\nb', 'in a\n[redacted]\nb'],
  ['', 'nothing to hide', 'nothing to hide'],
  [decodeLosslessUtf8(notUtf8), `body: ${notUtf8.toString('base64')}`, 'body: [redacted]'],
  [new Binary(notUtf8), `body: ${notUtf8.toString('base64')}`, 'body: [redacted]'],
  [new Binary(notUtf8), `dump: ${notUtf8.toString('hex')}`, 'dump: [redacted]'],
])('text of others is cleared of %j', (value, text, cleared) => {
  const secrets = new Secrets()
  secrets.add(value)
  expect(secrets.clear(text)).toBe(cleared)
})

it.each<readonly [type: string, name: string, value: Value, reason: string]>([
  ['exec', 'cwd', 'relative', 'cwd must be a fully qualified path'],
  ['exec', 'command', Hash.of([]), 'Command must be a String or Array<String>, got value of class Hash'],
  ['mount', 'fstype', '', 'fstype must not be an empty string'],
  ['user', 'password_max_age', 'soon', 'Password maximum age must be provided as a number.'],
  ['yumrepo', 'baseurl', secret, 'Must be a valid URL'],
  ['package', 'name', 5, 'Name must be a String not number'],
  ['user', 'password', 'a:b', "Passwords cannot include ':'"],
])('the reason why a Sensitive %s.%s is refused is printed', (type, name, value, reason) => {
  const message = messageOf(type, name, new Sensitive(value))
  expect(message).toContain(reason)
  expect(message).not.toContain('[value redacted]')
})

it.each(['exec.environment', 'cron.command', 'service.start', 'user.comment'])(
  'the reason why a Sensitive %s that is not UTF-8 is refused is printed',
  (attribute) => {
    const [type = '', name = ''] = attribute.split('.')
    const message = messageOf(type, name, new Sensitive(`${secret}\udcff`))
    expect(message).toContain('invalid byte sequence in UTF-8')
    expect(message).not.toSatisfy(shows)
  },
)
