import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { parseIniLines } from '../../../base/text/ini.ts'

/** A device in device.conf. */
export interface Device {
  readonly name: string
  /** Device type, which is the name of the transport. */
  readonly type: string
  readonly url: string
  readonly debug: boolean
}

// Puppet: util/network_device/config.rb
const issues = defineIssues({
  DEVICE_TWICE: {
    text: (a: { line: number; first: number }) =>
      `Duplicate device found at (line: ${a.line}), already found at (line: ${a.first})`,
  },
  DEVICE_LINE: {
    text: (a: { line: number; text: string }) => `Invalid entry at (line: ${a.line}): ${a.text}`,
    hint: () => 'Each section [CERTNAME] contains the lines type TYPE, url URL and, optionally, debug.',
  },
  DEVICE_URL: { text: (a: { url: string }) => `${a.url} is an invalid url` },
  DEVICE_INCOMPLETE: {
    text: (a: { name: string; lacking: string }) => `The device ${a.name} has no ${a.lacking}`,
    hint: (a) => `Add a line '${a.lacking} …' to its section.`,
  },
})

const syntax = {
  blank: /^\s*(?:#|$)/,
  header: /^(?! )\s*\[(?<section>\w[\w.-]*)\]\s*$/,
  setting: /^\s*(?<name>\S+)(?<value>.*)$/s,
}

/** Parses device.conf. Returns the devices by name, in file order. Errors contain the line number. */
export function parseDeviceConf({ text }: Source): ReadonlyMap<string, Device> {
  const found = new Map<string, { readonly line: number; type?: string; url?: string; debug: boolean }>()
  let section: { type?: string; url?: string; debug: boolean } | undefined
  for (const line of parseIniLines(text, syntax)) {
    if (line.kind === 'blank') continue
    const [name, value] = line.kind === 'setting' ? [line.name, line.value.split(/\s+/).join(' ')] : ['', '']
    if (line.kind === 'header') {
      const before = found.get(line.section)
      if (before) throwIssue(issues.DEVICE_TWICE, { line: line.number, first: before.line })
      const begun = { line: line.number, debug: false }
      found.set(line.section, begun)
      section = begun
    } else if (section && name === 'type') section.type = value
    else if (section && name === 'url') section.url = checkDeviceUrl(value)
    else if (section && name === 'debug') section.debug = true
    else throwIssue(issues.DEVICE_LINE, { line: line.number, text: line.text })
  }
  return new Map(
    [...found].map(([name, each]) => [name, { name, ...requireTypeAndUrl(name, each), debug: each.debug }]),
  )
}

function requireTypeAndUrl(name: string, { type, url }: { readonly type?: string; readonly url?: string }) {
  if (type === undefined || type === '') return throwIssue(issues.DEVICE_INCOMPLETE, { name, lacking: 'type' })
  if (url === undefined || url === '') return throwIssue(issues.DEVICE_INCOMPLETE, { name, lacking: 'url' })
  return { type, url }
}

/** Validates a URL as Ruby does: no whitespace and none of a few special characters. */
function checkDeviceUrl(url: string): string {
  return /[\s<>"{}|\\^`]/.test(url) ? throwIssue(issues.DEVICE_URL, { url }) : url
}
