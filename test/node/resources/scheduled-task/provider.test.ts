import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createXmlElement,
  formatXml,
  parseXml,
  readXmlText,
  type XmlElement,
} from '../../../../src/machine/task-scheduler/xml-tree.ts'
import type { ProviderServices } from '../../../../src/node/resources/provider.ts'
import {
  taskschedulerApi2,
  win32Taskscheduler,
} from '../../../../src/node/resources/providers/scheduled_task/taskscheduler.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import { windowsFacts } from '../windows-tools.ts'
import { fakeScheduler, writeModules } from './fake-scheduler.ts'

const modules = writeModules()

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'))
afterEach(() => void vi.unstubAllEnvs())

const apply = (manifest: string, system: ReturnType<typeof fakeScheduler>) =>
  saysOf(manifest, system, windowsFacts, [modules])

/** A task in the form in which Windows 10 exports one (Microsoft: "Logon Trigger Example (XML)", with settings of 1.2). */
const exported = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Date>2026-01-01T08:00:00</Date>
    <Author>VM\\admin</Author>
    <Description>Ünï &lt;漢&gt;</Description>
    <URI>\\Sub\\Exported</URI>
  </RegistrationInfo>
  <Triggers>
    <EventTrigger>
      <Enabled>true</Enabled>
      <Subscription>&lt;QueryList/&gt;</Subscription>
    </EventTrigger>
    <CalendarTrigger>
      <Repetition>
        <Interval>PT1H</Interval>
        <Duration>P1D</Duration>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2026-01-01T06:00:00Z</StartBoundary>
      <Enabled>true</Enabled>
      <RandomDelay>PT30M</RandomDelay>
      <ScheduleByDay>
        <DaysInterval>2</DaysInterval>
      </ScheduleByDay>
    </CalendarTrigger>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>VM\\bob</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>S-1-5-21-1-2-3-1001</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>Queue</MultipleInstancesPolicy>
    <IdleSettings>
      <StopOnIdleEnd>true</StopOnIdleEnd>
    </IdleSettings>
    <Enabled>true</Enabled>
    <ExecutionTimeLimit>PT1H</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <ComHandler>
      <ClassId>{00000000-0000-0000-0000-000000000000}</ClassId>
    </ComHandler>
    <Exec>
      <Command>C:\\app\\run.exe</Command>
      <Arguments>"a" &amp; b</Arguments>
      <WorkingDirectory>C:\\app</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`.replaceAll('\n', '\r\n')

const exportedTriggers = `trigger => [
  { schedule => daily, start_time => '07:00', start_date => '2026-01-01', every => 2, random_delay => 'PT30M',
    minutes_interval => 60, minutes_duration => 1440 },
  { schedule => logon, user_id => 'BOB' }]`

const sameAsExported = `command => 'C:/app/run.exe', arguments => '"a" & b', working_dir => 'C:\\app', user => 'bob',
  description => 'Ünï <漢>', compatibility => 2, ${exportedTriggers}`

describe('a new task', () => {
  const manifest = `scheduled_task { 'Nightly':
    command => 'C:/Program Files/x/run.exe', arguments => '/a "b" & c', working_dir => 'C:\\x', description => 'Räumt <auf>',
    trigger => [{ schedule => daily, start_time => '7pm', minutes_interval => 60 }, { schedule => logon }],
  }`

  it('is registered with the account SYSTEM, and changes nothing in a second run', async () => {
    const system = fakeScheduler()
    expect(await apply(manifest, system)).toEqual(['Scheduled_task[Nightly]/ensure: created'])
    expect(system.ran).toEqual(['/Create /TN Nightly /XML FILE /F'])
    expect(system.tasks.get('Nightly')).toMatchSnapshot()
    expect(await apply(manifest, system)).toEqual([])
    expect(system.ran).toHaveLength(1)
  })

  it('keeps its folder', async () => {
    const system = fakeScheduler()
    await apply("scheduled_task { 'Å\\b c': command => 'C:/a.exe', compatibility => 2 }", system)
    expect(system.ran).toEqual(['/Create /TN Å\\b c /XML FILE /F'])
    expect([...system.tasks.keys()]).toEqual(['Å/b c'])
  })

  it.each([
    ['bob', undefined, 'S-1-5-21-1-2-3-1001', 'InteractiveToken', '/Create /TN t /XML FILE /F'],
    ['VM\\BOB', 'sécret', 'S-1-5-21-1-2-3-1001', 'Password', 'RegisterTask t VM\\bob sécret'],
    ['corp\\svc$', undefined, 'S-1-5-21-9-9-9-1105', 'Password', 'RegisterTask t CORP\\svc$ no password'],
    ['Network Service', undefined, 'S-1-5-20', undefined, '/Create /TN t /XML FILE /F'],
    ['SYSTEM', 'x', 'S-1-5-18', undefined, '/Create /TN t /XML FILE /F'],
  ])('of %s with the password %s has the account %s', async (user, password, sid, logon, last) => {
    const system = fakeScheduler()
    const secret = password === undefined ? '' : `password => '${password}',`
    const own = `scheduled_task { 't': command => 'C:/a.exe', user => '${user}', ${secret} }`
    expect(await apply(own, system)).toEqual(['Scheduled_task[t]/ensure: created'])
    expect(system.ran.at(-1)).toBe(last)
    expect(system.commandsRun.join('\n')).not.toContain('sécret')
    const task = parseXml(system.tasks.get('t')!)
    expect(readXmlText(task, 'Principals', 'Principal', 'UserId')).toBe(sid)
    expect(readXmlText(task, 'Principals', 'Principal', 'LogonType')).toBe(logon)
    expect(readXmlText(task, 'Principals', 'Principal', 'RunLevel')).toBe('HighestAvailable')
    expect(await apply(own, system)).toEqual([])
  })
})

describe('a present task', () => {
  it('is in sync in any notation, and in a run with noop', async () => {
    const system = fakeScheduler({ 'Sub/Exported': exported })
    expect(await apply(`scheduled_task { 'sub\\exported': ${sameAsExported} }`, system)).toEqual([])
    expect(system.ran).toEqual(['accounts S-1-5-21-1-2-3-1001, VM\\bob, bob, BOB'])
  })

  it('keeps the elements that are not managed', async () => {
    const system = fakeScheduler({ 'Sub/Exported': exported })
    const manifest = `scheduled_task { 'Sub\\Exported': enabled => false, description => 'new', ${sameAsExported.replace(/description => '[^']*',/, '')} }`
    expect(await apply(manifest, system)).toEqual([
      "Scheduled_task[Sub\\Exported]/enabled: enabled changed 'true' to 'false'",
      "Scheduled_task[Sub\\Exported]/description: description changed 'Ünï <漢>' to 'new'",
    ])
    const expected = exported
      .replace('Ünï &lt;漢&gt;', 'new')
      .replace('LeastPrivilege', 'HighestAvailable')
      .replace('</IdleSettings>\r\n    <Enabled>true', '</IdleSettings>\r\n    <Enabled>false')
      .replace('"a" &amp; b', '&quot;a&quot; &amp; b')
    expect(system.tasks.get('Sub/Exported')).toBe(expected)
    expect(await apply(manifest, system)).toEqual([])
  })

  it('loses other triggers and gets missing ones', async () => {
    const system = fakeScheduler({ t: exported })
    const manifest = `scheduled_task { 't': ${sameAsExported.replace('start_time => ', 'start_time => ').replace("'07:00'", "'08:00'")} }`
    const says = await apply(manifest, system)
    expect(says).toHaveLength(1)
    expect(says[0]).toContain("Scheduled_task[t]/trigger: trigger changed [\n  {\n    'start_date' => '2026-1-1'")
    const task = system.tasks.get('t')!
    expect(task.match(/<(?:Event|Calendar|Logon)Trigger>/g)).toEqual([
      '<EventTrigger>',
      '<LogonTrigger>',
      '<CalendarTrigger>',
    ])
    expect(task).toContain('<StartBoundary>2026-01-01T08:00:00+01:00</StartBoundary>')
    expect(await apply(manifest, system)).toEqual([])
  })

  it('is removed', async () => {
    const system = fakeScheduler({ t: exported })
    const manifest = "scheduled_task { ['t', 'other']: ensure => absent }"
    expect(await apply(manifest, system)).toEqual(['Scheduled_task[t]/ensure: removed'])
    expect(system.ran).toEqual(['/Delete /TN t /F'])
    expect(await apply(manifest, system)).toEqual([])
  })

  it('is purged in any folder, unless it belongs to Windows or to the agent', async () => {
    const system = fakeScheduler({
      t: exported,
      'Sub/a': exported,
      'Sub/Deep/b': exported,
      broken: '<Task',
      'Microsoft/Windows/c': exported,
      'Plumbline Agent': exported,
    })
    const manifest = "scheduled_task { 'T': command => 'C:/app/run.exe' } resources { 'scheduled_task': purge => true }"
    const says = await apply(manifest, system)
    expect(says).toContain('Scheduled_task[Sub\\a]/ensure: removed')
    expect(says).toContain('Scheduled_task[Sub\\Deep\\b]/ensure: removed')
    expect([...system.tasks.keys()]).toEqual(['t', 'broken', 'Microsoft/Windows/c', 'Plumbline Agent'])
  })
})

