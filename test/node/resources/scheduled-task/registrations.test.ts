import { describe, expect, it } from 'vitest'
import { readOwnerSid } from '../../../../src/machine/task-scheduler/registrations.ts'
import type { ProviderServices } from '../../../../src/node/resources/provider.ts'
import { taskschedulerApi2 } from '../../../../src/node/resources/providers/scheduled_task/taskscheduler.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import { windowsFacts } from '../windows-tools.ts'
import { createDescriptor, fakeScheduler, writeModules } from './fake-scheduler.ts'

const modules = writeModules()
const bob = 'S-1-5-21-1-2-3-1001'

const apply = (manifest: string, system: ReturnType<typeof fakeScheduler>, facts: object = {}) =>
  saysOf(manifest, system, { ...windowsFacts, ...facts }, [modules])

/** A task with a second action and a trigger that no manifest can declare. */
const createTask = (user: string, command = 'C:\\a.exe') => `<Task version="1.1">
  <RegistrationInfo><SecurityDescriptor>D:(A;;FA;;;WD)</SecurityDescriptor></RegistrationInfo>
  <Triggers><EventTrigger/></Triggers>
  <Principals><Principal id="Author">${user}</Principal></Principals>
  <Settings><Enabled>true</Enabled></Settings>
  <Actions><Exec><Command>${command}</Command></Exec><Exec><Command>C:\\evil.exe</Command></Exec></Actions>
</Task>`

const ofSystem = createTask('<UserId>S-1-5-18</UserId>')
const manifest = "scheduled_task { 't': command => 'C:/a.exe' }"
const foreign = /evil|EventTrigger|SecurityDescriptor/

describe('a task that a user can have written', () => {
  it('is built anew, also if it looks in sync', async () => {
    const system = fakeScheduler({ t: ofSystem }, undefined, { t: bob })
    expect(await apply(manifest, system)).toEqual(['Scheduled_task[t]/ensure: created'])
    expect(system.ran).toEqual(['/Delete /TN t /F', '/Create /TN t /XML FILE /F'])
    expect(system.tasks.get('t')).not.toMatch(foreign)
    expect(await apply(manifest, system)).toEqual([])
  })

  it('is built anew in a folder of that user, in each run', async () => {
    const system = fakeScheduler({ 'Sub/t': ofSystem }, undefined, { Sub: bob })
    const inFolder = "scheduled_task { 'Sub\\t': command => 'C:/a.exe', compatibility => 2 }"
    for (const _ of [1, 2]) expect(await apply(inFolder, system)).toEqual(['Scheduled_task[Sub\\t]/ensure: created'])
    expect(system.tasks.get('Sub/t')).not.toMatch(foreign)
  })

  it.each([ofSystem, '<Task', '<Other/>'])('is replaced or removed with the content %s', async (xml) => {
    const present = fakeScheduler({ t: xml }, undefined, { t: bob })
    expect(await apply(manifest, present)).toEqual(['Scheduled_task[t]/ensure: created'])
    const system = fakeScheduler({ t: xml }, undefined, { t: bob })
    expect(await apply("scheduled_task { 't': ensure => absent }", system)).toEqual([
      'Scheduled_task[t]/ensure: removed',
    ])
  })

  it('is built anew if its file is not the registered one', async () => {
    const system = fakeScheduler({ 'Sub/t': ofSystem.replace('C:\\evil', 'C:\\evil\\tampered') })
    const inFolder = "scheduled_task { 'Sub\\t': command => 'C:/a.exe', compatibility => 2 }"
    expect(await apply(inFolder, system)).toEqual(['Scheduled_task[Sub\\t]/ensure: created'])
    expect(system.tasks.get('Sub/t')).not.toMatch(foreign)
    expect(await apply(inFolder, system)).toEqual([])
  })

  it('stays in a run without rights of an administrator, which can only register tasks of its account', async () => {
    const system = fakeScheduler({ t: createTask(`<UserId>${bob}</UserId>`) }, undefined, { t: bob })
    const own = "scheduled_task { 't': command => 'C:/a.exe', user => bob, description => x }"
    const says = await apply(own, system, { identity: { privileged: false } })
    expect(says).toEqual(["Scheduled_task[t]/description: description changed '' to 'x'"])
    expect(system.tasks.get('t')).toContain('EventTrigger')
  })
})

