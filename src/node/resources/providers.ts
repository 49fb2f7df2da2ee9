import { type AnyProvider, computeFitness, isSuitable, type ProviderServices } from './provider.ts'

/** The built-in providers by type, in order of preference; loaded when a resource of the type exists. */
const loaders: Readonly<Record<string, () => Promise<readonly AnyProvider[]>>> = {
  acl: async () => [(await import('./providers/acl/windows.ts')).aclWindows],
  anchor: async () => [(await import('./providers/anchor/refresh.ts')).refresh],
  augeas: async () => [(await import('./providers/augeas/augeas.ts')).augeas],
  concat_file: async () => [(await import('./providers/concat/assemble.ts')).assemble],
  concat_fragment: async () => [(await import('./providers/concat/fragment.ts')).fragment],
  cron: async () => [(await import('./providers/cron/crontab.ts')).crontab],
  async exec() {
    const { execPosix, shell } = await import('./providers/exec/posix.ts')
    return [execPosix, shell, (await import('./providers/exec/windows.ts')).execWindows]
  },
  async file() {
    const { filePosix } = await import('./providers/file/posix.ts')
    return [filePosix, (await import('./providers/file/windows.ts')).fileWindows]
  },
  file_line: async () => [(await import('./providers/file_line/ruby.ts')).fileLineRuby],
  group: async () => [
    (await import('./providers/group/groupadd.ts')).groupadd,
    (await import('./providers/group/windows-adsi.ts')).windowsAdsiGroup,
  ],
  host: async () => [(await import('./providers/host/parsed.ts')).hostParsed],
  ini_setting: async () => [(await import('./providers/ini_setting/ruby.ts')).iniSettingRuby],
  ini_subsetting: async () => [(await import('./providers/ini_subsetting/ruby.ts')).iniSubsettingRuby],
  mailalias: async () => [(await import('./providers/mailalias/aliases.ts')).aliases],
  mount: async () => [(await import('./providers/mount/parsed.ts')).mountParsed],
  notify: async () => [(await import('./providers/notify/log.ts')).notifyLog],
  package: async () => (await import('./providers/package/provider-list.ts')).packageProviders,
  async reboot() {
    const { rebootLinux, rebootPosix } = await import('./providers/reboot/posix.ts')
    return [rebootPosix, rebootLinux, (await import('./providers/reboot/windows.ts')).rebootWindows]
  },
  registry_key: async () => [(await import('./providers/registry_key/registry.ts')).registryKeyRegistry],
  registry_value: async () => [(await import('./providers/registry_value/registry.ts')).registryValueRegistry],
  resources: async () => [(await import('./providers/resources/purge.ts')).purge],
  async scheduled_task() {
    const { taskschedulerApi2, win32Taskscheduler } = await import('./providers/scheduled_task/taskscheduler.ts')
    return [taskschedulerApi2, win32Taskscheduler]
  },
  selboolean: async () => [(await import('./providers/selboolean/getsetsebool.ts')).getsetsebool],
  selmodule: async () => [(await import('./providers/selmodule/semodule.ts')).semodule],
  service: async () => (await import('./providers/service/provider-list.ts')).serviceProviders,
  ssh_authorized_key: async () => [(await import('./providers/ssh_authorized_key/parsed.ts')).authorizedKeyParsed],
  sshkey: async () => [(await import('./providers/sshkey/parsed.ts')).sshkeyParsed],
  tidy: async () => [(await import('./providers/tidy/remove.ts')).remove],
  user: async () => [
    (await import('./providers/user/useradd.ts')).useradd,
    (await import('./providers/user/windows-adsi.ts')).windowsAdsiUser,
  ],
  yumrepo: async () => [(await import('./providers/yumrepo/inifile.ts')).inifile],
}

/** The providers of a type, in order of preference. */
export async function loadProviders(type: string): Promise<readonly AnyProvider[]> {
  return Object.hasOwn(loaders, type) ? loaders[type]!() : []
}

/** The default provider of a type on this machine; undefined if none is suitable. */
export async function selectDefaultProvider(
  type: string,
  services: ProviderServices,
): Promise<AnyProvider | undefined> {
  const getFitness = (provider: AnyProvider) => computeFitness(provider, services.facts)
  const eligible = (await loadProviders(type)).filter(({ onlyByName }) => !onlyByName)
  const inOrder = eligible.sort((a, b) => getFitness(b) - getFitness(a))
  for (const provider of inOrder) if (await isSuitable(provider, services)) return provider
  return undefined
}

/** Finds a provider of a type by its name. */
export async function findProvider(type: string, name: string): Promise<AnyProvider | undefined> {
  return (await loadProviders(type)).find((provider) => provider.name === name)
}