describe('bad input', () => {
  it.each([
    ["command => 'C:/a.exe', user => 'nobody'", 'Invalid user: nobody'],
    [
      "command => 'C:/a.exe', trigger => { schedule => logon, user_id => 'nobody' }",
      'Invalid user, specified user must exist: nobody',
    ],
    ["description => 'x'", 'Parameter command is required.'],
  ])('with %s registers nothing', async (attributes, message) => {
    const system = fakeScheduler()
    expect((await apply(`scheduled_task { 't': ${attributes} }`, system)).join('\n')).toContain(message)
    expect([...system.tasks.keys()]).toEqual([])
  })

  it.each([
    ['..\\..\\config\\SAM', 'is no name for a scheduled task'],
    ['a\\\\\\\\b', 'is no name for a scheduled task'],
    ['a/b', 'is no name for a scheduled task'],
    ['nul', 'nul is the name of a device'],
    ['a:b', 'is a stream of a file'],
  ])('as the name %s fails', async (name, message) => {
    const system = fakeScheduler()
    const says = await apply(`scheduled_task { '${name}': command => 'C:/a.exe', compatibility => 2 }`, system)
    expect(says.join('\n')).toContain(message)
    expect(system.ran).toEqual([])
  })

  it('in the file of a task fails, and the task stays', async () => {
    const system = fakeScheduler({ t: '<!DOCTYPE x><Task/>', u: '<Other/>' })
    const says = await apply("scheduled_task { ['t', 'u']: command => 'C:/a.exe' }", system)
    expect(says).toEqual([
      "Scheduled_task[t]: Could not evaluate: Could not read the scheduled task 't': invalid XML at character 3: document types are not supported",
      "Scheduled_task[u]: Could not evaluate: Could not read the scheduled task 'u': invalid XML at character 0: there is no element Task",
    ])
    expect(system.ran).toEqual([])
  })

  it('that Windows rejects is reported', async () => {
    const system = fakeScheduler({}, '(8,10):StartBoundary:2026')
    const says = await apply("scheduled_task { 't': command => 'C:/a.exe' }", system)
    expect(says.join('\n')).toContain(
      "Could not evaluate: Could not register the scheduled task 't': ERROR: (8,10):StartBoundary:2026",
    )
  })

  it('of delays is reported for tasks that cannot have them', async () => {
    const system = fakeScheduler()
    const says = await apply(
      `scheduled_task { 't': command => 'C:/a.exe', trigger => [
        { schedule => daily, start_time => '07:00', random_delay => 'PT5M' }, { schedule => boot, delay => 'PT1M' }] }
      scheduled_task { 'u': command => 'C:/a.exe', compatibility => 4, trigger => { schedule => boot, random_delay => 'PT5M' } }`,
      system,
    )
    expect(says).toEqual([
      "The 'random_delay' property requires compatibility level 2 or higher. Current compatibility level is 1.",
      "The 'delay' property requires compatibility level 2 or higher. Current compatibility level is 1.",
      "Ignoring 'random_delay' property because compatibility level is less than 2. The random_delay property will not be set.",
      "Ignoring 'delay' property because compatibility level is less than 2. The delay property will not be set.",
      'Scheduled_task[t]/ensure: created',
      "Ignoring 'random_delay' property because it is not supported for boot triggers. The random_delay property will not be set.",
      'Scheduled_task[u]/ensure: created',
    ])
  })
})

