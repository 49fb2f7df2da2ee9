import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { System } from '../../../../src/machine/system/system.ts'
import { formatResourceManifest, inspectResource } from '../../../../src/node/agent/inspect-resources.ts'
import { toEntry, toPermission } from '../../../../src/node/resources/providers/acl/entries.ts'
import { types } from '../../../../src/node/resources/types.ts'
import { fc } from '../../../support/properties.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { recordingSystem } from '../recording-system.ts'
import { modulesWith, saysOf } from '../says-of.ts'
import { windowsFacts } from '../windows-tools.ts'
import { ann, bob, createWindows, type Descriptor } from './access-machine.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

type Attributes = Readonly<Record<string, unknown>>

interface Question {
  readonly before?: Descriptor
  readonly attributes: Attributes
  readonly folder?: boolean
  readonly title?: string
}

interface Answer {
  readonly says: readonly string[]
  readonly after?: Descriptor
  /** What a second run says. */
  readonly again?: readonly string[]
}

/** The answers of real Puppet; `WINDOWS_MODULES` names a folder with the modules acl and reboot. */
function askPuppet(type: string, questions: Readonly<Record<string, Question>>): Readonly<Record<string, Answer>> {
  return puppet.one(type, questions, () => {
    const script = join(import.meta.dirname, 'windows-types.rb')
    const words = [script, process.env['WINDOWS_MODULES'] ?? '', type]
    const { stdout, stderr } = spawnSync('ruby', words, { input: JSON.stringify(questions), encoding: 'utf8' })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Readonly<Record<string, Answer>>
  })
}

const inherited = ['0,19,2032127,S-1-5-18', '0,19,1179817,S-1-5-32-545']
const before: Descriptor = {
  owner: 'S-1-5-32-544',
  group: 'S-1-5-18',
  protected: false,
  entries: [`1,3,131241,${ann}`, `0,3,2032127,${ann}`, ...inherited],
}

const read = { identity: 'bob', rights: ['read'] }
const ask = (...permissions: readonly unknown[]): Question => ({ before, attributes: { permissions } })

/** Values that the type rejects or converts. */
const values: Readonly<Record<string, Attributes>> = {
  'no permissions': {},
  'empty permissions': { permissions: [] },
  'an empty hash': { permissions: [{}] },
  'an empty text': { permissions: [''] },
  'a text': { permissions: ['abc'] },
  'no identity': { permissions: [{ rights: ['full'] }] },
  'an empty identity': { permissions: [{ identity: '', rights: ['full'] }] },
  'no rights': { permissions: [{ identity: 'bob' }] },
  'empty rights': { permissions: [{ identity: 'bob', rights: [] }] },
  'rights as text': { permissions: [{ identity: 'bob', rights: 'full' }] },
  'an unknown right': { permissions: [{ identity: 'bob', rights: ['all'] }] },
  'a right in upper case': { permissions: [{ identity: 'bob', rights: ['Full'] }] },
  'a number as right': { permissions: [{ identity: 'bob', rights: [5] }] },
  'a missing mask': { permissions: [{ identity: 'bob', rights: ['mask_specific'] }] },
  'a mask and rights': { permissions: [{ identity: 'bob', rights: ['read', 'mask_specific'], mask: '1' }] },
  'an unknown perm_type': { permissions: [{ ...read, perm_type: 'x' }] },
  'type and perm_type': { permissions: [{ ...read, type: 'deny', perm_type: 'allow' }] },
  'unknown child_types': { permissions: [{ ...read, child_types: 'x' }] },
  'unknown affects': { permissions: [{ ...read, affects: 'x' }] },
  'an inherited permission': { permissions: [{ ...read, is_inherited: true }] },
  'an inherited permission as text': { permissions: [{ ...read, is_inherited: 'false' }] },
  'an empty owner': { owner: '' },
  'an empty group': { group: '' },
  'an empty target': { target: '' },
  'an unknown target_type': { target_type: 'registry' },
  'an unknown purge': { purge: 'all' },
  'an unknown inheritance': { inherit_parent_permissions: 'maybe' },
}

