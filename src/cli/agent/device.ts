import { existsSync } from 'node:fs'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { beginShortRun, endShortRun } from '../../base/threads/short-run.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { runAgent } from '../../node/agent/agent.ts'
import { type Device, parseDeviceConf } from '../../node/agent/devices/device-conf.ts'
import { collectDeviceFacts } from '../../node/agent/devices/device-facts.ts'
import { toRubyDevice } from '../../node/agent/devices/ruby-device.ts'
import type { Log } from '../../node/agent/log.ts'
import { openLog, systemLogDestination } from '../../node/agent/log-destinations.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { RubyInspection } from '../../node/agent/ruby/ruby-inspection.ts'
import { createRubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { applyManifestToDevice } from '../apply/apply.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { getLogDestinations, logdestOption } from '../command/logdest.ts'
import type { Option } from '../command/options.ts'
import { formatRubyYaml } from '../command/ruby-format.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'
import { loadCodeSettings, openModules } from '../input/code-source.ts'
import { withLibraries } from '../module/module-files.ts'

// Messages of Puppet: application/device.rb
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
    doc: 'Print the resources of a type on the target, in Puppet syntax. With the argument NAME, print only this resource.',
  },
  { flags: '-y, --to_yaml', doc: 'Print resources as YAML for Hiera.' },
  {
    flags: '--detailed-exitcodes',
    doc: 'Exit with the sum of 1 for a failed run, 2 for changes and 4 for failures.',
  },
  logdestOption,
] as const satisfies readonly Option[]

type DeviceInvocation = CommandInvocation<typeof deviceOptions>

/** The command `plumb device`. */
export const device = defineCommand({
  name: 'device',
  summary: 'Configure network devices that have no agent of their own.',
  description: `Each section of device.conf (setting deviceconfig) defines a device: certname, transport type and URL.

  [switch1.example.com]
  type cisco_nexus
  url file:///etc/plumb/credentials/switch1.conf

Each device has its own certificate, plug-ins, facts, catalog and report, in $deviceconfdir and $devicedir. The Ruby
code of its module connects to the device. Only resources of device types are managed. With --libdir, plug-ins are
loaded from that directory and not downloaded. Exits with 1 if the run of a device failed.

  plumb device --target switch1.example.com --verbose
  plumb device --target switch1.example.com --resource port`,
  usage: '[name]',
  options: deviceOptions,
  letters: { '-w': 'waitforcert' },
  async run(invocation) {
    const { options, settings: given, io } = invocation
    checkTargetOptions(options)
    const settings = loadSettings({ given, runMode: 'agent' })
    requireTrustedFolders(settings)
    const devices = await selectDevices(settings, options.target)
    const isAsked = options.apply !== undefined || options.facts === true || options.resource !== undefined
    const isHeard = isAsked || options.debug === true || options.verbose === true
    const least = options.debug ? 'debug' : options.verbose ? 'info' : settings.log_level
    const { logdest, ...voice } = getLogDestinations(settings, options)
    const destination = logdest || (isHeard ? 'console' : systemLogDestination)
    const log = await openLog({ ...voice, logdest: destination, least, name: 'puppet-device', console: io })
    const statuses: number[] = []
    try {
      for (const each of devices) statuses.push(await runDeviceAction({ invocation, settings, log }, each))
    } finally {
      await log.close()
    }
    if (options.detailedExitcodes === true) return statuses.reduce((all, each) => all | each, 0)
    return statuses.includes(1) ? 1 : 0
  },
})

function checkTargetOptions({ target, apply, facts, resource }: DeviceInvocation['options']): void {
  if (target === undefined) {
    if (resource !== undefined) throwIssue(issues.NEEDS_TARGET, { what: 'resource command requires target' })
    if (facts === true) throwIssue(issues.NEEDS_TARGET, { what: 'facts command requires target' })
    if (apply !== undefined)
      throwIssue(issues.NEEDS_TARGET, { what: 'missing argument: --target is required when using --apply' })
  }
  if (apply !== undefined && !existsSync(apply)) throwIssue(issues.NO_MANIFEST, { file: apply })
}

