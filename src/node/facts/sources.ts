import { cloud } from './core/cloud.ts'
import { dmi } from './core/dmi.ts'
import { hypervisors, xen } from './core/hypervisors.ts'
import { networking as macosNetworking } from './core/macos/networking.ts'
import * as macos from './core/macos/system.ts'
import { virtual as macosVirtual, systemProfiler } from './core/macos/system-profiler.ts'
import { memory } from './core/memory.ts'
import { networking } from './core/networking.ts'
import { configuredSelinux, installedKernel, kernel, os, selinux } from './core/os/os.ts'
import { processors } from './core/processors.ts'
import { disks, mountpoints, partitions } from './core/storage.ts'
import {
  filesystems,
  identityFacts,
  installedMiscellany,
  loadAverages,
  miscellany,
  ruby,
  ssh,
  uptime,
} from './core/system.ts'
import { virtual } from './core/virtual.ts'
import * as hardware from './core/windows/hardware.ts'
import { networking as windowsNetworking } from './core/windows/networking.ts'
import * as windowsOs from './core/windows/os.ts'
import * as windows from './core/windows/system.ts'
import { zfs, zpool } from './core/zfs.ts'
import type { FactSource } from './fact.ts'

const linux: readonly FactSource[] = [
  kernel,
  os,
  selinux,
  networking,
  memory,
  processors,
  disks,
  mountpoints,
  partitions,
  dmi,
  virtual,
  hypervisors,
  xen,
  cloud,
  identityFacts,
  uptime,
  loadAverages,
  filesystems,
  zfs,
  zpool,
  ssh,
  ruby,
  miscellany,
]

const darwin: readonly FactSource[] = [
  macos.kernel,
  macos.os,
  macosNetworking,
  macos.memory,
  macos.processors,
  macos.mountFacts,
  macos.dmi,
  macosVirtual,
  systemProfiler,
  macos.identityFacts,
  macos.uptime,
  macos.loadAverages,
  ssh,
  ruby,
  miscellany,
]

const onWindows: readonly FactSource[] = [
  windowsOs.kernel,
  windowsOs.os,
  windowsNetworking,
  hardware.memory,
  hardware.processors,
  hardware.dmi,
  hardware.virtual,
  hardware.hypervisors,
  hardware.cloud,
  windows.identityFacts,
  windows.uptime,
  windows.ssh,
  ruby,
  windows.miscellany,
]

/** The sources of core facts that a root directory determines: no program runs, and no kernel is read. */
export const rootSources: readonly FactSource[] = [
  installedKernel,
  os,
  configuredSelinux,
  identityFacts,
  ssh,
  installedMiscellany,
]

/** The sources of core facts by kernel name. */
export const sources: Readonly<Record<string, readonly FactSource[]>> = {
  Linux: linux,
  Darwin: darwin,
  windows: onWindows,
}
