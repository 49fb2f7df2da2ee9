import { type AnyProvider, fitness, isSuitable, type Services } from './provider.ts'

/** The built-in providers by type, in order of preference; loaded when a resource of the type exists. */
const loaders: Readonly<Record<string, () => Promise<readonly AnyProvider[]>>> = {
  anchor: async () => [(await import('./providers/anchor/refresh.ts')).refresh],
  augeas: async () => [(await import('./providers/augeas/augeas.ts')).augeas],
  concat_file: async () => [(await import('./providers/concat/assemble.ts')).assemble],
  concat_fragment: async () => [(await import('./providers/concat/fragment.ts')).fragment],
  cron: async () => [(await import('./providers/cron/crontab.ts')).crontab],
  async exec() {
    const { posix, shell } = await import('./providers/exec/posix.ts')
    return [posix, shell]
  },
  file: async () => [(await import('./providers/file/posix.ts')).posix],
  file_line: async () => [(await import('./providers/file_line/ruby.ts')).ruby],
  group: async () => [(await import('./providers/group/groupadd.ts')).groupadd],
  host: async () => [(await import('./providers/host/parsed.ts')).parsed],
  ini_setting: async () => [(await import('./providers/ini_setting/ruby.ts')).ruby],
  ini_subsetting: async () => [(await import('./providers/ini_subsetting/ruby.ts')).ruby],
  mailalias: async () => [(await import('./providers/mailalias/aliases.ts')).aliases],
  mount: async () => [(await import('./providers/mount/parsed.ts')).parsed],
  notify: async () => [(await import('./providers/notify/log.ts')).log],
  package: async () => (await import('./providers/package/all.ts')).packageProviders,
  resources: async () => [(await import('./providers/resources/purge.ts')).purge],
  selboolean: async () => [(await import('./providers/selboolean/getsetsebool.ts')).getsetsebool],
  selmodule: async () => [(await import('./providers/selmodule/semodule.ts')).semodule],
  service: async () => (await import('./providers/service/all.ts')).serviceProviders,
  ssh_authorized_key: async () => [(await import('./providers/ssh_authorized_key/parsed.ts')).parsed],
  sshkey: async () => [(await import('./providers/sshkey/parsed.ts')).parsed],
  tidy: async () => [(await import('./providers/tidy/remove.ts')).remove],
  user: async () => [(await import('./providers/user/useradd.ts')).useradd],
  yumrepo: async () => [(await import('./providers/yumrepo/inifile.ts')).inifile],
}

/** The providers of a type, in order of preference. */
export async function providersOf(type: string): Promise<readonly AnyProvider[]> {
  return Object.hasOwn(loaders, type) ? loaders[type]!() : []
}

/** The default provider of a type on this machine; undefined if none is suitable. */
export async function defaultProvider(type: string, services: Services): Promise<AnyProvider | undefined> {
  const fit = (provider: AnyProvider) => fitness(provider, services.facts)
  const inOrder = [...(await providersOf(type))].sort((a, b) => fit(b) - fit(a))
  for (const provider of inOrder) if (await isSuitable(provider, services)) return provider
  return undefined
}

/** A provider by name. */
export async function namedProvider(type: string, name: string): Promise<AnyProvider | undefined> {
  return (await providersOf(type)).find((provider) => provider.name === name)
}
