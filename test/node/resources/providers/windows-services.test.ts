import { expect, it } from 'vitest'
import { parseServiceStates } from '../../../../src/node/resources/providers/service/windows-control.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import {
  changeLogon,
  type FakeService,
  serviceControl,
  type ToolAnswers,
  windowsFacts,
  windowsSystem,
} from '../windows-tools.ts'

const stopped = (start: string): FakeService => ({ states: [1], start })
const running = (start: string, more: Partial<FakeService> = {}): FakeService => ({ states: [4], start, ...more })

interface Case {
  readonly services: Readonly<Record<string, FakeService>>
  readonly manifest: string
  /** Commands that change something. */
  readonly runs: readonly string[]
  readonly says: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'a service to start and to enable': {
    services: { web: stopped('demand') },
    manifest: "service { 'web': ensure => running, enable => true }",
    runs: ['start web', 'config web start= auto'],
    says: ["Service[web]/ensure: ensure changed 'stopped' to 'running'"],
  },
  'a disabled service to start': {
    services: { web: stopped('disabled') },
    manifest: "service { 'web': ensure => running, enable => false }",
    runs: ['config web start= demand', 'start web', 'config web start= disabled'],
    says: ["Service[web]/ensure: ensure changed 'stopped' to 'running'"],
  },
  'a disabled service without enable': {
    services: { web: stopped('disabled') },
    manifest: "service { 'web': ensure => running }",
    runs: [],
    says: [
      "Will not start disabled service web without managing enable. Specify 'enable => false' to override.",
      "Service[web]/ensure: change from 'stopped' to 'running' failed: Will not start disabled service web without managing enable. Specify 'enable => false' to override.",
    ],
  },
  'a service to stop': {
    services: { web: running('auto') },
    manifest: "service { 'web': ensure => stopped, enable => manual }",
    runs: ['stop web', 'config web start= demand'],
    says: ["Service[web]/ensure: ensure changed 'running' to 'stopped'"],
  },
  'start types': {
    services: { a: running('auto'), b: running('delayed-auto'), c: running('demand'), d: running('disabled') },
    manifest: `service { 'a': enable => delayed } service { 'b': enable => delayed } service { 'c': enable => manual }
      service { 'd': enable => true }`,
    runs: ['config a start= delayed-auto', 'config d start= auto'],
    says: [
      "Service[a]/enable: enable changed 'true' to 'delayed'",
      "Service[d]/enable: enable changed 'false' to 'true'",
    ],
  },
  'a paused service': {
    services: { web: { states: [7], start: 'auto' } },
    manifest: "service { 'web': ensure => running }",
    runs: ['continue web'],
    says: ["Service[web]/ensure: ensure changed 'paused' to 'running'"],
  },
  'a service that does not start': {
    services: { web: { ...stopped('auto'), failure: [1069, 'The service did not start due to a logon failure.'] } },
    manifest: "service { 'web': ensure => running }",
    runs: ['start web'],
    says: [
      'Failed to transition the web service to the SERVICE_RUNNING state. Detail: Failed to start the service:  The service did not start due to a logon failure.',
      "Service[web]/ensure: change from 'stopped' to 'running' failed: Failed to transition the web service to the SERVICE_RUNNING state. Detail: Failed to start the service:  The service did not start due to a logon failure.",
    ],
  },
  'a missing service': {
    services: {},
    manifest: "service { 'none': ensure => stopped, enable => false } service { 'other': enable => true }",
    runs: ['config other start= auto'],
    says: [
      'Cannot enable other, error was: Failed to open a handle to the service:  The specified service does not exist as an installed service.',
      "Service[other]/enable: change from 'false' to 'true' failed: Cannot enable other, error was: Failed to open a handle to the service:  The specified service does not exist as an installed service.",
    ],
  },
  'an account for the logon': {
    services: {
      web: running('auto'),
      own: running('auto', { account: '.\\ann' }),
      net: running('auto', { account: 'NT AUTHORITY\\NetworkService' }),
    },
    manifest: `service { 'web': ensure => running, logonaccount => 'VM\\\\bob', logonpassword => Sensitive('a b"c') }
      service { 'own': logonaccount => 'vm\\\\Ann' }
      service { 'net': logonaccount => 'NT AUTHORITY\\\\NETWORK SERVICE' }`,
    runs: ['logon web .\\bob a b"c', 'stop web', 'start web'],
    says: ["Service[web]/logonaccount: logonaccount changed 'LocalSystem' to 'VM\\bob'"],
  },
  'a password of an account that is right': {
    services: { own: running('auto', { account: '.\\ann' }) },
    manifest: "service { 'own': logonaccount => 'ann', logonpassword => Sensitive('new') }",
    runs: ['logon own .\\ann new'],
    says: [],
  },
  'an account that Windows rejects': {
    services: { web: running('auto') },
    manifest: "service { 'web': logonaccount => 'nobody' }",
    runs: ['logon web .\\nobody '],
    says: [
      'Could not change the logon of service web: Win32_Service.Change returned 22',
      "Service[web]/logonaccount: change from 'LocalSystem' to 'nobody' failed: Could not change the logon of service web: Win32_Service.Change returned 22",
    ],
  },
  'a restart on a refresh': {
    services: { web: running('auto') },
    manifest: "notify { 'x': } ~> service { 'web': ensure => running }",
    runs: ['stop web', 'start web'],
    says: ['x', "Notify[x]/message: defined 'message' as 'x'", "Service[web]: Triggered 'refresh' from 1 event"],
  },
  'commands of the resource': {
    services: { web: running('auto'), bad: running('auto') },
    manifest: `Service { start => 'x', stop => 'x', status => 'x', subscribe => Notify['x'] } notify { 'x': }
      service { 'web': ensure => running, restart => '"C:\\web\\ctl.exe" "a b" c' }
      service { 'bad': restart => 'fail.exe now' }`,
    runs: ['ctl.exe "C:\\web\\ctl.exe" "a b" c', 'fail.exe fail.exe now'],
    says: [
      'x',
      "Notify[x]/message: defined 'message' as 'x'",
      "Service[web]: Triggered 'refresh' from 1 event",
      "Service[bad]: Failed to call refresh: Could not restart Service[bad]: Execution of 'fail.exe now' returned 3: no",
      "Service[bad]: Could not restart Service[bad]: Execution of 'fail.exe now' returned 3: no",
    ],
  },
  'a program with spaces that restarts a service': {
    services: { web: running('auto') },
    manifest: `notify { 'x': } ~> service { 'web': ensure => running, restart => 'C:\\a b\\ctl.exe' }`,
    runs: ['ctl.exe "C:\\a b\\ctl.exe"'],
    says: ['x', "Notify[x]/message: defined 'message' as 'x'", "Service[web]: Triggered 'refresh' from 1 event"],
  },
}

