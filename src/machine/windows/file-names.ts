import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isWindows, toSlashes } from './machine-path.ts'

const issues = defineIssues({
  FILE_NAME_UNUSABLE: {
    text: (a: { path: string; why: string }) => `Could not use ${a.path} as a file: ${a.why}`,
    hint: () => 'Choose another name: see "Naming Files, Paths, and Namespaces" in the documentation of Windows.',
  },
})

/** Names of devices in every folder, also with an extension or spaces: `NUL`, `nul.txt`, `COM1 `. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:[.:].*)?$/i

/**
 * Rejects paths that are no files for the programs of Windows, although Node can create them: names of devices, names that
 * end in a dot or a space, streams of a file (`C:/x:stream`), and device paths (`//./COM1`). Throws FILE_NAME_UNUSABLE.
 */
export function requireFileName(path: string, onWindows: boolean = isWindows): void {
  if (!onWindows) return
  const why = describeUnusableName(path)
  if (why !== undefined) throwIssue(issues.FILE_NAME_UNUSABLE, { path, why })
}

/** The reason for which `requireFileName` rejects a path; undefined if it accepts the path. */
export function describeUnusableName(given: string): string | undefined {
  const path = toSlashes(given)
  if (/^\/\/\.(?:\/|$)/.test(path)) return 'it is the path of a device'
  const names = path.replace(/^(?:\/\/\?\/)?(?:[a-z]:)?/i, '').split('/')
  for (const name of names) {
    if (name === '.' || name === '..') continue
    if (deviceName.test(name)) return `${name} is the name of a device`
    if (name.includes(':')) return `${name} is a stream of a file`
    if (/[. ]$/.test(name)) return `Windows removes the last character of '${name}'`
    if (hasForbiddenCharacter(name)) return `'${name}' contains a character that no file name may contain`
  }
  return undefined
}

function hasForbiddenCharacter(name: string): boolean {
  for (const character of name) if ('<>"|?*'.includes(character) || character < ' ') return true
  return false
}
