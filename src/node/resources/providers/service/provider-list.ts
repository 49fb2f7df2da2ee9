import type { AnyProvider } from '../../provider.ts'
import { daemontools, runit } from './daemon-supervisors.ts'
import { gentoo } from './gentoo.ts'
import { base, debian, init } from './init.ts'
import { openrc } from './openrc.ts'
import { openwrt } from './openwrt.ts'
import { redhat } from './redhat.ts'
import { systemd } from './systemd.ts'
import { upstart } from './upstart.ts'
import { windows } from './windows.ts'

/** Service providers in order of preference if none is the default. */
export const serviceProviders: readonly AnyProvider[] = [
  systemd,
  upstart,
  debian,
  redhat,
  openrc,
  gentoo,
  openwrt,
  init,
  runit,
  daemontools,
  windows,
  base,
]
