import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether real Puppet is on this machine. In CI it must be: a suite that needs it then fails rather than skips. */
export const hasPuppet: boolean = process.env.CI === 'true' || isOnPath('puppet')

/** Whether Facter is; in CI it must be. */
export const hasFacter: boolean = process.env.CI === 'true' || isOnPath('facter')

/** Why a suite is left out, for its title. */
export const withoutPuppet = hasPuppet ? '' : ' (left out: real Puppet is not installed; see CONTRIBUTING.md)'

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
