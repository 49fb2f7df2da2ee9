import { fileURLToPath } from 'node:url'
import type { Json } from '../../../base/json/json-checks.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { parseHocon } from '../../../machine/settings/hocon/hocon.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { DeviceOfRun } from '../../../ruby/node/node-machine.ts'
import type { Device } from './device-conf.ts'

/** Converts a device for Ruby, and adds the credentials from the file that the device's URL names. */
export async function toRubyDevice(device: Device, files: Pick<Files, 'readText'>): Promise<DeviceOfRun> {
  const path = parseFileUrl(device.url)
  const configurations: Record<string, Json> =
    path === undefined ? {} : { [path]: await readDeviceConfiguration(path, files) }
  return { ...device, configurations }
}

function parseFileUrl(url: string): string | undefined {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : undefined
  } catch {
    return undefined
  }
}

async function readDeviceConfiguration(path: string, files: Pick<Files, 'readText'>): Promise<Json> {
  try {
    const text = (await files.readText(path)) ?? ''
    return { values: parseHocon({ file: path, text }, { env: process.env }) }
  } catch (error) {
    return { error: formatError(error) }
  }
}