const cases: Readonly<Record<string, Question>> = {
  ...Object.fromEntries(Object.entries(values).map(([title, attributes]) => [title, { before, attributes }])),
  'a user': ask(read),
  'a single permission': { before, attributes: { permissions: read } },
  'several users': ask(
    { identity: 'Administrators', rights: ['full'] },
    { identity: 'VM\\bob', rights: ['execute', 'read', 'read'] },
  ),
  'an identifier': ask({ identity: bob, rights: ['modify'] }),
  'an identifier as id': ask({ id: bob, rights: ['modify'] }),
  'denied rights': ask({ ...read, perm_type: 'deny' }),
  'denied rights behind allowed ones': ask(read, { identity: 'Users', rights: ['write'], perm_type: 'deny' }),
  'the old name of perm_type': ask({ ...read, type: 'deny' }),
  'other rights of a user in the list': ask({ identity: 'ann', rights: ['read', 'write', 'execute'] }),
  'rights that the list has': ask({ identity: 'ann', rights: ['full'] }),
  'an order that the list does not have': ask(
    { identity: 'ann', rights: ['full'] },
    { identity: 'ann', rights: ['mask_specific'], mask: '131241', perm_type: 'deny' },
  ),
  'full and other rights': ask({ identity: 'bob', rights: ['read', 'full'] }),
  'modify and other rights': ask({ identity: 'bob', rights: ['read', 'modify'] }),
  'a mask': ask({ identity: 'bob', rights: ['mask_specific'], mask: '131209' }),
  'no child types': ask({ ...read, child_types: 'none' }),
  'no child types, and children': ask({ ...read, child_types: 'none', affects: 'children_only' }),
  'itself only': ask({ ...read, affects: 'self_only' }),
  'itself only, and objects': ask({ ...read, child_types: 'objects', affects: 'self_only' }),
  ...Object.fromEntries(
    ['objects', 'containers', 'all'].flatMap((child_types) =>
      ['all', 'children_only', 'self_and_direct_children_only', 'direct_children_only'].map((affects) => [
        `${child_types} and ${affects}`,
        ask({ ...read, child_types, affects }),
      ]),
    ),
  ),
  'an unknown key': ask({ ...read, x: 'y' }),
  'a permission that is not inherited': ask({ ...read, is_inherited: false }),
  'an unknown user': ask({ identity: 'nobody', rights: ['full'] }, { identity: 'none', rights: ['full'] }),
  'a list to purge': { before, attributes: { permissions: [read], purge: 'true' } },
  'a purged list': {
    before: { ...before, entries: [`0,3,1179785,${bob}`, ...inherited] },
    attributes: { permissions: [read], purge: true },
  },
  'permissions to remove': {
    before,
    attributes: {
      permissions: [
        { identity: 'ann', rights: ['full'] },
        { identity: 'nobody', rights: ['full'] },
      ],
      purge: 'listed_permissions',
    },
  },
  'other rights than those to remove': {
    before,
    attributes: { permissions: [{ identity: 'ann', rights: ['read'] }], purge: 'listed_permissions' },
  },
  'an owner': { before, attributes: { owner: 'bob' } },
  'the present owner': { before, attributes: { owner: 'administrators', group: 'S-1-5-18' } },
  'an unknown owner': { before, attributes: { owner: 'nobody' } },
  'an unknown group': { before, attributes: { group: 'nobody' } },
  'a group with an inherited entry': { before, attributes: { group: 'Users' } },
  'an owner with entries': {
    before: { ...before, owner: ann },
    attributes: { owner: 'bob', permissions: [{ identity: 'bob', rights: ['full'] }] },
  },
  'an owner SYSTEM with entries': {
    before: { ...before, owner: 'S-1-5-18', entries: ['0,0,2032127,S-1-5-18', ...inherited] },
    attributes: { owner: 'bob' },
  },
  'inherited entries to keep': { before, attributes: { inherit_parent_permissions: 'false' } },
  'inherited entries to keep, with permissions': {
    before,
    attributes: { inherit_parent_permissions: false, permissions: [read] },
  },
  'inherited entries to purge': {
    before,
    attributes: { inherit_parent_permissions: 'false', permissions: [read], purge: 'true' },
  },
  'entries to inherit': {
    before: { ...before, protected: true, entries: [`0,3,2032127,${ann}`] },
    attributes: { inherit_parent_permissions: 'true' },
  },
  'all at once': {
    before,
    attributes: { owner: 'bob', group: 'ann', inherit_parent_permissions: 'false', permissions: [read], purge: 'true' },
  },
  'a file': { ...ask(read), folder: false },
  'a file of an account that Windows does not know': {
    before: { ...before, entries: ['0,0,1179785,S-1-5-21-9', ...inherited] },
    attributes: { permissions: [read] },
    folder: false,
  },
  'generic rights': {
    before: { ...before, entries: [`0,11,268435456,${ann}`, `0,0,2147483648,${bob}`] },
    attributes: { permissions: [read] },
  },
  'a permission twice to remove': {
    before: { ...before, entries: [`0,3,1179785,${bob}`, ...inherited] },
    attributes: { permissions: [read, { identity: 'VM\\bob', rights: ['read'] }], purge: 'listed_permissions' },
  },
  'a missing target': { ...ask(read), title: 'C:/y' },
}

