import type { AnyProvider } from '../../provider.ts'
import { apk } from './apk.ts'
import { apt, aptitude } from './apt.ts'
import { chocolatey } from './chocolatey.ts'
import { dnfModule } from './dnf-module.ts'
import { dpkg } from './dpkg.ts'
import { flatpak } from './flatpak.ts'
import { gem } from './gem.ts'
import { npm } from './npm.ts'
import { pacman } from './pacman.ts'
import { pip, pip2, pip3 } from './pip.ts'
import { puppetGem } from './puppet-gem.ts'
import { rpm } from './rpm.ts'
import { snap } from './snap.ts'
import { windows } from './windows.ts'
import { dnf, tdnf, yum } from './yum.ts'
import { zypper } from './zypper.ts'

/** Package providers in order of preference if none is the default. */
export const packageProviders: readonly AnyProvider[] = [
  apt,
  dpkg,
  aptitude,
  dnf,
  yum,
  tdnf,
  zypper,
  pacman,
  apk,
  rpm,
  gem,
  puppetGem,
  pip,
  pip3,
  pip2,
  npm,
  snap,
  flatpak,
  dnfModule,
  windows,
  chocolatey,
]
