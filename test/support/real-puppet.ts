import { execaSync } from 'execa'

/** Whether real Puppet is on this machine. In CI it must be: a suite that needs it then fails rather than skips. */
export const hasPuppet: boolean = process.env.CI === 'true' || installed()

/** Why a suite is left out, for its title. */
export const withoutPuppet = hasPuppet ? '' : ' (left out: real Puppet is not installed; see CONTRIBUTING.md)'

function installed(): boolean {
  return !execaSync('puppet', ['--version'], { reject: false }).failed
}
