import { existsSync } from 'node:fs'
import { defineIssues, fail } from '../../base/issue.ts'
import { printJson } from '../../base/json/json-text.ts'
import { beginShortRun, endShortRun } from '../../base/threads/short-run.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { runAgent } from '../../node/agent/agent.ts'
import { type Device, parseDeviceConf } from '../../node/agent/devices/device-conf.ts'
import { deviceOfRun } from '../../node/agent/devices/device-of-run.ts'
import { factsOfDevice } from '../../node/agent/devices/facts-of-device.ts'
import type { Log } from '../../node/agent/log.ts'
import { openLog } from '../../node/agent/log-destinations.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { RubyInspection } from '../../node/agent/ruby/inspect-in-ruby.ts'
import { rubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { applyToDevice } from '../apply/apply.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import { logdestOf, logdestOption } from '../command/logdest.ts'
import type { Option } from '../command/options.ts'
import { rubyYaml } from '../command/ruby-render.ts'
import { whenToldToEnd } from '../command/told-to-end.ts'
import { codeSettings, openModules } from '../input/code-source.ts'
import { withLibraries } from '../module/module-files.ts'

// Puppet: application/device.rb
const issues = defineIssues({
  NEEDS_TARGET: {
    text: (a: { what: string }) => `Could not run: ${a.what}`,
    hint: () => 'Use plumb device --target CERTNAME …',
  },
  NO_MANIFEST: { text: (a: { file: string }) => `Could not run: ${a.file} does not exist, cannot apply` },
  NO_TARGET: {
    text: (a: { target: string; file: string }) =>
      `Could not run: Target device / certificate '${a.target}' not found in ${a.file}`,
  },
  NO_DEVICE: {
    text: (a: { file: string }) => `No device found in ${a.file}`,
    hint: () => 'Add a section [CERTNAME] with the lines "type TYPE" and "url URL".',
  },
  NO_TYPE_OF_DEVICE: { text: (a: { type: string }) => `Could not find type ${a.type}` },
})

const deviceOptions = [
  { flags: '-t, --target <device>', doc: 'Configure only this device of device.conf.' },
  { flags: '-a, --apply <file>', doc: 'Apply a manifest to the target, without a server.' },
  { flags: '-f, --facts', doc: 'Print the facts of the target.' },
  {
    flags: '-r, --resource <type>',
    doc: 'Print the resources of a type on the target, in Puppet syntax; optionally only the resource NAME.',
  },
  { flags: '-y, --to_yaml', doc: 'Print resources as YAML for Hiera.' },
  {
    flags: '--detailed-exitcodes',
    doc: 'Exit with the sum of 1 for a failed run, 2 for changes and 4 for failures.',
  },
  logdestOption,
] as const satisfies readonly Option[]

type DeviceInvocation = Invocation<typeof deviceOptions>

/** `plumb device` */
export const device = defineCommand({
  name: 'device',
  summary: 'Configure network devices that have no agent of their own.',
  description: `Each section of device.conf (setting deviceconfig) defines a device: certname, transport type and URL.

  [switch1.example.com]
  type cisco_nexus
  url file:///etc/plumb/credentials/switch1.conf

Each device has its own certificate, plug-ins, facts, catalog and report, in $deviceconfdir and $devicedir. The Ruby code
of its module connects to it. Only resources of device types are managed. With --libdir, plug-ins are loaded from that
directory and not downloaded. Exits with 1 if the run of a device failed.

  plumb device --target switch1.example.com --verbose
  plumb device --target switch1.example.com --resource port`,
  usage: '[name]',
  options: deviceOptions,
  letters: { '-w': 'waitforcert' },
  async run(invocation) {
    const { options, settings: given, io } = invocation
    checkTarget(options)
    const settings = loadSettings({ given, runMode: 'agent' })
    requireTrustedFolders(settings)
    const devices = await chosen(settings, options.target)
    const isAsked = options.apply !== undefined || options.facts === true || options.resource !== undefined
    const isHeard = isAsked || options.debug === true || options.verbose === true
    const least = options.debug ? 'debug' : options.verbose ? 'info' : settings.log_level
    const { logdest, ...voice } = logdestOf(settings, options)
    const destination = logdest || (isHeard ? 'console' : 'syslog')
    const log = await openLog({ ...voice, logdest: destination, least, name: 'puppet-device', console: io })
    const statuses: number[] = []
    try {
      for (const each of devices) statuses.push(await work({ invocation, settings, log }, each))
    } finally {
      await log.close()
    }
    if (options.detailedExitcodes === true) return statuses.reduce((all, each) => all | each, 0)
    return statuses.includes(1) ? 1 : 0
  },
})

function checkTarget({ target, apply, facts, resource }: DeviceInvocation['options']): void {
  if (target === undefined) {
    if (resource !== undefined) fail(issues.NEEDS_TARGET, { what: 'resource command requires target' })
    if (facts === true) fail(issues.NEEDS_TARGET, { what: 'facts command requires target' })
    if (apply !== undefined)
      fail(issues.NEEDS_TARGET, { what: 'missing argument: --target is required when using --apply' })
  }
  if (apply !== undefined && !existsSync(apply)) fail(issues.NO_MANIFEST, { file: apply })
}

/** The selected devices. Throws NO_DEVICE, NO_TARGET, or an error in device.conf. */
async function chosen({ deviceconfig: file }: Settings, target: string | undefined): Promise<readonly Device[]> {
  const text = (await directSystem.files.readText(file)) ?? ''
  const devices = parseDeviceConf({ file, text })
  if (target === undefined) return devices.size > 0 ? [...devices.values()] : fail(issues.NO_DEVICE, { file })
  return [devices.get(target) ?? fail(issues.NO_TARGET, { target, file })]
}

interface Order {
  readonly invocation: DeviceInvocation
  /** Settings of this machine. */
  readonly settings: Settings
  readonly log: Log
}

/**
 * Runs the requested action for one device, and returns its exit status. An error does not stop the work on other
 * devices.
 */
async function work(order: Order, each: Device): Promise<number> {
  const { options } = order.invocation
  try {
    const settings = await settingsOf(order, each)
    const own = { ...order, settings }
    if (options.resource !== undefined) return await showResources(own, each)
    if (options.facts === true) return await showFacts(own, each)
    if (options.apply !== undefined) return await applyFile(own, each, options.apply)
    return await configure(own, each)
  } catch (error) {
    order.log.err(errorText(error))
    return 1
  }
}

/** The settings of a device: its own certificates, state and plug-ins, with the puppet.conf of this machine. */
async function settingsOf({ invocation, settings }: Order, { name }: Device): Promise<Settings> {
  const { devicedir, deviceconfdir, config } = settings
  const place = `${devicedir}/${name}`
  const given = invocation.settings
  const own = {
    ...given,
    ...(invocation.options.debug === true && { log_level: 'debug' }),
    ...(existsSync(config) && { config }),
    confdir: place,
    vardir: place,
    ssldir: `${deviceconfdir}/${name}/ssl`,
    certname: name,
    ...(given['libdir'] !== undefined && { pluginsync: 'false' }),
  }
  const { files } = directSystem
  await files.makeDirectory(own.ssldir, 0o771)
  await files.makeDirectory(place, 0o750)
  // Puppet also links the certificates below the state directory: PUP-8736.
  if ((await files.stat(`${place}/ssl`)) === undefined) await files.link(own.ssldir, `${place}/ssl`)
  const ofDevice = loadSettings({ given: own, runMode: 'agent' })
  requireTrustedFolders(ofDevice)
  return ofDevice
}

async function configure({ settings, log, invocation }: Order, each: Device): Promise<number> {
  log.info(`starting applying configuration to ${each.name} at ${addressOf(each.url)}`)
  beginShortRun()
  const stop = new AbortController()
  whenToldToEnd((signal) => {
    log.notice(`Caught ${signal.slice(3)}; exiting`)
    stop.abort()
  })
  try {
    const status = await runAgent({
      settings,
      system: directSystem,
      log,
      environmentGiven: invocation.settings['environment'] !== undefined,
      device: await deviceOfRun(each, directSystem.files),
      say: (text) => invocation.io.out(`${text}\n`),
      stop: stop.signal,
      once: settings.onetime || settings.waitforcert === 0,
    })
    return status === 'abandoned' ? 1 : status
  } finally {
    endShortRun()
  }
}

/** Calls `task` with the plug-in directories of the environment's modules. */
async function withCode<Result>(
  { invocation }: Order,
  task: (libraries: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const given = { options: {}, settings: invocation.settings, io: invocation.io }
  return withLibraries(await openModules(given, codeSettings(given)), task)
}

async function showFacts(order: Order, each: Device): Promise<number> {
  const { settings, log, invocation } = order
  log.info(`retrieving facts from ${each.name} at ${addressOf(each.url)}`)
  const device = await deviceOfRun(each, directSystem.files)
  const values = await withCode(order, (libraries) => factsOfDevice(device, { settings, log, libraries }))
  invocation.io.out(`${printJson({ name: each.name, values }, 2)}\n`)
  return 0
}

async function showResources(order: Order, each: Device): Promise<number> {
  const { settings, log, invocation } = order
  const { options, args, io } = invocation
  const type = (options.resource ?? '').toLowerCase()
  log.info(`retrieving resource: ${type} from ${each.name} at ${addressOf(each.url)}`)
  const device = await deviceOfRun(each, directSystem.files)
  const found = await withCode(order, async (libraries) => {
    const loadPath = [...libraries, settings.plugindest]
    const ruby = rubyOptions({ settings, facts: {}, loadPath, device, debug: options.debug === true })
    const inspection = (await RubyInspection.open(type, ruby, log)) ?? fail(issues.NO_TYPE_OF_DEVICE, { type })
    try {
      return args[0] === undefined ? await inspection.all() : [await inspection.one(args[0])]
    } finally {
      await inspection.close()
    }
  })
  const asYaml = () =>
    rubyYaml(valueFromJson({ [type]: Object.fromEntries(found.map((one) => [one.title, one.values])) }))
  io.out(options.to_yaml === true ? asYaml() : `${found.map(({ manifest }) => manifest).join('\n')}\n`)
  return 0
}

async function applyFile({ invocation, settings, log }: Order, each: Device, file: string): Promise<number> {
  const { options, settings: given, io } = invocation
  const device = await deviceOfRun(each, directSystem.files)
  return applyToDevice({ file, given, settings, log, device, detailed: options.detailedExitcodes === true, io })
}

const standardPorts = new Map([
  ['http', 80],
  ['https', 443],
  ['ftp', 21],
  ['ldap', 389],
  ['ldaps', 636],
])

/** A URL for messages, without user and password. */
function addressOf(url: string): string {
  const [, scheme, authority = '', path = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)/i.exec(url) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const standard = standardPorts.get(scheme ?? '')
  const port = standard === undefined || /:\d+$/.test(host) ? '' : `:${standard}`
  return `${scheme === undefined ? '' : `${scheme}://`}${host}${port}${path}`
}