/** A value in a manifest. */
function toManifest(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toManifest).join(', ')}]`
  if (typeof value !== 'object')
    return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\')}'` : String(value)
  return `{ ${Object.entries(value as object)
    .map(([key, each]) => `'${key}' => ${toManifest(each)}`)
    .join(', ')} }`
}

type Facts = Parameters<typeof saysOf>[2]

async function says(
  type: string,
  { title = 'C:/x', attributes }: Question,
  system: System,
  modules: readonly string[],
  facts: Facts = windowsFacts,
) {
  const body = Object.entries(attributes).map(([name, value]) => `${name} => ${toManifest(value)}`)
  const lines = await saysOf(`${type} { ${toManifest(title)}: ${body.join(', ')} }`, system, facts, modules)
  return lines.map((line) => line.replace('Failed to apply catalog: ', '').replace(/ \(line: \d+\)$/, ''))
}

const answers = askPuppet('acl', cases)
const modules = modulesWith({
  acl: ['target', 'target_type', 'purge', 'permissions', 'owner', 'group', 'inherit_parent_permissions'],
  reboot: ['when', 'onlyif', 'unless', 'apply', 'message', 'timeout', 'provider'],
})

/** Puppet warns of deprecated names once per process. */
const isDeprecation = (line: string) => line.startsWith('Permission `type` is deprecated')

it.each(Object.entries(cases))('acl: %s', async (title, question) => {
  const { system, descriptor } = createWindows(question.before!, question.folder !== false)
  const first = await says('acl', question, system, modules)
  const after = structuredClone(descriptor)
  const again = await says('acl', question, system, modules)
  const real = answers[title]!
  const lines = [first, again, real.says, real.again!].map((each) => each.filter((line) => !isDeprecation(line)))
  expect({ says: lines[0], again: lines[1], after }).toEqual({ says: lines[2], again: lines[3], after: real.after })
})

it('warns of the old name of perm_type', async () => {
  const question = ask({ ...read, type: 'deny' })
  const { system } = createWindows(before, true)
  expect((await says('acl', question, system, modules)).filter(isDeprecation)).toHaveLength(1)
})

