import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'

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

/** Parses device.conf. Returns the devices by name, in file order. Errors contain the line number. */
export function parseDeviceConf({ text }: Source): ReadonlyMap<string, Device> {
  const found = new Map<string, { readonly line: number; type?: string; url?: string; debug: boolean }>()
  let section: { type?: string; url?: string; debug: boolean } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const given = line.trim()
    if (given === '' || given.startsWith('#')) continue
    const name = /^\[(\w[\w.-]*)\]$/.exec(given)?.[1]
    const [word = '', ...rest] = given.split(/\s+/)
    if (name !== undefined && !line.startsWith(' ')) {
      const before = found.get(name)
      if (before) throwIssue(issues.DEVICE_TWICE, { line: index + 1, first: before.line })
      const begun = { line: index + 1, debug: false }
      found.set(name, begun)
      section = begun
    } else if (section && word === 'type') section.type = rest.join(' ')
    else if (section && word === 'url') section.url = checkDeviceUrl(rest.join(' '))
    else if (section && word === 'debug') section.debug = true
    else throwIssue(issues.DEVICE_LINE, { line: index + 1, text: line })
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
