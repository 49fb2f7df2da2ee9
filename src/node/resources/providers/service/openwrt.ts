import { runProviderProgram } from '../../provider.ts'
import { findInitScript, getScriptCommand, init } from './init.ts'
import type { ServiceWork } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'

/**
 * The service provider for OpenWrt's init scripts, which enable themselves and report no status.
 */
export const openwrt = defineServiceProvider('openwrt', {
  doc: 'Support for OpenWrt flavored init scripts. Uses `/etc/init.d/service_name enable`, `disable` and `enabled`.',
  suitable: { facts: { 'os.name': ['OpenWrt'] } },
  defaultFor: { 'os.name': ['OpenWrt'] },
  command: (work, action) => (action === 'status' ? undefined : getScriptCommand(work, action)),
  boot: {
    isEnabled: async (work) => ((await scriptSucceeds(work, 'enabled')) ? 'true' : 'false'),
    // The exit status is ignored; the next run checks again.
    enable: async (work) => void (await scriptSucceeds(work, 'enable')),
    disable: async (work) => void (await scriptSucceeds(work, 'disable')),
  },
  ...(init.list && { list: init.list }),
})

async function scriptSucceeds(work: ServiceWork, word: string): Promise<boolean> {
  return (await runProviderProgram(work.system, [await findInitScript(work), word])).status === 0
}
