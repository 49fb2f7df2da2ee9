import { existsSync, readdirSync } from 'node:fs'

const libraries = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
const library = libraries.find((path) => existsSync(path))

/** Whether Debian's `faketime` is on this machine; in CI it must be. */
export const hasFaketime: boolean = process.env.CI === 'true' || library !== undefined

/** Why a test is left out, for its title. */
export const withoutFaketime = hasFaketime ? '' : ' (left out: faketime is not installed; see CONTRIBUTING.md)'

/** The environment of a process whose clock goes wrong by so much: `+5h`, `-2y`. */
export function otherClock(offset: string): Record<string, string> {
  if (library === undefined) throw new Error('faketime is not installed')
  return { LD_PRELOAD: library, FAKETIME: offset }
}
