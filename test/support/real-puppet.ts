import { without } from './needs.ts'

/** Why a suite that asks real Puppet is left out, for its title; empty where Puppet is here, and in CI, where it must be. */
export const withoutPuppet: string = without('real Puppet 7.23')

/** Words for a run that needs none of Debian's modules: to gather their facts takes real Puppet nine seconds. */
export const noModules: readonly string[] = ['--basemodulepath', '/nonexistent']

/** Whether real Puppet is on this machine. */
export const hasPuppet: boolean = withoutPuppet === ''
