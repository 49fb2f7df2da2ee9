import { expect, it } from 'vitest'
import { powershell } from '../../../../src/machine/windows/power-shell.ts'
import { parseRights } from '../../../../src/node/resources/providers/windows/user-rights.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import { type FakeAccounts, netAccounts, powerShell, windowsFacts, windowsSystem } from '../windows-tools.ts'

const accounts = (): FakeAccounts => ({
  users: { ann: { comment: '', home: '', password: '', sid: 'S-1-5-21-1-2-3-1001' } },
  groups: {},
})

/** An export of `secedit.exe`, in the form that Microsoft documents; it is not a capture. */
const exported = [
  '[Unicode]',
  'Unicode=yes',
  '[Privilege Rights]',
  'SeNetworkLogonRight = *S-1-1-0,*S-1-5-32-544',
  'SeServiceLogonRight = *S-1-5-80-0,ann',
  'SeBatchLogonRight = *S-1-5-32-544,*S-1-5-21-1-2-3-1001',
  'SeTcbPrivilege =',
  '[Version]',
  'signature="$CHICAGO$"',
  'Revision=1',
]

/** `secedit.exe`, which ignores rights that Windows does not know. */
async function apply(
  manifest: string,
  { status = 0, hasPowerShell = true, damage = (file: Buffer): Buffer | undefined => file } = {},
) {
  const content = new Map<string, Buffer>()
  const lines = [...exported]
  const changes: string[] = []
  let exports = 0
  const secedit = (words: readonly string[]) => {
    const file = words[words.indexOf('/cfg') + 1]!.replaceAll('\\', '/')
    if (words[0] === '/export') {
      exports++
      const written = damage(Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`, 'utf16le'))
      if (written) content.set(file, written)
      return { status, stdout: status === 0 ? '' : 'Access is denied.\r\n' }
    }
    const [, section = ''] = content.get(file)!.toString('utf16le').split('[Privilege Rights]\r\n')
    for (const line of section.split('\r\n').filter(Boolean)) {
      changes.push(line.trim())
      const at = lines.findIndex((each) => each.toLowerCase().startsWith(line.split('=', 1)[0]!.toLowerCase()))
      if (at >= 0) lines[at] = line
    }
    return ''
  }
  const tools = {
    'net.exe': netAccounts(accounts()),
    'powershell.exe': powerShell(accounts(), []),
    'secedit.exe': secedit,
  }
  const system = windowsSystem(tools, hasPowerShell ? { [powershell]: '' } : {})
  const files = {
    ...system.files,
    write: async (path: string, written: unknown) => void content.set(path, written as Buffer),
    readWithin: async (path: string) => content.get(path),
    sync: async () => {},
  }
  const says = await saysOf(manifest, { ...system, files }, windowsFacts)
  return { changes, says, exports }
}

it.each([
  [
    "user { 'ann': roles => ['SeServiceLogonRight', 'SeTcbPrivilege'] }",
    ['SeTcbPrivilege = *S-1-5-21-1-2-3-1001'],
    [
      'User[ann]/roles: roles changed SeServiceLogonRight,SeBatchLogonRight to SeBatchLogonRight,SeServiceLogonRight,SeTcbPrivilege',
    ],
  ],
  [
    "user { 'ann': roles => ['SeNetworkLogonRight'], role_membership => inclusive }",
    [
      'SeNetworkLogonRight = *S-1-1-0,*S-1-5-32-544,*S-1-5-21-1-2-3-1001',
      'SeServiceLogonRight = *S-1-5-80-0',
      'SeBatchLogonRight = *S-1-5-32-544',
    ],
    ['User[ann]/roles: roles changed SeServiceLogonRight,SeBatchLogonRight to SeNetworkLogonRight'],
  ],
  ["user { 'ann': roles => ['SeBatchLogonRight'] }", [], []],
  ["user { 'ann': roles => ['sebatchlogonright', 'SEServiceLogonRight'], role_membership => inclusive }", [], []],
  [
    "user { 'ann': roles => ['SeNetworkLogonright', 'senetworklogonright'] }",
    ['SeNetworkLogonRight = *S-1-1-0,*S-1-5-32-544,*S-1-5-21-1-2-3-1001'],
    [
      'User[ann]/roles: roles changed SeServiceLogonRight,SeBatchLogonRight to SeBatchLogonRight,SeNetworkLogonright,SeServiceLogonRight,senetworklogonright',
    ],
  ],
  [
    "user { 'bob': roles => ['SeTcbPrivilege'] }",
    ['SeTcbPrivilege = *S-1-5-21-1-2-3-1003'],
    ['User[bob]/ensure: created'],
  ],
])('%s', async (manifest, changes, says) => {
  expect(await apply(manifest)).toMatchObject({ changes, says })
})

it('reads the rights of all users once', async () => {
  const manifest = "user { 'ann': roles => 'SeBatchLogonRight' } user { 'VM\\\\ANN': roles => 'SeServiceLogonRight' }"
  expect(await apply(manifest)).toMatchObject({ says: [], exports: 1 })
})

it('reports rights that Windows does not know, and errors of the tool', async () => {
  const unknown = "Calling `LsaAddAccountRights` returned 'Win32 Error Code 0x00000521'."
  for (const right of ['SeFooRight', 'SeA = *S-1-1-0'])
    expect((await apply(`user { 'ann': roles => ['${right}'] }`)).says.join('\n')).toContain(
      `Could not set roles on user[ann]: ${unknown}`,
    )
  const manifest = "user { 'ann': roles => ['SeTcbPrivilege'] }"
  expect((await apply(manifest, { status: 1 })).says.join('\n')).toContain(
    'Could not read the rights of users: Access is denied.',
  )
  expect((await apply(manifest, { hasPowerShell: false })).says.join('\n')).toContain(
    'Could not read roles of user[ann]: its SID is unknown',
  )
})

/** Files that are no complete export. */
const damages: Readonly<Record<string, (file: Buffer) => Buffer | undefined>> = {
  'no file': () => undefined,
  'an empty file': () => Buffer.alloc(0),
  'a file in the code page of Windows': (file) => Buffer.from(file.toString('utf16le').slice(1), 'latin1'),
  'a file without its end': (file) => file.subarray(0, file.indexOf(Buffer.from('Revision', 'utf16le'))),
  'a file without the middle of a line': (file) => file.subarray(0, file.indexOf(Buffer.from('SeBatch', 'utf16le'))),
  'a file without rights': () => Buffer.from('\ufeff[Privilege Rights]\r\n[Version]\r\nRevision=1\r\n', 'utf16le'),
  'a file without Administrators': (file) =>
    Buffer.from(file.toString('utf16le').replaceAll('*S-1-5-32-544', '*S-1-5-32-545'), 'utf16le'),
}

it.each(Object.entries(damages))('changes nothing after %s', async (_, damage) => {
  const { changes, says } = await apply("user { 'ann': roles => ['SeTcbPrivilege'] }", { damage })
  expect(changes).toEqual([])
  expect(says.join('\n')).toContain('Could not read the rights of users: the export of secedit.exe is incomplete')
})

it('reads any export', () => {
  const end = '[Version]\nRevision=1'
  fc.assert(
    fc.property(fc.string(), (text) => {
      const table = parseRights(`[Privilege Rights]\n${text}\nSeX = *S-1-5-32-544\n${end}`)
      return table === undefined || table instanceof Map
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => parseRights(text) === undefined))
})
