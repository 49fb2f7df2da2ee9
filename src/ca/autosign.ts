import { budgets } from '../base/budgets/budgets.ts'
import { Slots } from '../base/threads/slots.ts'
import type { System } from '../machine/system/system.ts'

/** Decides if a request is signed automatically; returns true to sign. */
export type Autosign = (name: string, requestPem: string) => Promise<boolean>

/**
 * Implements the setting `autosign`: `true`, `false`, a file of names, or a program. The program gets the certname as
 * its argument and the request on standard input; exit status 0 means that the request is signed. The setting's file is
 * read for each request, so that changes to the file apply at once. At most `workers` programs run concurrently.
 */
export function createAutosignPolicy(
  setting: string,
  { files, commands }: Pick<System, 'files' | 'commands'>,
  log: (message: string) => void = () => {},
  workers: number = budgets.authority.autosignPrograms.bound,
): Autosign {
  if (setting === 'true') return async () => true
  if (setting === 'false' || setting === '') return async () => false
  const programs = new Slots({ atOnce: workers })
  const maxOutput = budgets.authority.autosignOutput.bound
  return async (name, requestPem) => {
    const stat = await files.stat(setting)
    if (!stat || stat.kind === 'directory') return false
    if ((await commands.find(setting)) === undefined)
      return isInAutosignList(name, (await files.readText(setting)) ?? '')
    const { status, stdout, stderr, overflowed } = await programs.run(() =>
      commands.run([setting, name], { input: requestPem, timeout: 60, maxOutput }),
    )
    for (const text of [stdout, stderr])
      if (text.trim() !== '') log(`Output of autosign command '${setting}': ${text.trim()}`)
    return status === 0 && overflowed !== true
  }
}

/** Returns the same policy, but never signs a request for the server's own name. */
export function excludeOwnName(autosign: Autosign, certname: string): Autosign {
  return async (name, request) => name !== certname && (await autosign(name, request))
}

/** Returns true if the certname matches a line of an autosign file: a name, or a pattern such as `*.example.com`. */
export function isInAutosignList(name: string, text: string): boolean {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .some((pattern) => pattern !== '' && isPatternMatch(name.toLowerCase(), pattern.toLowerCase()))
}

function isPatternMatch(name: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) return name.length > pattern.length - 1 && name.endsWith(pattern.slice(1))
  return name === pattern
}