/** Values that the type rejects or takes; the machine is a Linux, so that no provider does anything. */
const reboots: Readonly<Record<string, Attributes>> = {
  nothing: {},
  'an unknown time': { when: 'now' },
  'a pending restart': { when: 'pending' },
  'no reasons': { unless: [], provider: 'windows' },
  'an unknown moment': { apply: 'later' },
  'an empty message': { message: '' },
  'a long message': { message: 'm'.repeat(8001) },
  'the longest message': { message: 'm'.repeat(8000) },
  'a negative timeout': { timeout: -1 },
  'a timeout with a fraction': { timeout: 1.5 },
  'a timeout as text': { timeout: '120' },
}

const rebootAnswers = askPuppet(
  'reboot',
  Object.fromEntries(
    Object.entries(reboots).map(([title, attributes]) => [
      title,
      { title: 'x', attributes: { provider: 'posix', ...attributes } },
    ]),
  ),
)

it.each(Object.entries(reboots))('reboot: %s', async (title, attributes) => {
  const question = { title: 'x', attributes: { provider: 'posix', ...attributes } }
  expect(await says('reboot', question, recordingSystem({}), modules, { kernel: 'Linux' })).toEqual(
    rebootAnswers[title]!.says,
  )
})

it.each([
  ['C:/x:stream', 'x:stream is a stream of a file'],
  ['C:/NUL', 'NUL is the name of a device'],
  ['\\\\.\\COM1', 'it is the path of a device'],
  ['C:/*', "'*' contains a character that no file name may contain"],
  ['C:/x. ', "Windows removes the last character of 'x. '"],
  ['x', 'File paths must be fully qualified'],
  ['//nas/data', 'it is the root of a share'],
  ['\\\\nas\\data\\x\\..\\', 'it is the root of a share'],
  ['//?/C:/x', 'it has the prefix //?/'],
  ['\\\\?\\UNC\\nas\\data', 'it has the prefix //?/'],
])('acl: rejects the target %s', async (title, why) => {
  const { system, descriptor } = createWindows(before, true)
  const [line = '', ...others] = await says('acl', { ...ask(read), title }, system, modules)
  expect([line.includes(`Could not evaluate: `), line.includes(why), others, descriptor]).toEqual([
    true,
    true,
    [],
    before,
  ])
})

it('acl: rejects a link, and a list with entries that it would lose', async () => {
  const { system, descriptor } = createWindows(before, true)
  const stat = async () => ({ ...(await system.files.stat('C:/x'))!, kind: 'link' as const })
  expect(await says('acl', ask(read), { ...system, files: { ...system.files, stat } }, modules)).toEqual([
    "Acl[C:/x]: Could not evaluate: Puppet cannot manage ACLs of symbolic links (symlinks) on Windows. Resource target 'C:/x' is a symlink.",
  ])
  const conditional: Descriptor = { ...before, entries: [...before.entries, `9,0,1179785,${bob}`] }
  const other = createWindows(conditional, true)
  expect((await says('acl', ask(read), other.system, modules)).at(-1)).toBe(
    "Acl[C:/x]: Could not evaluate: Failed to set security descriptor for path 'C:/x': the list has entries that neither allow nor deny rights to an account",
  )
  expect([descriptor, other.descriptor]).toEqual([before, conditional])
})

it.each(['false', 'true'])('acl: writes a permission that is declared twice once, with purge %s', async (purge) => {
  const { system, descriptor } = createWindows(before, true)
  const permissions = [read, { identity: 'VM\\bob', rights: ['read'] }, { ...read, rights: ['write'] }]
  const question = { before, attributes: { permissions, purge } }
  expect(await says('acl', question, system, modules)).toHaveLength(1)
  const kept = before.entries.filter((line) => purge === 'false' || inherited.includes(line))
  expect([...descriptor.entries].sort()).toEqual([`0,3,1179785,${bob}`, `0,3,1179926,${bob}`, ...kept].sort())
  expect(await says('acl', question, system, modules)).toEqual([])
})

