import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'
import { createDescriptor } from '../resources/scheduled-task/fake-scheduler.ts'

const missing = without('Windows (Wine)')

/** What the compiler needs of the module; the type itself is native. */
const declaration = `Puppet::Type.newtype(:scheduled_task) do
  ensurable
  newparam(:name, namevar: true)
  %i[enabled command compatibility].each { |name| newproperty(name) }
  newproperty(:trigger, array_matching: :all)
end`

/** With it, Wine accepts names of files in any language. */
const unicode = { LC_ALL: 'C.UTF-8' }

// Wine stores neither triggers nor actions of a task, so that its properties are compared with recorded forms only
// (test/node/resources/scheduled-task).
describe.skipIf(missing)(`scheduled tasks of Windows${missing}`, () => {
  let windows: WindowsMachine
  let tasks = ''
  beforeAll(async () => {
    windows = await startWindows()
    tasks = join(windows.driveC, 'windows/system32/tasks')
    const folder = join(windows.driveC, 'modules/scheduled_task/lib/puppet/type')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'scheduled_task.rb'), declaration)
  })
  afterAll(() => windows?.stop())

  const apply = (manifest: string) => {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    const words = ['apply', '--detailed-exitcodes', '--modulepath', 'C:/modules', 'C:/work/site.pp']
    return windows.plumb(words, unicode)
  }

  it('are registered in a folder, found in any case, listed, and removed', async () => {
    const created = await apply(`scheduled_task { 'Sub "x"': ensure => absent }
      scheduled_task { 'Plumb\\Nächtlich % & b': command => 'C:/windows/notepad.exe', compatibility => 2,
        trigger => [{ schedule => daily, start_time => '07:00' }, { schedule => boot }] }`)
    expect(created.stdout).toContain('Scheduled_task[Plumb\\Nächtlich % & b]/ensure: created')
    expect(created.stderr).toContain('contains a character that no file name may contain')
    expect(readFileSync(join(tasks, 'Plumb/Nächtlich % & b'), 'utf8')).toContain('<Task ')
    const listed = await windows.plumb(['resource', 'scheduled_task', '--modulepath', 'C:/modules'], unicode)
    expect(listed.stdout).toContain("scheduled_task { 'Plumb\\Nächtlich % & b':")
    const removed = await apply(`scheduled_task { 'plumb\\nächtlich % & B': ensure => absent }`)
    expect(removed).toMatchObject({ exitCode: 2, stderr: '' })
    expect(existsSync(join(tasks, 'Plumb/Nächtlich % & b'))).toBe(false)
    const again = await apply(`scheduled_task { 'Plumb\\Nächtlich % & b': ensure => absent }`)
    expect(again).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('are not registered from bad input', async () => {
    const { stderr } = await apply(
      `scheduled_task { 'x': command => 'C:/a.exe', trigger => { schedule => daily, start_time => '25:00' } }`,
    )
    expect(stderr).toContain('Parameter trigger failed on Scheduled_task[x]: Invalid start_time value: 25:00')
    expect(existsSync(join(tasks, 'x'))).toBe(false)
  })

  it('are not found from files alone, where the registry has registrations', async () => {
    const tree = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Schedule\\TaskCache\\Tree'
    const add = (words: readonly string[]) => windows.run(['reg.exe', 'add', ...words, '/f'], unicode)
    const owned = (sid: string) => ['/v', 'SD', '/t', 'REG_BINARY', '/d', createDescriptor(sid).toString('hex')]
    mkdirSync(join(tasks, 'Sub'), { recursive: true })
    for (const name of ['Real', 'Sub/OfUser', 'Planted'])
      writeFileSync(
        join(tasks, name),
        '<Task version="1.2"><Principals><Principal><UserId>S-1-5-18</UserId></Principal></Principals><Actions><Exec><Command>C:\\a.exe</Command></Exec></Actions></Task>',
      )
    for (const [name, sid] of [
      ['Real', 'S-1-5-32-544'],
      ['Sub\\OfUser', 'S-1-5-21-1-2-3-1001'],
    ] as const) {
      await add([`${tree}\\${name}`, '/v', 'Id', '/d', '{0}'])
      await add([`${tree}\\${name}`, ...owned(sid)])
    }
    const listed = await windows.plumb(['resource', 'scheduled_task', '--modulepath', 'C:/modules'], unicode)
    expect(listed.stdout.match(/^scheduled_task \{ '.*'/gm)).toEqual([
      "scheduled_task { 'Real'",
      "scheduled_task { 'Sub\\OfUser'",
    ])
    const { stdout } = await apply(`scheduled_task { 'Planted': ensure => absent }
      scheduled_task { default: command => 'C:/a.exe', compatibility => 2; ['Sub\\OFUSER', 'real']: }`)
    expect(stdout.match(/Scheduled_task.*(?:created|removed)/g)).toEqual([
      'Scheduled_task[Sub\\OFUSER]/ensure: created',
    ])
  })
})
