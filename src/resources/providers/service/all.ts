import type { AnyProvider } from '../../provider.ts'
import { base, debian, init } from './init.ts'
import { openrc } from './openrc.ts'
import { redhat } from './redhat.ts'
import { daemontools, runit } from './supervised.ts'
import { systemd } from './systemd.ts'

/** Service managers, in order of preference where none is the usual one. */
export const serviceProviders: readonly AnyProvider[] = [
  systemd,
  debian,
  redhat,
  openrc,
  init,
  runit,
  daemontools,
  base,
]