it('acl: reports the error of a target for its own resource only', async () => {
  const { system, descriptor } = createWindows(before, true)
  const stat: System['files']['stat'] = async (path) => {
    if (path === 'C:/y') throw new Error('EBUSY: resource busy or locked')
    return system.files.stat(path)
  }
  const target = `permissions => [${toManifest(read)}]`
  const heard = await saysOf(
    `acl { 'C:/y': ${target} } acl { 'C:/x': ${target} }`,
    { ...system, files: { ...system.files, stat } },
    windowsFacts,
    modules,
  )
  expect(heard.filter((line) => line.includes('EBUSY'))).toEqual([
    'Acl[C:/y]: Could not evaluate: EBUSY: resource busy or locked',
  ])
  expect(descriptor.entries).toContain(`0,3,1179785,${bob}`)
})

it('acl: keeps entries of others bit by bit, also one without an effect, which the module turns into a right', async () => {
  const entries = [`0,8,2032127,${ann}`, `0,0,1179785,S-1-5-21-9`, ...inherited]
  const { system, descriptor } = createWindows({ ...before, entries }, true)
  await says('acl', ask(read), system, modules)
  expect(descriptor.entries).toEqual([`0,3,1179785,${bob}`, ...entries])
})

it.each([
  ['another mask', '131241', '1179785', true],
  ['the same mask', '131241', '0131241', false],
  ['the mask of a right', '2032127', '2032127', false],
])('acl: compares the effect of %s', async (_, present, wanted, isChange) => {
  const { system, descriptor } = createWindows({ ...before, entries: [`0,3,${present},${bob}`] }, true)
  await says('acl', ask({ identity: 'bob', rights: ['mask_specific'], mask: wanted }), system, modules)
  expect(descriptor.entries).toEqual([`0,3,${isChange ? wanted : present},${bob}`])
})

it('acl: is shown as a declaration', async () => {
  const { system } = createWindows({ ...before, entries: [`1,2,1179785,${bob}`, ...inherited.slice(1)] }, true)
  const found = await inspectResource(types.get('acl')!, 'C:/x', system, windowsFacts)
  expect(formatResourceManifest(found!)).toBe(`acl { 'C:/x':
  group                      => 'S-1-5-18',
  inherit_parent_permissions => true,
  owner                      => 'S-1-5-32-544',
  permissions                => [
  {
    'identity' => 'VM\\\\bob',
    'rights' => ['read'],
    'perm_type' => 'deny',
    'child_types' => 'containers'
  },
  {
    'identity' => 'BUILTIN\\\\Users',
    'rights' => ['read', 'execute'],
    'is_inherited' => true
  }],
}
`)
})

it('acl: changes nothing in a noop run', async () => {
  const { system, descriptor } = createWindows(before, true)
  const question = { before, attributes: { permissions: [read], purge: 'true', owner: 'bob', noop: true } }
  const [first, second] = await says('acl', question, system, modules)
  expect([first, second].filter((line) => line?.endsWith(' (noop)'))).toHaveLength(2)
  expect(descriptor).toEqual(before)
})

it('acl: permissions survive the way through an entry', () => {
  const entry = fc.record({
    kind: fc.constantFrom('allow' as const, 'deny' as const),
    sid: fc.constant(bob),
    mask: fc.nat(0xffff_ffff),
    flags: fc.nat(31),
  })
  // An entry that only children have, of which there are none, has no notation.
  const hasPlace = ({ flags }: { flags: number }) => (flags & 3) !== 0 || (flags & 8) === 0
  fc.assert(
    fc.property(entry.filter(hasPlace), (each) => {
      const permission = toPermission(each, undefined)
      const again = toEntry(permission, bob)
      expect(toPermission(again, undefined)).toEqual({
        ...permission,
        mask: String(again.mask >>> 0),
        is_inherited: false,
      })
      if (permission.rights.includes('mask_specific')) expect(again.mask >>> 0).toBe(each.mask)
    }),
  )
})