describe('the list of tasks', () => {
  const tasks = { 'Sub/Exported': exported, old: exported.replace('version="1.2"', 'version="1.1"'), broken: 'x' }

  it('has all properties, and the triggers that manifests can declare', async () => {
    const services = { system: fakeScheduler(tasks) } as unknown as ProviderServices
    const found = await taskschedulerApi2.list!(services)
    expect(found.map(({ name }) => name)).toEqual(['Sub\\Exported', 'old'])
    expect(found[0]).toMatchInlineSnapshot(`
      {
        "arguments": ""a" & b",
        "command": "C:\\app\\run.exe",
        "compatibility": 2,
        "description": "Ünï <漢>",
        "enabled": "true",
        "ensure": "present",
        "name": "Sub\\Exported",
        "trigger": [
          {
            "disable_time_zone_synchronization": false,
            "enabled": true,
            "every": 2,
            "index": 1,
            "minutes_duration": 1440,
            "minutes_interval": 60,
            "random_delay": "PT30M",
            "schedule": "daily",
            "start_date": "2026-1-1",
            "start_time": "07:00",
          },
          {
            "delay": "",
            "disable_time_zone_synchronization": false,
            "enabled": true,
            "index": 2,
            "minutes_duration": 0,
            "minutes_interval": 0,
            "schedule": "logon",
            "start_date": "",
            "start_time": "",
            "user_id": "VM\\bob",
          },
        ],
        "user": "VM\\bob",
        "working_dir": "C:\\app",
      }
    `)
  })

  it('of the older provider has the tasks of its compatibility', async () => {
    const services = { system: fakeScheduler(tasks) } as unknown as ProviderServices
    expect((await win32Taskscheduler.list!(services)).map(({ name }) => name)).toEqual(['old'])
  })
})

it('reads any task without an error', async () => {
  const names = [
    'Triggers',
    'CalendarTrigger',
    'LogonTrigger',
    'Repetition',
    'Interval',
    'StartBoundary',
    'Enabled',
    'UserId',
  ]
  const more = [
    'ScheduleByMonth',
    'DaysOfMonth',
    'Day',
    'Months',
    'Principals',
    'Principal',
    'Actions',
    'Exec',
    'Command',
  ]
  const texts = [
    'PT1H',
    'P9999999999999999999Y',
    '2026-02-30T25:61:61',
    '0000-00-00T00:00:00Z',
    'Last',
    '-1',
    'true',
    '\0',
  ]
  const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom(...names, ...more),
        fc.array(fc.oneof({ depthSize: 'medium' }, fc.constantFrom(...texts), fc.string(), tie('element')), {
          maxLength: 4,
        }),
      )
      .map(([name, children]) => createXmlElement(name, ...children)),
  }))
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (parts) => {
      const system = fakeScheduler({ t: formatXml(createXmlElement('Task', ...parts)) })
      const [found] = await taskschedulerApi2.list!({ system } as unknown as ProviderServices)
      expect(found).toMatchObject({ name: 't', ensure: 'present' })
    }),
  )
})