describe('a task of administrators', () => {
  it.each([
    ['of another account', `<UserId>${bob}</UserId>`, /user: user changed 'VM\\bob' to 'system'/],
    ['of a group', '<GroupId>S-1-5-32-545</GroupId>', /command: command changed/],
  ])('%s is built anew', async (_, principal, says) => {
    const system = fakeScheduler({ t: createTask(principal, 'C:\\old.exe') })
    expect((await apply(manifest, system)).join('\n')).toMatch(says)
    expect(system.tasks.get('t')).not.toMatch(foreign)
    expect(system.ran.at(-1)).toBe('/Create /TN t /XML FILE /F')
    expect(await apply(manifest, system)).toEqual([])
  })

  it('of the declared account keeps other parts, without the access list', async () => {
    for (const owner of ['S-1-5-18', 'S-1-5-32-544']) {
      const system = fakeScheduler({ t: createTask('<UserId>SYSTEM</UserId>', 'C:\\old.exe') }, undefined, { t: owner })
      expect(await apply(manifest, system)).toHaveLength(1)
      expect(system.tasks.get('t')).toContain('evil.exe')
      expect(system.tasks.get('t')).not.toContain('SecurityDescriptor')
      expect(system.ran).toEqual(['/Create /TN t /XML FILE /F'])
    }
  })
})

describe('a file in the folder of tasks that is no task', () => {
  const plant = () => fakeScheduler({ t: ofSystem, 'Sub/u': ofSystem }, undefined, { t: undefined })

  it('is removed before the task is registered', async () => {
    const system = plant()
    expect(await apply(manifest, system)).toEqual(['Scheduled_task[t]/ensure: created'])
    expect(system.ran).toEqual(['remove t', '/Create /TN t /XML FILE /F'])
    expect(system.tasks.get('t')).not.toMatch(foreign)
    expect(await apply(manifest, system)).toEqual([])
  })

  it('is not removed through a link, which leads elsewhere', async () => {
    const system = fakeScheduler({ 'Sub/t': ofSystem }, undefined, { 'Sub/t': undefined })
    const { stat } = system.files
    const files: typeof system.files = {
      ...system.files,
      async stat(path) {
        const found = await stat(path)
        return found && { ...found, kind: path.endsWith('/Sub') ? 'link' : found.kind }
      },
    }
    const inFolder = "scheduled_task { 'Sub\\t': command => 'C:/a.exe', compatibility => 2 }"
    const says = await apply(inFolder, { ...system, files })
    expect(says.join('\n')).toContain('the folder Sub is a link')
    expect(system.ran).toEqual([])
  })

  it('is absent, and neither listed nor purged', async () => {
    const system = plant()
    expect(await apply("scheduled_task { 't': ensure => absent }", system)).toEqual([])
    const found = await taskschedulerApi2.list!({ system } as unknown as ProviderServices)
    expect(found.map(({ name }) => name)).toEqual(['Sub\\u'])
    const purge = "scheduled_task { 'x': ensure => absent } resources { 'scheduled_task': purge => true }"
    expect(await apply(purge, system)).toEqual(['Scheduled_task[Sub\\u]/ensure: removed'])
  })
})

it('finds tasks by their files on a Windows without registrations, as Wine', async () => {
  const system = fakeScheduler({ 'Sub/t': ofSystem }, undefined, 'none')
  expect(await apply("scheduled_task { 'Sub\\t': ensure => absent }", system)).toHaveLength(1)
  const listed = fakeScheduler({ 'Sub/t': ofSystem }, undefined, 'none')
  const found = await taskschedulerApi2.list!({ system: listed } as unknown as ProviderServices)
  expect(found.map(({ name }) => name)).toEqual(['Sub\\t'])
})

it('reads the owner of any security descriptor', () => {
  expect(readOwnerSid(createDescriptor(bob))).toBe(bob)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(30), (bytes, cut) => {
      const descriptor = Buffer.from(bytes)
      if (bytes.length > 8) descriptor.writeUInt32LE(cut, 4)
      const owner = readOwnerSid(descriptor)
      expect(owner ?? 'S-1-0').toMatch(/^S-\d+-\d+(-\d+)*$/)
    }),
  )
})