it.each(Object.entries(cases))('%s', async (_, { services, manifest, runs, says }) => {
  const table = structuredClone(services) as Record<string, FakeService>
  const logons: string[] = []
  const tools: ToolAnswers = {
    'sc.exe': serviceControl(table),
    'powershell.exe': changeLogon(table, logons),
    'ctl.exe': () => '',
    'fail.exe': () => ({ status: 3, output: 'no\r\n' }),
  }
  const system = windowsSystem(tools, { 'C:/a b/ctl.exe': '' })
  const heard = await saysOf(manifest, system, windowsFacts)
  const changes = system.commandsRun.map((line) =>
    line.startsWith('powershell.exe') ? logons.shift()! : line.replace('sc.exe ', ''),
  )
  expect({ says: heard, runs: changes.filter((line) => !/^(?:queryex|qc) /.test(line)) }).toEqual({ says, runs })
})

it('reads states in any language, and any text', () => {
  const german =
    '\r\nSERVICE_NAME: spooler\r\n        TYP                : 110  WIN32_OWN_PROCESS  (interactive)\r\n        STATUS             : 4  RUNNING \r\n'
  expect(parseServiceStates(german)).toEqual([
    { name: 'spooler', state: 'SERVICE_RUNNING', checkpoint: 0, waitSeconds: 0 },
  ])
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseServiceStates(text))))
})
