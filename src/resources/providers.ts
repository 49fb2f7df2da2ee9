import { type AnyProvider, fitness, isSuitable, type Services } from './provider.ts'
import { refresh } from './providers/anchor/refresh.ts'
import { augeas } from './providers/augeas/augeas.ts'
import { assemble } from './providers/concat/assemble.ts'
import { fragment } from './providers/concat/fragment.ts'
import { crontab } from './providers/cron/crontab.ts'
import { posix as execPosix, shell } from './providers/exec/posix.ts'
import { posix as filePosix } from './providers/file/posix.ts'
import { ruby as fileLine } from './providers/file_line/ruby.ts'
import { groupadd } from './providers/group/groupadd.ts'
import { parsed as hostParsed } from './providers/host/parsed.ts'
import { ruby as iniSetting } from './providers/ini_setting/ruby.ts'
import { ruby as iniSubsetting } from './providers/ini_subsetting/ruby.ts'
import { aliases } from './providers/mailalias/aliases.ts'
import { parsed as mountParsed } from './providers/mount/parsed.ts'
import { log } from './providers/notify/log.ts'
import { packageProviders } from './providers/package/all.ts'
import { purge } from './providers/resources/purge.ts'
import { getsetsebool } from './providers/selboolean/getsetsebool.ts'
import { semodule } from './providers/selmodule/semodule.ts'
import { base, debian, init } from './providers/service/init.ts'
import { openrc } from './providers/service/openrc.ts'
import { redhat } from './providers/service/redhat.ts'
import { daemontools, runit } from './providers/service/supervised.ts'
import { systemd } from './providers/service/systemd.ts'
import { parsed as authorizedKeyParsed } from './providers/ssh_authorized_key/parsed.ts'
import { parsed as sshkeyParsed } from './providers/sshkey/parsed.ts'
import { remove } from './providers/tidy/remove.ts'
import { useradd } from './providers/user/useradd.ts'
import { inifile } from './providers/yumrepo/inifile.ts'

const all: readonly AnyProvider[] = [
  refresh,
  augeas,
  assemble,
  fragment,
  crontab,
  execPosix,
  shell,
  filePosix,
  fileLine,
  groupadd,
  iniSetting,
  iniSubsetting,
  hostParsed,
  log,
  aliases,
  mountParsed,
  ...packageProviders,
  purge,
  getsetsebool,
  semodule,
  systemd,
  debian,
  redhat,
  openrc,
  init,
  runit,
  daemontools,
  base,
  remove,
  authorizedKeyParsed,
  sshkeyParsed,
  useradd,
  inifile,
]

/** The built-in providers, by type and in order of preference. */
export const providers: ReadonlyMap<string, readonly AnyProvider[]> = new Map(
  [...new Set(all.map(({ type }) => type.name))].map((name) => [name, all.filter(({ type }) => type.name === name)]),
)

/** The provider to use for a type on this machine; `undefined` when none can work. */
export async function defaultProvider(type: string, services: Services): Promise<AnyProvider | undefined> {
  const fit = (provider: AnyProvider) => fitness(provider, services.facts)
  const inOrder = [...(providers.get(type) ?? [])].sort((a, b) => fit(b) - fit(a))
  for (const provider of inOrder) if (await isSuitable(provider, services)) return provider
  return undefined
}

/** A provider by its name. */
export function namedProvider(type: string, name: string): AnyProvider | undefined {
  return providers.get(type)?.find((provider) => provider.name === name)
}