/** The selected devices. Throws NO_DEVICE, NO_TARGET, or an error in device.conf. */
async function selectDevices({ deviceconfig: file }: Settings, target: string | undefined): Promise<readonly Device[]> {
  const text = (await directSystem.files.readText(file)) ?? ''
  const devices = parseDeviceConf({ file, text })
  if (target === undefined) return devices.size > 0 ? [...devices.values()] : throwIssue(issues.NO_DEVICE, { file })
  return [devices.get(target) ?? throwIssue(issues.NO_TARGET, { target, file })]
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
async function runDeviceAction(order: Order, each: Device): Promise<number> {
  const { options } = order.invocation
  try {
    const settings = await loadDeviceSettings(order, each)
    const own = { ...order, settings }
    if (options.resource !== undefined) return await showResources(own, each)
    if (options.facts === true) return await showFacts(own, each)
    if (options.apply !== undefined) return await applyManifest(own, each, options.apply)
    return await configureDevice(own, each)
  } catch (error) {
    order.log.err(formatError(error))
    return 1
  }
}

/** The settings of a device: its own certificates, state and plug-ins, with the puppet.conf of this machine. */
async function loadDeviceSettings({ invocation, settings }: Order, { name }: Device): Promise<Settings> {
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

async function configureDevice({ settings, log, invocation }: Order, each: Device): Promise<number> {
  log.info(`starting applying configuration to ${each.name} at ${formatDeviceUrl(each.url)}`)
  beginShortRun()
  const stop = new AbortController()
  onTerminationSignal((signal) => {
    log.notice(`Caught ${signal.slice(3)}; exiting`)
    stop.abort()
  })
  try {
    const status = await runAgent({
      settings,
      system: directSystem,
      log,
      environmentGiven: invocation.settings['environment'] !== undefined,
      device: await toRubyDevice(each, directSystem.files),
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
async function withModuleLibraries<Result>(
  { invocation }: Order,
  task: (libraries: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const given = { options: {}, settings: invocation.settings, io: invocation.io }
  return withLibraries(await openModules(given, loadCodeSettings(given)), task)
}

async function showFacts(order: Order, each: Device): Promise<number> {
  const { settings, log, invocation } = order
  log.info(`retrieving facts from ${each.name} at ${formatDeviceUrl(each.url)}`)
  const device = await toRubyDevice(each, directSystem.files)
  const values = await withModuleLibraries(order, (libraries) =>
    collectDeviceFacts(device, { settings, log, libraries }),
  )
  invocation.io.out(`${formatExactJson({ name: each.name, values }, 2)}\n`)
  return 0
}

async function showResources(order: Order, each: Device): Promise<number> {
  const { settings, log, invocation } = order
  const { options, args, io } = invocation
  const type = (options.resource ?? '').toLowerCase()
  log.info(`retrieving resource: ${type} from ${each.name} at ${formatDeviceUrl(each.url)}`)
  const device = await toRubyDevice(each, directSystem.files)
  const found = await withModuleLibraries(order, async (libraries) => {
    const loadPath = [...libraries, settings.plugindest]
    const ruby = createRubyOptions({ settings, facts: {}, loadPath, device, debug: options.debug === true })
    const inspection = (await RubyInspection.open(type, ruby, log)) ?? throwIssue(issues.NO_TYPE_OF_DEVICE, { type })
    try {
      return args[0] === undefined ? await inspection.all() : [await inspection.one(args[0])]
    } finally {
      await inspection.close()
    }
  })
  const formatYaml = () =>
    formatRubyYaml(convertJsonToValue({ [type]: Object.fromEntries(found.map((one) => [one.title, one.values])) }))
  io.out(options.to_yaml === true ? formatYaml() : `${found.map(({ manifest }) => manifest).join('\n')}\n`)
  return 0
}

async function applyManifest({ invocation, settings, log }: Order, each: Device, file: string): Promise<number> {
  const { options, settings: given, io } = invocation
  const device = await toRubyDevice(each, directSystem.files)
  return applyManifestToDevice({ file, given, settings, log, device, detailed: options.detailedExitcodes === true, io })
}

const standardPorts = new Map([
  ['http', 80],
  ['https', 443],
  ['ftp', 21],
  ['ldap', 389],
  ['ldaps', 636],
])

/** A URL for messages, without user and password. */
function formatDeviceUrl(url: string): string {
  const [, scheme, authority = '', path = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)/i.exec(url) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const standard = standardPorts.get(scheme ?? '')
  const port = standard === undefined || /:\d+$/.test(host) ? '' : `:${standard}`
  return `${scheme === undefined ? '' : `${scheme}://`}${host}${port}${path}`
}
